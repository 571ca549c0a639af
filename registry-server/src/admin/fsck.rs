use std::fmt::Write as _;

use serde_json::json;

use super::place::Place;
use super::{Env, Failure};
use crate::blob::BlobStore;
use crate::config::Flags;
use crate::data::Folder;
use crate::fsck::{self, Family, Report};

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 all of it holds, 1 something does not, or it could not be checked.")]
pub(super) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let config = args.place.settings(env, Flags::default())?;
    let folder = Folder::at(&config.data);
    let db = args.place.database(env).await?;
    let blobs = BlobStore::folder(&folder.blobs()).map_err(|error| Failure::of(&error))?;
    let checked = fsck::check(&db, &folder, &blobs).await;
    db.close().await;
    let report = checked?;
    let text = if args.json { document(&report) } else { shown(&report) };
    if report.findings.is_empty() { Ok(text) } else { Err(Failure::told(text)) }
}

/// What is wrong first, then what holds.
pub(super) fn shown(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let _ = writeln!(text, "FAIL  {:<10}  {}", finding.family, finding.detail);
    }
    for family in Family::ALL {
        if report.findings.iter().all(|finding| finding.family != family) {
            let count = report.seen.get(&family).copied().unwrap_or_default();
            let [one, several] = family.counted();
            let _ = writeln!(text, "ok    {family:<10}  {count} {}", if count == 1 { one } else { several });
        }
    }
    for note in &report.notes {
        let _ = writeln!(text, "note  {note}");
    }
    text
}

fn document(report: &Report) -> String {
    let findings: Vec<_> = report
        .findings
        .iter()
        .map(|finding| json!({ "family": finding.family.as_str(), "detail": finding.detail }))
        .collect();
    let seen: serde_json::Map<_, _> =
        report.seen.iter().map(|(family, count)| (family.as_str().to_owned(), json!(count))).collect();
    let document =
        json!({ "ok": findings.is_empty(), "findings": findings, "seen": seen, "notes": report.notes });
    format!("{document:#}\n")
}
