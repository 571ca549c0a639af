//! SKILL.md and the other texts as files.

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, JUDGED, Skill};

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
    TEXT_LONG Note "text-long"
        "a text is longer than 1 MiB and was judged up to there"
        why "What stands behind the first MiB was not looked at, and no agent reads that much."
        fix "Split the text into files that are read where they are needed."
        source "this project";
}

/// The finding for a folder without one.
pub(super) fn absent() -> Diagnostic {
    Diagnostic::new(&SKILL_MD_ABSENT, "there is no SKILL.md in this folder")
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let path = skill.file.path;
    if path != "SKILL.md" {
        let message = format!("{path} is packed as SKILL.md; some systems find only that spelling");
        found.push(Diagnostic::new(&SKILL_MD_CASE, message).fix("SKILL.md"));
    }
    for file in skill.input.files {
        let path = if super::is_skill_md(file) { "SKILL.md" } else { file.path };
        let is_judged = file.is_page() || skill.scripts.iter().any(|script| script.file.path == file.path);
        if is_judged && file.content.len() > JUDGED + file.text_start() && file.text().is_some() {
            let message = "longer than 1 MiB; what stands behind the first MiB was not judged";
            found.push(Diagnostic::new(&TEXT_LONG, message).in_file(path));
        }
    }
}
