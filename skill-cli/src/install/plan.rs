//! What will be done, as a value: dry run, screen and `--json` read this one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skill_bundle::Tree;
use skill_core::lock::LockedSource;
use skill_core::verdict::Verdict;

use super::Desk;
use super::judge::allow;
use super::missing::{Missing, installed};
use super::policy::refused_by_rules;
use super::resolve::Unchanged;
use super::verified::{From, Verified, VerifiedSkill};
use crate::code::Code;
use crate::report::{Block, Cell, Column, Message, Role, Table};
use crate::text::number;
use crate::verify::{published_tree, size_of};

/// What becomes of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It was not there.
    Install,
    /// It gets other bytes.
    Change,
    /// It is put back as it was locked.
    Restore,
}

/// One skill of a plan.
#[derive(Debug, Clone)]
pub struct Planned {
    /// What becomes of it.
    pub action: Action,
    /// Local name.
    pub local: String,
    /// `acme/github`, or the local name.
    pub title: String,
    /// The version, if it has one.
    pub version: Option<String>,
    /// The version that was there.
    pub previous: Option<String>,
    /// What was asked for.
    pub asked: String,
    /// What the scan says.
    pub verdict: Verdict,
    /// Bytes of its files.
    pub size: u64,
    /// The registry's name, or the folder.
    pub from: String,
    /// The first folder it will be in, as text shows it.
    pub shown: String,
    /// What differs from what was there.
    pub differences: Option<String>,
    /// What it needs and is not here.
    pub missing: Missing,
    /// What its SKILL.md was forgiven.
    pub forgiven: Vec<String>,
    /// Whether it will be refused.
    pub refused: bool,
    /// Its entry of the JSON document.
    document: Value,
}

/// What an install will do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The skills that change, by name.
    pub skills: Vec<Planned>,
    /// Those that are as wanted: title, path as shown, JSON entry.
    pub unchanged: Vec<(String, String, Value)>,
}

impl Verified {
    /// The plan.
    pub fn plan(&self, desk: &Desk<'_>) -> Plan {
        let mut there = installed(desk.lock.skills.values());
        for skill in &self.skills {
            if let From::Release(release, _) = &skill.resolved.from {
                there.insert(release.name.clone(), release.version.semver().clone());
            }
        }
        let registry = |skill: &VerifiedSkill| match &skill.resolved.from {
            From::Release(release, _) => Some(self.sources.get(release.source).name.clone()),
            From::Local(_) => None,
        };
        let mut skills: Vec<Planned> = self
            .skills
            .iter()
            .map(|skill| {
                let mut planned = planned(desk, skill, registry(skill).as_deref(), &there);
                planned.refused |= refused_by_rules(desk, &self.sources, skill).is_some();
                planned
            })
            .collect();
        skills.sort_by(|one, other| one.title.cmp(&other.title));
        let mut unchanged: Vec<_> = self.unchanged.iter().map(|skill| as_it_is(desk, skill)).collect();
        unchanged.sort_by(|one, other| one.0.cmp(&other.0));
        Plan { skills, unchanged }
    }
}

