use serde_json::json;
use skill_core::api::IndexLine;
use skill_core::manifest::{Manifest, Requires};
use skill_core::name::Tag;
use skill_core::state::ReleaseState;

use super::Info;
use crate::connection::Connection;
use crate::context::Context;
use crate::report::{Block, Cell, Column, Line, Report, Role, Table};
use crate::text::{number, quote};

/// How many open releases are named.
const VERSIONS: usize = 8;

pub(super) fn report(context: &Context, connection: &Connection, info: &Info) -> Report {
    let mut head = Line::new().role(Role::Name, format!("{} {}", info.name, info.line.version));
    if let Some(place) = &info.installed {
        head = head.plain(format!(" (installed in {})", quote::path(place)));
    }
    let mut rows: Vec<Block> = vec![head.into()];
    if let Some(manifest) = info.manifest.as_ref().filter(|manifest| !manifest.description.is_empty()) {
        rows.push(Line::from(manifest.description.as_str()).into());
    }
    rows.push(Block::Blank);
    rows.push(table(context, connection, info).into());
    Report::new(document(connection, info), rows)
}

fn table(context: &Context, connection: &Connection, info: &Info) -> Table {
    let mut table = Table::new([Column::new("").gap(2), Column::new("").wrapped()]);
    let mut row = |key: &'static str, value: String| {
        if !value.is_empty() {
            table.push([Cell::from(format!("{key:<10}")), Cell::from(value)]);
        }
    };
    let line = &info.line;
    row("versions", versions(&info.releases));
    let root = &connection.met.root;
    row(
        "registry",
        format!("{}, root version {}, custody {}", connection.name(), root.version(), root.custody()),
    );
    row("publisher", format!("{}, releases not signed by its own key", info.name.owner));
    row("published", format!("{}, log number {}", number::date(line.published_at), line.log_index));
    row("state", state(line));
    row(
        "deprecated",
        line.deprecated.as_deref().map(|text| quote::said(line.owner.as_str(), text)).unwrap_or_default(),
    );
    row("verdict", verdict(info));
    if let Some(manifest) = &info.manifest {
        row("needs", needs(&manifest.requires));
        row("systems", manifest.os.join(", "));
    }
    row("skills", skills(info));
    if let Some(manifest) = &info.manifest {
        row("licence", manifest.license.clone().unwrap_or_default());
    }
    let files = number::counted(line.files as usize, "file", "files");
    row("size", format!("{files}, {}", number::size(line.size)));
    row("tree", number::digest(&line.tree_digest.to_string(), context.screen.is_verbose()));
    row("homepage", homepage(info.manifest.as_ref()));
    table
}

fn versions(releases: &[IndexLine]) -> String {
    let open = releases.iter().rev().filter(|line| line.state.is_selectable());
    let open = open.map(|line| {
        let latest = if line.tags.iter().any(Tag::is_latest) { " (latest)" } else { "" };
        format!("{}{latest}", line.version)
    });
    let open: Vec<String> = open.collect();
    let more = open.len().saturating_sub(VERSIONS);
    let mut text = open.iter().take(VERSIONS).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.extend([" and ", &more.to_string(), " more"]);
    }
    for state in ReleaseState::ALL.into_iter().filter(|state| !state.is_selectable()) {
        let closed: Vec<String> = releases
            .iter()
            .rev()
            .filter(|line| line.state == state)
            .map(|line| line.version.to_string())
            .collect();
        if !closed.is_empty() {
            text.extend(["; ", state.as_str(), ": ", &quote::list(&closed, VERSIONS)]);
        }
    }
    text.trim_start_matches("; ").to_owned()
}

/// Only what is out of the ordinary.
fn state(line: &IndexLine) -> String {
    if line.state == ReleaseState::Visible {
        return String::new();
    }
    let since = line.restricted_at.map(|at| format!(" since {}", number::date(at))).unwrap_or_default();
    let reason = line.reason.as_deref().filter(|reason| !reason.is_empty());
    let reason =
        reason.map(|reason| format!(", {}", quote::said(line.owner.as_str(), reason))).unwrap_or_default();
    format!("{}{since}{reason}", line.state)
}

fn verdict(info: &Info) -> String {
    match &info.signed {
        Some(signed) => format!("{} by rules {}", signed.verdict(), signed.scan.ruleset.name),
        None => format!("{}, as the registry says", info.line.verdict),
    }
}

/// `programs gh, jq; environment GH_TOKEN`.
fn needs(requires: &Requires) -> String {
    let any = if requires.any_bins.is_empty() {
        String::new()
    } else {
        format!("one of {}", requires.any_bins.join(", "))
    };
    let part = |word: &str, names: &[String]| {
        if names.is_empty() { String::new() } else { format!("{word} {}", names.join(", ")) }
    };
    let parts = [
        part("programs", &requires.bins),
        any,
        part("environment", &requires.env),
        part("settings", &requires.config),
        part("tools", &requires.tools),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// From the signed release, never from the index.
fn skills(info: &Info) -> String {
    let Some(signed) = &info.signed else { return String::new() };
    let needed =
        signed.release.requirements.iter().map(|(name, requirement)| format!("{name} {requirement}"));
    needed.collect::<Vec<_>>().join(", ")
}

fn homepage(manifest: Option<&Manifest>) -> String {
    let links = manifest.map(|manifest| &manifest.links);
    links.and_then(|links| links.homepage.clone().or_else(|| links.repository.clone())).unwrap_or_default()
}

fn document(connection: &Connection, info: &Info) -> serde_json::Value {
    let releases: Vec<_> = info
        .releases
        .iter()
        .rev()
        .map(|line| {
            json!({
                "version": line.version,
                "state": line.state,
                "verdict": line.verdict,
                "tags": line.tags,
                "publishedAt": line.published_at,
                "reason": line.reason,
            })
        })
        .collect();
    json!({
        "owner": info.name.owner,
        "slug": info.name.slug,
        "version": info.line.version,
        "state": info.line.state,
        "verdict": info.line.verdict,
        "deprecated": info.line.deprecated,
        "treeDigest": info.line.tree_digest,
        "archiveSha256": info.line.archive_sha256,
        "archiveSize": info.line.archive_size,
        "size": info.line.size,
        "files": info.line.files,
        "publishedAt": info.line.published_at,
        "logIndex": info.line.log_index,
        "signed": info.signed.is_some(),
        "requirements": info.signed.as_ref().map(|signed| &signed.release.requirements),
        "manifest": info.manifest,
        "installed": info.installed,
        "versions": releases,
        "registry": {
            "name": connection.name(),
            "url": connection.choice.endpoint.to_string(),
            "id": connection.met.id,
        },
    })
}
