//! A source that holds several skills, or none.

use skill_core::frontmatter::Frontmatter;

use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Cell, Column, Role, Table};
use crate::text::{number, quote};

/// A skill that can be chosen.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// What `--path` takes.
    pub path: String,
    /// What it says about itself.
    pub description: String,
}

impl Candidate {
    /// A folder, and its SKILL.md if that was read.
    pub(super) fn of(path: String, skill_md: Option<&[u8]>) -> Self {
        let frontmatter = skill_md.and_then(|bytes| Frontmatter::read(bytes).ok());
        let description = frontmatter.and_then(|frontmatter| {
            let text = frontmatter.fields.get("description")?.as_str()?;
            Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
        });
        Self { path, description: description.unwrap_or_default() }
    }
}

/// `source-several`: which ones there are, and how to choose. None is ever picked silently.
pub(super) fn several(shown: &str, candidates: Vec<Candidate>) -> Failure {
    let count = number::counted(candidates.len(), "skill", "skills");
    listed(Failure::new(Code::SourceSeveral, format!("{shown} holds {count}")), candidates)
}

/// `source-empty`: there is none at the path that was asked for, but there are others.
pub(super) fn elsewhere_in(shown: &str, path: &str, candidates: Vec<Candidate>) -> Failure {
    let text = format!("there is no skill at {} in {shown}", quote::path(path));
    listed(Failure::new(Code::SourceEmpty, text), candidates)
}

fn listed(failure: Failure, candidates: Vec<Candidate>) -> Failure {
    let mut table = Table::new([Column::new("").whole(), Column::new("")]).indent(5);
    for candidate in &candidates {
        let path = if candidate.path.is_empty() { "." } else { &candidate.path };
        table.push([Cell::of(Role::Name, path), Cell::from(candidate.description.clone())]);
    }
    let paths: Vec<String> = candidates.into_iter().map(|candidate| candidate.path).collect();
    let first = paths.first().cloned().unwrap_or_default();
    failure
        .list(table)
        .key("candidates", paths)
        .hint(format!("add `--path {}` to choose one", quote::shell(&first)))
}

/// `source-empty`: no SKILL.md where it was looked for.
pub(super) fn empty(shown: &str, searched: &str) -> Failure {
    Failure::new(Code::SourceEmpty, format!("there is no SKILL.md in {shown}"))
        .because(format!("searched: {searched}"))
        .nothing_changed()
}
