//! The skills that a skill requires.

use crate::diagnostic::{Diagnostic, REQUIRES_NAME, REQUIRES_VERSION};
use crate::frontmatter::node::Pair;
use crate::name::{SkillName, Slug};
use crate::requirement::Requirement;

use super::Skill;

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    for (name, requirement) in &skill.manifest.requires.skills {
        let pair = place(&skill.frontmatter.tree, name);
        if name.parse::<SkillName>().is_err() && name.parse::<Slug>().is_err() {
            let message = format!("`{name}` is no skill: owner/slug or slug");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_NAME, message), pair));
        }
        if let Err(error) = Requirement::parse(requirement) {
            let message = format!("{name}: {error}");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_VERSION, message), pair));
        }
    }
}

/// The pair of a required skill: below `skills`, wherever in the frontmatter that stands.
fn place<'a>(pairs: &'a [Pair], name: &str) -> Option<&'a Pair> {
    pairs.iter().find_map(|pair| {
        let here = (pair.key == "skills").then(|| pair.value.get(name)).flatten();
        here.or_else(|| place(pair.value.pairs(), name))
    })
}
