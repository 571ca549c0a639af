//! The instructions as a whole.

use crate::diagnostic::{BODY_EMPTY, BODY_LONG, Diagnostic};
use crate::frontmatter::lines::lines;

use super::Skill;

/// The advice of the Agent Skills specification.
const LINES: usize = 500;

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let first = skill.frontmatter.body_line;
    if skill.body.trim().is_empty() {
        let said = Diagnostic::new(&BODY_EMPTY, "there are no instructions after the frontmatter");
        found.push(said.at(
            skill.frontmatter.fence_line(),
            1,
            1,
            skill.frontmatter.line(skill.frontmatter.fence_line()),
        ));
        return;
    }
    let count = lines(skill.body).count();
    if let Some(line) = lines(skill.body).nth(LINES) {
        let message = format!(
            "the instructions have {count} lines, more than {LINES}; move parts into files that they name"
        );
        found.push(Diagnostic::new(&BODY_LONG, message).at(first + LINES as u32, 1, 1, line.text));
    }
}
