//! What `skill init` writes to be replaced, and what else stands for a text that is to come.

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, Skill, at_line};
use crate::page::Kind;

pub(super) const FAMILY: Family = Family { title: "Placeholders", rules: RULES, check };

rules! {
    pub(super) static RULES;

    PLACEHOLDER Note "placeholder"
        "a text that `skill init` wrote to be replaced, or a mark like `TODO`, still stands there"
        why "An agent follows it as it follows everything else."
        fix "Write what is meant, or take the line out."
        source "this project";
}

/// What `skill init` writes in the places that are to be filled in; as a whole they stand in nothing that is finished.
pub const PLACEHOLDERS: [&str; 7] = [
    "Say what it does, and when an agent should use it.",
    "What the agent has to know before it begins.",
    "A request that this skill answers",
    "A request that looks alike and is not one",
    "Call `TOOL` with what the request names",
    "Answer with what it returned, without a further tool call",
    "Never do what looks helpful and is not asked for",
];
/// Marks that stand for a text to come, alone or before a colon, a dash or a closing bracket.
const TO_COME: [&str; 4] = ["TODO", "TBD", "FIXME", "XXX"];

/// One finding for the description and one for the instructions, at the first place.
fn check(skill: &Skill<'_>, found: &mut Findings) {
    let description = skill.manifest.description.trim();
    let is_left = description == PLACEHOLDERS[0] || is_to_come(description);
    if let Some(pair) = skill.frontmatter.top("description").filter(|_| is_left) {
        let message = "the description is a placeholder";
        found.push(skill.at_key(Diagnostic::new(&PLACEHOLDER, message), Some(pair)));
    }
    let left = skill.page.lines.iter().filter(|line| line.kind == Kind::Text).filter_map(|line| {
        let text = PLACEHOLDERS.iter().find(|text| line.text.trim_end().ends_with(**text))?;
        Some((line, text))
    });
    let left: Vec<_> = left.collect();
    let Some((line, text)) = left.first() else { return };
    let range = line.text.trim_end().len() - text.len()..line.text.trim_end().len();
    let message = match left.len() {
        1 => "a placeholder of `skill init` is left".to_owned(),
        many => format!("{many} placeholders of `skill init` are left"),
    };
    found.push(at_line(Diagnostic::new(&PLACEHOLDER, message), line, range));
}

fn is_to_come(description: &str) -> bool {
    let bare = description.trim_start_matches(['[', '<', '(', '{']);
    TO_COME.iter().any(|mark| {
        let after = bare.strip_prefix(mark).map(str::trim_start);
        after.is_some_and(|after| {
            after.is_empty() || after.starts_with([':', '：', '-', '–', '—', ']', '>', ')', '}'])
        })
    })
}