fn planned(
    desk: &Desk<'_>,
    skill: &VerifiedSkill,
    registry: Option<&str>,
    there: &BTreeMap<skill_core::name::SkillName, semver::Version>,
) -> Planned {
    let decided = &skill.resolved;
    let local = decided.local.to_string();
    let requirements = match decided.from.signed() {
        Some(signed) => &signed.release.release.requirements,
        None => &skill.manifest.requires.skills,
    };
    let missing = Missing::of(&skill.manifest, requirements, desk.context.env(), there);
    let (title, owner, slug, version, from, kind) = match &decided.from {
        From::Release(release, _) => (
            release.name.to_string(),
            Some(release.name.owner.to_string()),
            Some(release.name.slug.to_string()),
            Some(release.version.to_string()),
            registry.unwrap_or_default().to_owned(),
            "registry",
        ),
        From::Local(source) => (local.clone(), None, None, None, source.from(), source.source.kind()),
    };
    let tree = skill.tree.digest();
    let before = decided.before.as_ref();
    let previous = before.and_then(|before| match &before.source {
        LockedSource::Registry { version, .. } => Some(version.to_string()),
        _ => None,
    });
    let action = match before {
        None => Action::Install,
        Some(before) if before.tree == tree => Action::Restore,
        Some(_) => Action::Change,
    };
    let paths: Vec<String> = decided.targets.iter().map(|target| format!("{target}/{local}")).collect();
    let path = desk.workdir.root().join(paths.first().map_or(local.as_str(), String::as_str));
    let archive = decided.from.signed().map(|signed| signed.release.archive.to_string());
    let excluded = match &decided.from {
        From::Local(source) => &source.excluded[..],
        From::Release(..) => &[],
    };
    let mut document = json!({
        "name": local,
        "owner": owner,
        "slug": slug,
        "version": version,
        "previous": previous.as_ref().filter(|_| action == Action::Change),
        "path": path,
        "paths": paths,
        "treeDigest": tree,
        "archiveSha256": archive,
        "source": kind,
        "registry": registry,
        "verdict": skill.judgement.verdict,
        "missing": missing,
        "excluded": excluded.iter().map(|(path, reason)| json!({"path": path, "reason": reason})).collect::<Vec<_>>(),
    });
    if let From::Local(source) = &decided.from {
        source.describe(&mut document);
    }
    let differences = before
        .filter(|_| action == Action::Change)
        .and_then(|before| published_tree(desk.workdir, before.tree).ok().flatten())
        .and_then(|before| differences(&before, &skill.tree));
    Planned {
        action,
        local,
        title,
        version,
        previous,
        asked: decided.asked.clone(),
        verdict: skill.judgement.verdict,
        size: size_of(&skill.tree).1,
        from,
        shown: desk.context.shown(&path),
        differences,
        missing,
        forgiven: skill.forgiven.clone(),
        refused: allow(desk, skill).is_err(),
        document,
    }
}

fn as_it_is(desk: &Desk<'_>, skill: &Unchanged) -> (String, String, Value) {
    let local = skill.local.to_string();
    let (title, version) = match &skill.skill.source {
        LockedSource::Registry { owner, slug, version, .. } => {
            (format!("{owner}/{slug} {version}"), Some(version.to_string()))
        }
        _ => (local.clone(), None),
    };
    let target = skill.skill.targets.iter().next().map_or("skills", String::as_str);
    let path = desk.workdir.root().join(target).join(&local);
    let document = json!({ "name": local, "version": version, "reason": "unchanged", "path": path });
    (title, desk.context.shown(&path), document)
}

