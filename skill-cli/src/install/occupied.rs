//! Where a skill is to lie, and whether that place may be written.

use std::collections::BTreeSet;

use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};

use super::present::{Present, differs, replaced};
use super::resolve::Place;
use super::trust_files::has_envelope;
use super::{Desk, places};
use crate::code::Code;
use crate::failure::Failure;
use crate::text::quote;
use crate::verify::published_tree;
use crate::workdir::TargetRoot;

/// What is put into a place, as sentences and commands name it.
pub(super) struct Asked<'a> {
    /// `acme/github 3.4.1`, or the source.
    pub title: &'a str,
    /// The skill, if it is one of a registry.
    pub name: Option<&'a SkillName>,
    /// The words of the command that asks for it again.
    pub again: Vec<String>,
}

impl Asked<'_> {
    /// Whether the command names no skill, so that all of skills.toml is meant.
    fn is_of_skills_toml(&self) -> bool {
        self.again.iter().skip(2).all(|word| word.starts_with('-'))
    }

    fn with(&self, more: &[&str]) -> String {
        quote::command(self.again.iter().map(String::as_str).chain(more.iter().copied()))
    }
}

/// The targets of a skill: where it is, and where it is asked to be.
pub(super) fn targets(desk: &Desk<'_>, before: Option<&LockedSkill>) -> BTreeSet<String> {
    let mut targets = before.map(|skill| skill.targets.clone()).unwrap_or_default();
    targets.extend(desk.options.targets.iter().cloned());
    if targets.is_empty() {
        targets.insert(places::USUAL.to_owned());
    }
    targets
}

/// The places that have to be written. What must not be replaced is an error.
pub(super) fn places_for(
    desk: &Desk<'_>,
    local: &Slug,
    before: Option<&LockedSkill>,
    targets: &BTreeSet<String>,
    same_bytes: bool,
    asked: &Asked<'_>,
) -> Result<Vec<Place>, Failure> {
    let mut found = Vec::new();
    for target in targets {
        let root = places::target_root(desk.context, desk.workdir, target)?;
        let place = root.place(local);
        let here = before.filter(|skill| skill.targets.contains(target));
        let present =
            Present::of(desk.workdir, &place, here).map_err(|error| desk.disk(&error, &root.shown(local)))?;
        let (seen, keep_old) = match present {
            Present::Intact(_) if same_bytes => continue,
            Present::Nothing => (None, false),
            Present::Intact(seen) => (Some(seen), false),
            Present::Changed(_, seen) if desk.options.force => (Some(seen), true),
            Present::Replaced(seen) if desk.options.force => (Some(seen), true),
            Present::Changed(findings, _) => {
                let (shown, command) = (root.shown(local), asked.with(&["--force"]));
                return Err(differs(desk.context, &shown, &findings, &command, "and take the release"));
            }
            Present::Replaced(_) => {
                let (shown, command) = (root.shown(local), asked.with(&["--force"]));
                return Err(replaced(desk.context, &shown, &command, "and take the release"));
            }
            Present::Unknown => return Err(unknown_there(desk, &root, local, asked)),
        };
        found.push(Place { root, seen, keep_old });
    }
    Ok(found)
}

/// Whether all is there that a locked skill is verified by: the preimage of its tree, and of a release
/// its envelope and root chain.
pub(super) fn has_trust(desk: &Desk<'_>, skill: &LockedSkill) -> bool {
    let has_tree = published_tree(desk.workdir, skill.tree).is_ok_and(|tree| tree.is_some());
    has_tree
        && match &skill.source {
            LockedSource::Registry { registry, .. } => {
                has_envelope(desk.workdir, skill)
                    && desk.workdir.trust(*registry).join(crate::registry::root_file(1)).is_file()
            }
            _ => true,
        }
}

/// The lock entry that a skill goes on from.
///
/// # Errors
/// `name-taken` if it is another skill's. A question takes no name, so that nothing stands in its way.
pub(super) fn before<'d>(
    desk: &'d Desk<'_>,
    local: &Slug,
    asked: &Asked<'_>,
    is_same: impl Fn(&LockedSource) -> bool,
) -> Result<Option<&'d LockedSkill>, Failure> {
    match desk.lock.skills.get(local) {
        Some(other) if is_same(&other.source) => Ok(Some(other)),
        Some(other) if desk.options.instead_of.is_none() => Err(taken(desk, local, other, asked)),
        _ => Ok(None),
    }
}

/// `name-taken`: another skill is locked under that name.
fn taken(desk: &Desk<'_>, local: &Slug, before: &LockedSkill, asked: &Asked<'_>) -> Failure {
    let target = before.targets.iter().next().map_or(places::USUAL, String::as_str);
    let holds = match &before.source {
        LockedSource::Registry { owner, slug, version, .. } => format!("{owner}/{slug} {version}"),
        LockedSource::Path { path } => format!("a copy of {}", quote::path(path)),
        other => format!("a skill from a {} source", other.kind()),
    };
    let place = desk.context.shown(desk.workdir.root().join(target).join(local.as_str()));
    let failure = Failure::new(Code::NameTaken, format!("{place} already holds {holds}"))
        .because(format!("{} is another skill, not a version of it", asked.title))
        .nothing_changed();
    with_way_out(failure, &place, local, asked)
}

/// The same under a name of its own; what skills.toml asks for by its name alone has to have the place.
fn with_way_out(failure: Failure, place: &str, local: &Slug, asked: &Asked<'_>) -> Failure {
    if asked.is_of_skills_toml() {
        let away = format!("move {place} away, then run `{}`", asked.with(&[]));
        return failure.hint("restore skills.lock from version control if it is lost").hint(away);
    }
    let other = match asked.name {
        Some(name) if name.slug == *local => {
            format!("{}-{}", name.owner.as_str().replace('_', "-"), name.slug)
        }
        _ => format!("{local}-2"),
    };
    let words = asked.again.iter().map(String::as_str);
    let words = words.take_while(|word| *word != "--as").chain(["--as", &other]);
    failure.hint(format!("run `{}`", quote::command(words)))
}

/// `name-taken`: something lies there that no lock knows.
fn unknown_there(desk: &Desk<'_>, root: &TargetRoot, local: &Slug, asked: &Asked<'_>) -> Failure {
    let place = desk.context.shown(root.shown(local));
    let failure = Failure::new(Code::NameTaken, format!("{place} is there already, and no lock knows it"))
        .because(format!("{} does not replace what was not installed from here", asked.title))
        .nothing_changed();
    with_way_out(failure, &place, local, asked)
}
