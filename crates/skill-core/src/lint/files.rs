//! SKILL.md as a file.

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Skill};

pub(super) const FAMILY: Family = Family { title: "The file SKILL.md", rules: RULES, check };

rules! {
    pub(super) static RULES;

    SKILL_MD_ABSENT Error "bundle-no-skill-md"
        "there is no SKILL.md"
        why "A skill is a folder with a file of that name; without it there is nothing to load."
        fix "Add a SKILL.md; `skill init` writes one to begin with."
        source "Agent Skills specification, directory structure";
    SKILL_MD_CASE Warning "skill-md-case"
        "the file is not spelled SKILL.md"
        why "On systems that tell letter case apart most clients do not find it. A release stores it as SKILL.md."
        fix "Rename it to SKILL.md."
        source "Agent Skills specification, directory structure";
}

/// The finding for a folder without one.
pub(super) fn absent() -> Diagnostic {
    Diagnostic::new(&SKILL_MD_ABSENT, "there is no SKILL.md in this folder")
}

fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let path = skill.file.path;
    if path != "SKILL.md" {
        let message = format!("{path} is packed as SKILL.md; some systems find only that spelling");
        found.push(Diagnostic::new(&SKILL_MD_CASE, message).fix("SKILL.md"));
    }
}
