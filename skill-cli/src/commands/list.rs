use std::path::PathBuf;

use serde_json::{Value, json};
use skill_core::lock::{Lock, LockedSkill, LockedSource};
use skill_core::name::Slug;

use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Report, Role, Table};
use crate::text::quote;
use crate::workdir::{self, Workdir};

/// Show what is installed
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Lists what the lock holds. The folders themselves are for `verify`.
///
/// # Errors
/// What finding the work directory and reading the lock give.
pub fn run(context: &Context, _args: &Args) -> Result<Report, Failure> {
    let workdir = workdir::locate(context)?;
    // What stands in the way of that is told by commands that change or verify; the lock can be read.
    let _ = workdir::settle(&workdir, &context.dirs.state);
    let lock = workdir::read_lock(context, &workdir)?.unwrap_or_default();
    let mut rows: Vec<Listed> =
        lock.skills.iter().map(|(name, skill)| listed(context, &workdir, &lock, name, skill)).collect();
    rows.sort_by(|one, other| one.title.cmp(&other.title));
    let document = json!({ "skills": rows.iter().map(|row| row.document.clone()).collect::<Vec<_>>() });
    if rows.is_empty() {
        let text = format!("no skills are installed in {}", quote::path(&context.shown(workdir.root())));
        return Ok(Report::new(document, Vec::new()).closing(text));
    }
    let mut table = Table::new([
        Column::new("skill").whole(),
        Column::new("version").whole(),
        Column::new("from").dropped(1),
        Column::new("where").whole(),
    ]);
    for row in rows {
        table.push([
            Cell::of(Role::Name, row.title),
            Cell::from(row.version.unwrap_or_default()),
            Cell::from(row.from),
            Cell::from(row.places),
        ]);
    }
    Ok(Report::new(document, vec![Block::Table(table)]))
}

struct Listed {
    title: String,
    version: Option<String>,
    from: String,
    places: String,
    document: Value,
}

fn listed(context: &Context, workdir: &Workdir, lock: &Lock, name: &Slug, skill: &LockedSkill) -> Listed {
    let (title, owner, slug, version, from) = match &skill.source {
        LockedSource::Registry { registry, owner, slug, version, .. } => {
            let from = lock.registry_name(*registry).map_or_else(|| registry.default_name(), str::to_owned);
            let renamed = if slug == name { String::new() } else { format!(" as {name}") };
            (
                format!("{owner}/{slug}{renamed}"),
                Some(owner.to_string()),
                Some(slug.to_string()),
                Some(version.to_string()),
                from,
            )
        }
        other => (name.to_string(), None, None, None, other.kind().to_owned()),
    };
    let paths: Vec<PathBuf> =
        skill.targets.iter().map(|target| workdir.root().join(target).join(name.as_str())).collect();
    let shown: Vec<String> = paths.iter().map(|path| context.shown(path)).collect();
    let document = json!({
        "name": name,
        "owner": owner,
        "slug": slug,
        "version": version,
        "path": paths.first(),
        "paths": paths,
        "source": skill.source.kind(),
        "registry": matches!(skill.source, LockedSource::Registry { .. }).then_some(&from),
        "requirement": skill.requirement,
        "treeDigest": skill.tree,
        "verdict": skill.verdict,
        "pinned": false,
        "scope": if workdir.is_global() { "global" } else { "project" },
    });
    Listed { title, version, from, places: shown.join(", "), document }
}
