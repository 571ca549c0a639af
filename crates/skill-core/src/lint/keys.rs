//! How the keys of the specification are spelled, and which are another's.

use crate::diagnostic::{Diagnostic, rules};
use crate::manifest::unknown::OF_CLIENTS;

use super::spec::KEYS;
use super::value::folded;
use super::{Family, Findings, Skill};

pub(super) const FAMILY: Family = Family { title: "Keys", rules: RULES, check };

rules! {
    pub(super) static RULES;

    KEY_SPELLING Warning "key-spelling"
        "a key of the specification in another spelling: `NAME`, `Description`, `allowed_tools`"
        why "It is read here as what was meant; clients that follow the specification do not see it."
        fix "Spell it as shown."
        source "Agent Skills specification, frontmatter";
    CLIENT_KEY Note "portability-client-key"
        "a key that one client reads"
        why "Other clients pass over it, and some refuse the skill; what it says has to hold without it."
        fix "Say in the instructions what must hold everywhere; `--strict` refuses the key."
        source "documentation of Claude Code, frontmatter of skills";
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    for pair in &skill.frontmatter.tree {
        if OF_CLIENTS.contains(&pair.key.as_str()) && !skill.input.strict {
            let message = format!("{} is a key of Claude Code; other clients do not read it", pair.key);
            found.push(skill.at_key(Diagnostic::new(&CLIENT_KEY, message), Some(pair)));
            continue;
        }
        let meant = KEYS.iter().find(|key| **key != pair.key && folded(key) == folded(&pair.key));
        if let Some(meant) = meant {
            let message =
                format!("{} is read as {meant} here, and not by clients that follow the spec", pair.key);
            found.push(skill.at_key(Diagnostic::new(&KEY_SPELLING, message), Some(pair)).fix(*meant));
        }
    }
}