/// `3 files changed, 1 added, 2 removed`; none if nothing differs.
fn differences(before: &Tree, after: &Tree) -> Option<String> {
    let changed = after
        .entries()
        .iter()
        .filter(|entry| {
            before
                .get(entry.path.as_str())
                .is_some_and(|old| (old.sha256, old.mode) != (entry.sha256, entry.mode))
        })
        .count();
    let only_in = |one: &Tree, other: &Tree| {
        one.entries().iter().filter(|entry| other.get(entry.path.as_str()).is_none()).count()
    };
    let (added, removed) = (only_in(after, before), only_in(before, after));
    let mut parts = Vec::new();
    if changed > 0 {
        parts.push(format!("{} changed", number::counted(changed, "file", "files")));
    }
    for (count, word) in [(added, "added"), (removed, "removed")] {
        if count > 0 && parts.is_empty() {
            parts.push(format!("{} {word}", number::counted(count, "file", "files")));
        } else if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Shows the plan and what is to be said before it is done.
    pub fn show(&self, desk: &Desk<'_>) {
        if !self.is_empty() {
            desk.context.screen.plan(&self.blocks("to install", "to change"));
        }
        self.tell(desk);
    }

    /// The warnings about needs that are not met, and about forgiven files.
    pub fn tell(&self, desk: &Desk<'_>) {
        for skill in &self.skills {
            for text in &skill.forgiven {
                desk.context
                    .screen
                    .tell(&Message::warning(Code::FrontmatterMissing, format!("{}: {text}", skill.title)));
            }
            if let Some(needs) = skill.missing.told() {
                let text = format!("{} needs {needs}", skill.title);
                desk.context.screen.tell(&Message::warning(Code::RequirementMissing, text));
            }
            for need in &skill.missing.skills {
                let text = format!("{} needs the skill {need}, which is not installed", skill.title);
                desk.context.screen.tell(&Message::warning(Code::DependencyMissing, text));
            }
        }
    }

    /// The plan as text: how many skills, then one line each.
    pub fn blocks(&self, to_install: &str, to_change: &str) -> Vec<Block> {
        let changes = self.skills.iter().filter(|skill| skill.action == Action::Change).count();
        let count = |count: usize| number::counted(count, "skill", "skills");
        let new = self.skills.len() - changes;
        let head = match (new, changes) {
            (0, changes) => format!("{} {to_change}", count(changes)),
            (new, 0) => format!("{} {to_install}", count(new)),
            (new, changes) => format!("{} {to_install} and {changes} {to_change}", count(new)),
        };
        self.with_head(&head)
    }

    /// The plan as text below a head of its own.
    pub fn with_head(&self, head: &str) -> Vec<Block> {
        let mut folders: Vec<String> = self
            .skills
            .iter()
            .filter_map(|skill| {
                skill.shown.trim_matches('`').rsplit_once('/').map(|(folder, _)| folder.to_owned())
            })
            .collect();
        folders.sort();
        folders.dedup();
        let place = match &folders[..] {
            [folder] => format!(" in {folder}/"),
            _ => String::new(),
        };
        let table = self.table();
        let several = table.rows.len() > 1;
        let mut blocks = vec![Block::Line(format!("{head}{place}").into())];
        if several {
            blocks.push(Block::Blank);
        }
        blocks.push(table.into());
        if several {
            blocks.push(Block::Blank);
        }
        blocks
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::new("").whole(),
            Column::new("skill").whole(),
            Column::new("asked").dropped(3),
            Column::new("version").whole(),
            Column::new("verdict"),
            Column::new("size").right().dropped(1),
            Column::new("from").dropped(2),
        ])
        .indent(2);
        for skill in &self.skills {
            let mark = match skill.action {
                _ if skill.refused => Cell::of(Role::Bad, "!"),
                Action::Install | Action::Restore => Cell::of(Role::Good, "+"),
                Action::Change => Cell::of(Role::Warning, "~"),
            };
            let version = match (&skill.previous, &skill.version) {
                (Some(previous), Some(version)) if skill.action == Action::Change => {
                    format!("{previous} -> {version}")
                }
                (_, version) => version.clone().unwrap_or_default(),
            };
            let row = table.push([
                mark,
                Cell::of(Role::Name, skill.title.clone()),
                Cell::from(skill.asked.clone()),
                Cell::from(version),
                Cell::from(skill.verdict.as_str()),
                Cell::from(number::size(skill.size)),
                Cell::from(skill.from.clone()),
            ]);
            row.under.extend(skill.differences.clone());
        }
        table
    }

    /// What `--json` prints.
    pub fn document(&self, dry_run: bool) -> Value {
        let mut document = json!({
            "installed": self.skills.iter().map(|skill| skill.document.clone()).collect::<Vec<_>>(),
            "skipped": self.unchanged.iter().map(|(.., document)| document.clone()).collect::<Vec<_>>(),
        });
        if dry_run {
            document["dryRun"] = true.into();
        }
        document
    }
}
