//! Whether the lock answers what is wanted.

use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::Slug;
use skill_core::requirement::Selector;

use super::wish::{Wish, WishSource};
use super::Desk;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Cell, Column, Role, Table};
use crate::sources;

/// The lock entry that a wish is about, and whether it answers it; none if there is no entry.
fn answer<'a>(desk: &'a Desk<'_>, wish: &Wish) -> Option<(&'a Slug, &'a LockedSkill, bool)> {
    let by_name = |name: &Slug| desk.lock.skills.get_key_value(name);
    match &wish.source {
        WishSource::Locked => by_name(wish.local.as_ref()?).map(|(name, skill)| (name, skill, true)),
        WishSource::Elsewhere(from) => {
            let same = |skill: &LockedSkill| from.answers(desk, wish.record, &skill.source);
            match &wish.local {
                Some(name) => by_name(name).map(|(name, skill)| (name, skill, same(skill))),
                None => {
                    let mut all = desk.lock.skills.iter();
                    all.find(|(_, skill)| same(skill)).map(|(name, skill)| (name, skill, true))
                }
            }
        }
        WishSource::Registry { reference, .. } => {
            let name = wish.local.as_ref().unwrap_or(&reference.slug);
            let (name, skill) = by_name(name)?;
            let LockedSource::Registry { owner, slug, version, .. } = &skill.source else {
                return Some((name, skill, false));
            };
            let same =
                *slug == reference.slug && reference.owner.as_ref().is_none_or(|wanted| wanted == owner);
            let within = match &reference.selector {
                Some(Selector::Requirement(requirement)) => {
                    requirement.matches(version) || skill.requirement.as_ref() == Some(requirement)
                }
                Some(Selector::Tag(_)) => false,
                None => true,
            };
            Some((name, skill, same && within))
        }
    }
}

/// A wish for exactly what the lock holds, if it answers; else the wish as it was. With `--frozen`
/// one that it does not answer is an error, and all of them are listed.
pub(super) fn settle(desk: &Desk<'_>, wishes: Vec<Wish>) -> Result<Vec<Wish>, Failure> {
    let mut stale = Table::new([Column::new("").whole(), Column::new("")]).indent(5);
    let mut settled = Vec::new();
    for wish in wishes {
        match answer(desk, &wish) {
            Some((name, _, true)) => settled.push(Wish {
                local: Some(name.clone()),
                source: WishSource::Locked,
                asked: wish.asked,
                record: false,
            }),
            _ if !desk.options.frozen => settled.push(wish),
            found => {
                let asked = match &wish.source {
                    WishSource::Registry { reference, .. } => match &reference.owner {
                        Some(owner) => format!("{owner}/{}", reference.slug),
                        None => reference.slug.to_string(),
                    },
                    WishSource::Elsewhere(from) => from.to_string(),
                    WishSource::Locked => String::new(),
                };
                let locked = match found.map(|(_, skill, _)| &skill.source) {
                    None => "not in the lock".to_owned(),
                    Some(LockedSource::Registry { version, owner, slug, .. }) => {
                        if asked == format!("{owner}/{slug}") {
                            format!("locked {version}")
                        } else {
                            format!("locked {owner}/{slug} {version}")
                        }
                    }
                    Some(other) => format!("locked from {}", sources::article(other)),
                };
                stale.push([
                    Cell::of(Role::Name, asked),
                    Cell::from(format!("wanted {}, {locked}", wish.asked)),
                ]);
            }
        }
    }
    if stale.rows.is_empty() {
        return Ok(settled);
    }
    let differences: Vec<String> = stale
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>().join(": "))
        .collect();
    Err(Failure::new(Code::LockStale, "skills.lock does not answer skills.toml")
        .list(stale)
        .because_in_text("--frozen changes no lock; nothing was changed")
        .key("differences", differences)
        .hint("run `skill install` without `--frozen` and commit skills.lock"))
}
