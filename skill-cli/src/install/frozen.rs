//! Whether the lock answers what is wanted.

use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::Slug;
use skill_core::requirement::{Requirement, Selector};

use super::Desk;
use super::sources::meant;
use super::wish::{Wish, WishSource};
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Cell, Column, Message, Role, Table};
use crate::sources;
use crate::text::quote;

/// How the lock stands to a wish.
enum Answer<'a> {
    /// It holds just that.
    Holds(&'a Slug),
    /// It holds a release that answers, which it was asked for by another requirement.
    Widened(&'a Slug, &'a LockedSkill, Requirement),
    /// It holds it, and skills.toml does not want it.
    Unwanted(&'a Slug, &'a LockedSkill),
    /// It holds something else under that name.
    Differs(&'a LockedSkill),
    /// It holds it from another registry than the wish means, which is called this.
    OtherRegistry(&'a LockedSkill, String),
    /// It holds nothing of that name.
    Absent,
}

fn answer<'a>(desk: &'a Desk<'_>, wish: &Wish) -> Answer<'a> {
    let by_name = |name: &Slug| desk.lock.skills.get_key_value(name);
    match &wish.source {
        WishSource::Locked { .. } => match wish.local.as_ref().and_then(by_name) {
            Some((name, skill)) if is_unwanted(desk, name) => Answer::Unwanted(name, skill),
            Some((name, _)) => Answer::Holds(name),
            None => Answer::Absent,
        },
        WishSource::Elsewhere(from) => {
            let same = |skill: &LockedSkill| from.answers(desk, wish.record, &skill.source);
            let found = match &wish.local {
                Some(name) => by_name(name),
                None => desk.lock.skills.iter().find(|(_, skill)| same(skill)),
            };
            match found {
                Some((name, skill)) if same(skill) => Answer::Holds(name),
                Some((_, skill)) => Answer::Differs(skill),
                None => Answer::Absent,
            }
        }
        WishSource::Registry { registry, reference } => {
            let Some((name, skill)) = by_name(wish.local.as_ref().unwrap_or(&reference.slug)) else {
                return Answer::Absent;
            };
            let LockedSource::Registry { registry: id, owner, slug, version, .. } = &skill.source else {
                return Answer::Differs(skill);
            };
            let same =
                *slug == reference.slug && reference.owner.as_ref().is_none_or(|wanted| wanted == owner);
            // A yanked release or a pre-release that is locked already stays, as long as it is asked for.
            let within = match &reference.selector {
                Some(Selector::Requirement(requirement)) => requirement.matches(version),
                Some(Selector::Tag(_)) => false,
                None => true,
            };
            match meant(desk, registry.as_deref()) {
                _ if !same => Answer::Differs(skill),
                Some((label, meant)) if meant != Some(*id) => Answer::OtherRegistry(skill, label),
                _ if within => match &reference.selector {
                    Some(Selector::Requirement(wanted))
                        if !wish.record && skill.requirement.as_ref() != Some(wanted) =>
                    {
                        Answer::Widened(name, skill, wanted.clone())
                    }
                    _ => Answer::Holds(name),
                },
                _ => Answer::Differs(skill),
            }
        }
    }
}

/// Whether skills.toml is there and does not want what the lock holds under this name. Without a skills.toml
/// the lock says what is wanted.
fn is_unwanted(desk: &Desk<'_>, name: &Slug) -> bool {
    desk.wanted.as_ref().is_some_and(|wanted| !wanted.skills().contains_key(name))
}

/// What the lock holds and skills.toml does not want.
pub(super) fn unwanted<'a>(desk: &'a Desk<'_>) -> impl Iterator<Item = &'a Slug> {
    desk.lock.skills.keys().filter(|name| is_unwanted(desk, name))
}

/// An install removes nothing that it was not told to remove; it says what is left over.
fn tell_unwanted(desk: &Desk<'_>, name: &Slug) {
    let command = quote::command(["skill", "remove", name.as_str()]);
    let text =
        format!("{name} is in skills.lock, and skills.toml does not want it; run `{command}` to remove it");
    desk.context.screen.tell(&Message::note(desk.context.globals.repeat_in(&text)));
}

/// A wish for exactly what the lock holds, if it answers; else the wish as it was. With `--frozen`
/// one that it does not answer is an error, and all of them are listed.
pub(super) fn settle(desk: &Desk<'_>, wishes: Vec<Wish>) -> Result<Vec<Wish>, Failure> {
    let mut stale = Table::new([Column::new("").whole(), Column::new("")]).indent(5);
    let (mut settled, mut left_over) = (Vec::new(), Vec::new());
    for wish in wishes {
        match answer(desk, &wish) {
            Answer::Holds(name) => settled.push(Wish::locked(name)),
            Answer::Unwanted(name, _) if !desk.options.frozen => {
                tell_unwanted(desk, name);
                settled.push(Wish::locked(name));
            }
            Answer::Widened(name, _, requirement) if !desk.options.frozen => {
                let source = WishSource::Locked { requirement: Some(requirement) };
                settled.push(Wish { source, ..Wish::locked(name) });
            }
            _ if !desk.options.frozen => settled.push(wish),
            other => {
                let name = match &other {
                    Answer::Unwanted(name, skill) => {
                        left_over.push(name.as_str());
                        skill.source.name().map_or_else(|| name.to_string(), |name| name.to_string())
                    }
                    _ => wanted_name(&wish),
                };
                let text = difference(desk, &wish, &name, &other);
                stale.push([Cell::of(Role::Name, name), Cell::from(text)]);
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
    let is_stale = stale.rows.len() > left_over.len();
    let mut failure = Failure::new(Code::LockStale, "skills.lock does not answer skills.toml")
        .list(stale)
        .because_in_text("--frozen changes no lock; nothing was changed")
        .key("differences", differences);
    if !left_over.is_empty() {
        let command = quote::command(["skill", "remove"].into_iter().chain(left_over));
        failure = failure.hint(format!("run `{command}` and commit skills.lock"));
    }
    if is_stale {
        failure = failure.hint("run `skill install` without `--frozen` and commit skills.lock");
    }
    Err(failure)
}

/// What is wanted, as skills.toml writes it.
fn wanted_name(wish: &Wish) -> String {
    match &wish.source {
        WishSource::Registry { reference, .. } => match &reference.owner {
            Some(owner) => format!("{owner}/{}", reference.slug),
            None => reference.slug.to_string(),
        },
        WishSource::Elsewhere(from) => from.to_string(),
        WishSource::Locked { .. } => String::new(),
    }
}

/// `wanted ^4, locked 3.4.1`
fn difference(desk: &Desk<'_>, wish: &Wish, name: &str, answer: &Answer<'_>) -> String {
    let asked = &wish.asked;
    let locked = |skill: &LockedSkill| match &skill.source {
        LockedSource::Registry { version, owner, slug, .. } if name == format!("{owner}/{slug}") => {
            format!("locked {version}")
        }
        LockedSource::Registry { version, owner, slug, .. } => format!("locked {owner}/{slug} {version}"),
        other => format!("locked from {}", sources::article(other)),
    };
    match answer {
        Answer::Holds(_) | Answer::Absent => format!("wanted {asked}, not in the lock"),
        Answer::Widened(_, skill, _) => match &skill.requirement {
            Some(requirement) => format!("wanted {asked}, {} for {requirement}", locked(skill)),
            None => format!("wanted {asked}, {} for none", locked(skill)),
        },
        Answer::Unwanted(_, skill) => format!("not wanted, {}", locked(skill)),
        Answer::Differs(skill) => format!("wanted {asked}, {}", locked(skill)),
        Answer::OtherRegistry(skill, wanted) => {
            let from = match &skill.source {
                LockedSource::Registry { registry, .. } => {
                    desk.lock.registry_name(*registry).map_or_else(|| registry.default_name(), str::to_owned)
                }
                other => sources::article(other),
            };
            format!("wanted {asked} from {wanted}, {} from {from}", locked(skill))
        }
    }
}
