//! The instructions as a whole.

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, Skill, at_line, words};

pub(super) const FAMILY: Family = Family { title: "Instructions as a whole", rules: RULES, check };

rules! {
    pub(super) static RULES;

    BODY_EMPTY Warning "body-empty"
        "there are no instructions after the frontmatter"
        why "The agent that loads the skill learns nothing from it."
        fix "Write what the agent has to know and to do."
        source "Agent Skills specification, body";
    BODY_LONG Warning "body-long"
        "the instructions are longer than 500 lines"
        why "All of it enters the agent's context whenever the skill is loaded."
        fix "Move parts into files that the instructions name; an agent reads them when it needs them."
        source "Agent Skills specification, progressive disclosure";
    BODY_TOKENS Warning "body-tokens"
        "the instructions are longer than about 5000 tokens"
        why "All of it enters the agent's context whenever the skill is loaded."
        fix "Move parts into files that the instructions name; an agent reads them when it needs them."
        source "Agent Skills specification, progressive disclosure";
}

/// The advice of the Agent Skills specification.
const LINES: usize = 500;
const TOKENS: usize = 5000;

fn check(skill: &Skill<'_>, found: &mut Findings) {
    if skill.body.trim().is_empty() {
        let said = Diagnostic::new(&BODY_EMPTY, "there are no instructions after the frontmatter");
        found.push(skill.at_key(said, None));
        return;
    }
    let lines = &skill.page.lines;
    if let Some(line) = lines.get(LINES) {
        let count = lines.len();
        let message = format!(
            "the instructions have {count} lines, more than {LINES}; move parts into files that they name"
        );
        found.push(at_line(Diagnostic::new(&BODY_LONG, message), line, 0..0));
        return;
    }
    let mut total = 0;
    let over = lines.iter().find(|line| {
        total += quarter_tokens(line.text);
        total > 4 * TOKENS
    });
    if let Some(line) = over {
        let total = lines.iter().map(|line| quarter_tokens(line.text)).sum::<usize>() / 4;
        let message = format!(
            "the instructions have about {} tokens, more than {TOKENS}; move parts into files that they name",
            total / 100 * 100
        );
        found.push(at_line(Diagnostic::new(&BODY_TOKENS, message), line, 0..0));
    }
}

/// Tokens in quarters: four characters are about one token, a CJK character is one.
fn quarter_tokens(text: &str) -> usize {
    1 + text.chars().map(|c| if words::is_cjk(c) { 4 } else { 1 }).sum::<usize>()
}
