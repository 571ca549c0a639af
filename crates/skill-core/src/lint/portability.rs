//! What other clients refuse although it is legal.

use crate::diagnostic::{ANGLE_BRACKETS, Diagnostic};
use crate::frontmatter::node::Pair;

use super::Skill;

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let fields = [("name", &skill.manifest.name), ("description", &skill.manifest.description)];
    for (key, text) in fields {
        let Some(pair) = skill.frontmatter.top(key).filter(|_| text.contains(['<', '>'])) else { continue };
        let message = format!("{key} holds `<` or `>`; some clients refuse such a skill at upload");
        let said = Diagnostic::new(&ANGLE_BRACKETS, message);
        found.push(match bracket(skill, pair) {
            Some((line, column)) => said.at(line, column, column + 1, skill.frontmatter.line(line)),
            None => skill.at_key(said, Some(pair)),
        });
    }
}

/// Line and column of the first angle bracket of a value, the mark of a folded text (`>`) left aside.
fn bracket(skill: &Skill<'_>, pair: &Pair) -> Option<(u32, u32)> {
    let after_key = pair.at.column + pair.at.length;
    (pair.at.line..pair.at.line + 100).find_map(|line| {
        let text = skill.frontmatter.line(line);
        let from = if line == pair.at.line { after_key as usize } else { 0 };
        let mark = text.chars().skip(from).find(|c| !c.is_whitespace());
        let folded = line == pair.at.line && mark == Some('>');
        let mut brackets = text.chars().enumerate().skip(from).filter(|(_, c)| matches!(c, '<' | '>'));
        let found = if folded { brackets.nth(1) } else { brackets.next() };
        found.map(|(column, _)| (line, column as u32 + 1))
    })
}
