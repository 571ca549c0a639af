//! What the trust envelope of a release holds: each signed statement, what it says, and by which key.

use serde::Serialize;
use skill_core::digest::Sha256;
use skill_trust::predicate::{Predicate, ReleasePredicate, ScanPredicate};
use skill_trust::verify::open_statement;
use skill_trust::{Kind, LoggedStatement, TrustedRoot};

use super::answer;
use crate::web::badge::Badge;
use crate::web::words::{Time, counted, grouped};

/// One statement.
#[derive(Debug, Serialize)]
pub(super) struct Signed {
    #[serde(skip)]
    pub kind: Kind,
    /// Whether its signature checks.
    #[serde(skip)]
    pub checks: bool,
    what: &'static str,
    badge: Badge,
    /// What it says, a fact each.
    facts: Vec<(&'static str, String)>,
    log_index: String,
    /// Digest of the signed bytes.
    digest: String,
    /// The keys that signed it, as the root names them.
    keys: Vec<String>,
}

impl Signed {
    /// Opens a statement as clients do: signature, role and range of the key are checked under `root` now.
    pub(super) fn of(logged: &LoggedStatement, root: &TrustedRoot) -> Self {
        let opened = open_statement(logged, root);
        let facts = opened.as_ref().map(|statement| facts(statement.predicate())).unwrap_or_default();
        Self {
            kind: logged.kind,
            checks: opened.is_ok(),
            what: what(logged.kind),
            badge: if opened.is_ok() {
                answer::holds("Signature checks")
            } else {
                answer::open("Signature does not check")
            },
            facts,
            log_index: grouped(logged.log_index),
            digest: logged.dsse.digest().to_string(),
            keys: logged.dsse.signatures().iter().map(|one| one.key_id.short()).collect(),
        }
    }
}

const fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Release => "Release",
        Kind::Scan => "Scan",
        Kind::Name => "Name",
        Kind::Restriction => "Restriction",
        Kind::Restoration => "Restoration",
        Kind::Publisher => "Publisher",
        Kind::PublisherReset => "Reset of a publisher’s keys",
    }
}

fn facts(predicate: &Predicate) -> Vec<(&'static str, String)> {
    match predicate {
        Predicate::Release(release) => of_release(release),
        Predicate::Scan(scan) => of_scan(scan),
        Predicate::Restriction(one) => vec![
            ("Says", one.action.as_str().to_owned()),
            ("Number", grouped(one.sequence)),
            ("Reason", if one.reason.is_empty() { "none given".to_owned() } else { one.reason.clone() }),
            ("Since", Time::of(one.at).full),
        ],
        _ => Vec::new(),
    }
}

fn of_release(release: &ReleasePredicate) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Release", format!("{}/{}@{}", release.owner, release.slug, release.version)),
        ("Publisher", release.publisher.to_string()),
        ("Published", Time::of(release.published_at).full),
        ("Archive", counted(release.archive_size, "byte")),
        (
            "Comes after",
            release.previous.as_ref().map_or_else(|| "nothing".to_owned(), |one| one.version.to_string()),
        ),
        ("Requires", counted(release.requirements.len() as u64, "skill")),
    ];
    facts.extend(release.source_commit.clone().map(|commit| ("Commit, as the publisher states", commit)));
    facts
}

fn of_scan(scan: &ScanPredicate) -> Vec<(&'static str, String)> {
    let short = |digest: Sha256| format!("sha256:{}…", &digest.to_hex()[..12]);
    vec![
        ("Verdict", scan.verdict.to_string()),
        ("Scanned", Time::of(scan.scanned_at).full),
        ("Scanner", format!("{} {}", scan.scanner.name, scan.scanner.version)),
        ("Rule set", format!("{} ({})", scan.ruleset.name, short(scan.ruleset.sha256))),
        ("Findings", short(scan.findings)),
        ("All of it could be read", if scan.analysable { "yes" } else { "no" }.to_owned()),
    ]
}
