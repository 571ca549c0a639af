//! Judges a skill's folder: what would keep an agent or a registry from using it well.
//!
//! One file per family of rules; a rule looks at a `Skill` and adds findings. The findings of the
//! frontmatter reader and of the manifest come along.

use crate::diagnostic::{Diagnostic, Level, SKILL_MD_ABSENT, SKILL_MD_CASE};
use crate::frontmatter::Frontmatter;
use crate::frontmatter::node::Pair;
use crate::manifest::Manifest;

mod body;
mod description;
mod links;
mod name;
mod portability;
mod requirements;
mod scripts;
mod spec;

/// One file of the skill.
#[derive(Debug, Clone, Copy)]
pub struct LintFile<'a> {
    /// Path inside the folder, with `/`.
    pub path: &'a str,
    /// Whether the owner may execute it.
    pub executable: bool,
    /// Its bytes.
    pub content: &'a [u8],
}

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct LintInput<'a> {
    /// Name of the folder, if it has one (an archive has none): compared with the frontmatter's.
    pub folder: Option<&'a str>,
    /// Every file that would be packed, `SKILL.md` among them, in any order.
    pub files: &'a [LintFile<'a>],
    /// Whether the Agent Skills specification is followed to the letter: the six keys, the grammar of
    /// names, the lengths, the types; and every warning is an error. Maps and lists inside of
    /// `metadata` pass, as they do in the reference validator.
    pub strict: bool,
}

/// What the rules look at.
struct Skill<'a> {
    input: &'a LintInput<'a>,
    frontmatter: &'a Frontmatter,
    manifest: &'a Manifest,
    body: &'a str,
}

type RuleFamily = fn(&Skill<'_>, &mut Vec<Diagnostic>);

const FAMILIES: &[RuleFamily] = &[
    name::check,
    description::check,
    portability::check,
    body::check,
    links::check,
    scripts::check,
    requirements::check,
    spec::check,
];

/// Every finding, by file (`SKILL.md` first), then line, then column.
pub fn lint(input: &LintInput<'_>) -> Vec<Diagnostic> {
    let mut found = findings(input);
    found.sort_by(|one, other| {
        let order =
            |found: &Diagnostic| (found.file != "SKILL.md", found.file.clone(), found.line, found.column);
        order(one).cmp(&order(other))
    });
    if input.strict {
        for diagnostic in &mut found {
            diagnostic.severity = Level::Error;
        }
    }
    found
}

fn findings(input: &LintInput<'_>) -> Vec<Diagnostic> {
    let Some(file) = input.files.iter().find(|file| file.path.eq_ignore_ascii_case("SKILL.md")) else {
        return vec![Diagnostic::new(&SKILL_MD_ABSENT, "there is no SKILL.md in this folder")];
    };
    let frontmatter = match Frontmatter::read(file.content) {
        Ok(frontmatter) => frontmatter,
        Err(error) => return vec![error.diagnostic()],
    };
    let body = frontmatter.body(file.content);
    let (manifest, mut found) = Manifest::of(&frontmatter, &body, input.folder.unwrap_or("skill"));
    if file.path != "SKILL.md" {
        let message = format!("{} is packed as SKILL.md; some systems find only that spelling", file.path);
        found.push(Diagnostic::new(&SKILL_MD_CASE, message).fix("SKILL.md"));
    }
    let skill = Skill { input, frontmatter: &frontmatter, manifest: &manifest, body: &body };
    for check in FAMILIES {
        check(&skill, &mut found);
    }
    found
}

impl Skill<'_> {
    /// Puts a finding at a key of the frontmatter, at its first line where there is none.
    fn at_key(&self, said: Diagnostic, pair: Option<&Pair>) -> Diagnostic {
        let Some(Pair { at, .. }) = pair else {
            let line = self.frontmatter.fence_line();
            return said.at(line, 1, 1, self.frontmatter.line(line));
        };
        said.at(at.line, at.column, at.column + at.length, self.frontmatter.line(at.line))
    }
}
