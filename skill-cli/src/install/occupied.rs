//! Where a skill is to lie, and whether that place may be written.

use std::collections::BTreeSet;

use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};

use super::present::{Present, differs, looks_intact};
use super::resolve::Place;
use super::{Desk, places};
use crate::code::Code;
use crate::failure::Failure;
use crate::text::quote;
use crate::workdir::TargetRoot;

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
    title: &str,
    name: Option<&SkillName>,
) -> Result<Vec<Place>, Failure> {
    let mut found = Vec::new();
    for target in targets {
        let root = places::target_root(desk.context, desk.workdir, target)?;
        let place = root.place(local);
        let here = before.filter(|skill| skill.targets.contains(target));
        let quick = here.filter(|_| same_bytes && !desk.options.force);
        if quick.is_some_and(|here| looks_intact(desk.workdir, &place, here.tree)) {
            continue;
        }
        let present =
            Present::of(desk.workdir, &place, here).map_err(|error| desk.disk(&error, &root.shown(local)))?;
        let keep_old = match present {
            Present::Intact if same_bytes => continue,
            Present::Nothing | Present::Intact => false,
            Present::Changed(_) if desk.options.force => true,
            Present::Changed(findings) => {
                let command = if desk.options.frozen {
                    "skill install --frozen --force".to_owned()
                } else {
                    match name {
                        Some(name) => format!("skill install {name} --force"),
                        None => "skill install --force".to_owned(),
                    }
                };
                let shown = root.shown(local);
                return Err(differs(desk.context, &shown, &findings, &command, "and take the release"));
            }
            Present::Unknown => return Err(unknown_there(desk, &root, local, title, name)),
        };
        found.push(Place { root, keep_old });
    }
    Ok(found)
}

/// Whether the envelope and the root chain of a locked release are there, so that it can be verified.
pub(super) fn has_trust(desk: &Desk<'_>, skill: &LockedSkill) -> bool {
    match &skill.source {
        LockedSource::Registry { registry, .. } => {
            desk.workdir.envelope(skill.tree).is_file()
                && desk.workdir.trust(*registry).join(crate::registry::root_file(1)).is_file()
        }
        _ => true,
    }
}

/// `name-taken`: another skill is locked under that name.
pub(super) fn taken(
    desk: &Desk<'_>,
    local: &Slug,
    before: &LockedSkill,
    title: &str,
    name: Option<&SkillName>,
) -> Failure {
    let target = before.targets.iter().next().map_or(places::USUAL, String::as_str);
    let holds = match &before.source {
        LockedSource::Registry { owner, slug, version, .. } => format!("{owner}/{slug} {version}"),
        LockedSource::Path { path } => format!("a copy of {}", quote::path(path)),
        other => format!("a skill from a {} source", other.kind()),
    };
    let place = desk.context.shown(desk.workdir.root().join(target).join(local.as_str()));
    let failure = Failure::new(Code::NameTaken, format!("{place} already holds {holds}"))
        .because(format!("{title} is another skill, not a version of it"))
        .nothing_changed();
    with_as_hint(failure, local, name, title)
}

fn with_as_hint(failure: Failure, local: &Slug, name: Option<&SkillName>, title: &str) -> Failure {
    let command = match name {
        Some(name) => {
            format!("skill install {name} --as {}-{}", name.owner.as_str().replace('_', "-"), name.slug)
        }
        None => format!("skill install {title} --as {local}-2"),
    };
    failure.hint(format!("run `{command}`"))
}

/// `name-taken`: something lies there that no lock knows.
fn unknown_there(
    desk: &Desk<'_>,
    root: &TargetRoot,
    local: &Slug,
    title: &str,
    name: Option<&SkillName>,
) -> Failure {
    let place = desk.context.shown(root.shown(local));
    let failure = Failure::new(Code::NameTaken, format!("{place} is there already, and no lock knows it"))
        .because(format!("{title} does not replace what was not installed from here"))
        .nothing_changed();
    with_as_hint(failure, local, name, title)
}
