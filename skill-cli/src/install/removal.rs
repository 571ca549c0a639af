//! Taking skills away again.

use std::path::PathBuf;

use serde_json::json;
use skill_core::lock::Lock;
use skill_core::name::Slug;

use super::Desk;
use super::commit::backup_of;
use super::places::{USUAL, places_of};
use super::present::{Present, differs, replaced};
use super::stage::not_guarded;
use super::trust_files::retire;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Message, Report, Role, Table};
use crate::text::{number, quote};
use crate::workdir::{Seen, TargetRoot};

/// What a removal takes away.
pub struct Removal {
    skills: Vec<Removed>,
    lock: Lock,
}

struct Removed {
    name: Slug,
    title: String,
    places: Vec<(TargetRoot, Seen, Option<PathBuf>)>,
}

impl Removal {
    /// Looks at what is locked and what lies there. A folder that is gone already is no obstacle, and
    /// one that no lock knows is not touched.
    ///
    /// # Errors
    /// `not-installed`, `disk-differs`.
    pub fn plan(desk: &Desk<'_>, names: &[String]) -> Result<Self, Failure> {
        let mut lock = desk.lock.clone();
        let mut skills: Vec<Removed> = Vec::new();
        let mut kept = 0;
        for text in names {
            let name = find(desk, text)?;
            let Some(skill) = lock.skills.remove(&name) else { continue };
            let mut places = Vec::new();
            for (root, place) in places_of(desk.context, desk.workdir, &name, &skill)? {
                let present = Present::of(desk.workdir, &place, Some(&skill))
                    .map_err(|error| desk.disk(&error, &root.shown(&name)))?;
                let (seen, backup) = match present {
                    // What is locked is never unknown.
                    Present::Nothing | Present::Unknown => continue,
                    Present::Intact(seen) => (seen, None),
                    Present::Changed(findings, _) if !desk.options.force => {
                        let command = format!("skill remove {name} --force");
                        let shown = root.shown(&name);
                        return Err(differs(
                            desk.context,
                            &shown,
                            &findings,
                            &command,
                            "and remove the skill",
                        ));
                    }
                    Present::Replaced(_) if !desk.options.force => {
                        let command = quote::command(["skill", "remove", name.as_str(), "--force"]);
                        return Err(replaced(
                            desk.context,
                            &root.shown(&name),
                            &command,
                            "and remove the skill",
                        ));
                    }
                    Present::Changed(_, seen) | Present::Replaced(seen) => {
                        kept += 1;
                        (seen, Some(backup_of(desk, name.as_str(), kept)))
                    }
                };
                places.push((root, seen, backup));
            }
            let title = match &skill.source {
                skill_core::lock::LockedSource::Registry { owner, slug, version, .. } => {
                    format!("{owner}/{slug} {version}")
                }
                _ => name.to_string(),
            };
            skills.push(Removed { name, title, places });
        }
        lock.forget_unused_registries();
        skills.sort_by(|one, other| one.title.cmp(&other.title));
        Ok(Self { skills, lock })
    }

    /// Does it.
    ///
    /// # Errors
    /// `disk-…`; every byte is as it was then.
    pub fn carry_out(&self, desk: &Desk<'_>) -> Result<(), Failure> {
        let mut transaction = desk.transaction().ok_or_else(not_guarded)?;
        let mut work = || -> std::io::Result<()> {
            for skill in &self.skills {
                for (root, seen, backup) in &skill.places {
                    transaction.take_skill(root, &skill.name, *seen, backup.as_deref())?;
                }
            }
            for file in retire(desk.workdir, &desk.lock, &self.lock) {
                transaction.take_file(&file)?;
            }
            if let Some(mut wanted) = desk.wanted.clone() {
                let before = wanted.to_toml();
                for skill in &self.skills {
                    wanted.remove(&skill.name);
                }
                if before != wanted.to_toml() {
                    desk.put_wanted(&mut transaction, &wanted)?;
                }
            }
            desk.put_lock(&mut transaction, &self.lock).map(drop)
        };
        let failed = |error: &std::io::Error| desk.disk(error, desk.workdir.root());
        work().map_err(|error| failed(&error))?;
        transaction.commit().map_err(|error| desk.not_changed(&error))
    }

    /// The answer, of a dry run too.
    pub fn report(&self, desk: &Desk<'_>) -> Report {
        let dry_run = desk.options.dry_run;
        let shown = |place: &PathBuf| desk.context.shown(place);
        let verb = if dry_run { "would remove" } else { "removed" };
        let mut table =
            Table::new([Column::new("").whole(), Column::new("").whole().gap(3), Column::new("").whole()]);
        let mut removed = Vec::new();
        let mut notes = Vec::new();
        for skill in &self.skills {
            let named: Vec<PathBuf> = skill.places.iter().map(|(root, ..)| root.shown(&skill.name)).collect();
            let places: Vec<String> = named.iter().map(shown).collect();
            let places =
                if places.is_empty() { "(its folder was gone)".to_owned() } else { places.join(", ") };
            table.push([
                Cell::of(Role::Good, verb),
                Cell::of(Role::Name, skill.title.clone()),
                Cell::from(places),
            ]);
            let backups: Vec<&PathBuf> =
                skill.places.iter().filter_map(|(.., backup)| backup.as_ref()).collect();
            for backup in &backups {
                notes.push(Message::note(format!(
                    "the changed copy is kept in {}",
                    desk.context.shown(backup)
                )));
            }
            removed.push(json!({ "name": skill.name, "paths": named, "backups": backups }));
        }
        let mut document = json!({ "removed": removed });
        let count = number::counted(self.skills.len(), "skill", "skills");
        let closing = if dry_run {
            document["dryRun"] = true.into();
            "dry run: nothing was removed".to_owned()
        } else {
            format!("{count} removed")
        };
        let rows = vec![Block::Table(table)];
        let report = if dry_run { Report::new(document, rows) } else { Report::change(document, rows) };
        let report = report.closing(closing);
        if dry_run { report } else { notes.into_iter().fold(report, Report::note) }
    }
}

/// The local name: as `list` shows it, or `owner/slug` if exactly one entry is that skill.
fn find(desk: &Desk<'_>, text: &str) -> Result<Slug, Failure> {
    if let Ok(name) = text.parse::<Slug>()
        && desk.lock.skills.contains_key(&name)
    {
        return Ok(name);
    }
    let full = text.strip_prefix('@').unwrap_or(text);
    let mut same = desk
        .lock
        .skills
        .iter()
        .filter(|(_, skill)| skill.source.name().is_some_and(|name| name.to_string() == full));
    if let (Some((name, _)), None) = (same.next(), same.next()) {
        return Ok(name.clone());
    }
    let place = desk.context.shown(desk.workdir.root().join(USUAL));
    let unmanaged = text.parse::<Slug>().is_ok() && desk.workdir.root().join(USUAL).join(text).is_dir();
    let failure = if unmanaged {
        Failure::new(Code::NotInstalled, format!("{place}/{text} is there, and no lock knows it"))
            .because("what was not installed from here is not removed")
    } else {
        Failure::new(
            Code::NotInstalled,
            format!("no skill named {} is installed in {place}/", quote::path(text)),
        )
    };
    Err(failure.nothing_changed().hint("run `skill list` to see the names"))
}
