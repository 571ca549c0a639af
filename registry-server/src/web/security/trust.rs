//! Who vouches for what: one row for each family of checks of `skill verify`, under the same name, with what it
//! means and what it does not. A row is made of what is stored about this release; what there is nothing about is
//! in one sentence below.

use serde::Serialize;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Severity, Verdict};
use skill_trust::{Custody, Kind};

use super::answer;
use super::statements::Signed;
use crate::app::App;
use crate::web::badge::Badge;
use crate::web::skill::find::Shown;
use crate::web::words::{Time, grouped};

/// What no release of this registry has yet.
pub(super) const NOT_OFFERED: &str = "Not offered yet, for any skill: a proof that the log holds the statement, a time until which this answer is good, a publisher’s own key, and witnesses of the log.";

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    /// The family, as `skill verify` names it.
    id: &'static str,
    title: &'static str,
    badge: Badge,
    /// What stands behind the badge's word.
    detail: String,
    /// What it claims, and what it does not.
    means: String,
    /// What it costs a reader, in the summary; empty if nothing.
    #[serde(skip)]
    limit: &'static str,
}

/// The rows, and a sentence that names the limits.
pub(super) fn checks(app: &App, shown: &Shown, signed: &[Signed]) -> (Vec<Check>, String) {
    let rows =
        vec![disk(), root(app), signature(shown, signed), log(shown), restriction(shown), verdict(shown)];
    let summary = summary(&rows);
    (rows, summary)
}

fn summary(rows: &[Check]) -> String {
    let limits: Vec<&str> = rows.iter().map(|row| row.limit).filter(|limit| !limit.is_empty()).collect();
    match limits.as_slice() {
        [] => "None of these rows has a limit of its own.".to_owned(),
        [one] => format!("One limit: {one}."),
        [most @ .., last] => format!("{} limits: {}, and {last}.", limits.len(), most.join(", ")),
    }
}

fn disk() -> Check {
    Check {
        id: "disk",
        title: "Same bytes",
        badge: answer::noted("Stated"),
        detail: "by the tree digest".to_owned(),
        means: "What you install is compared file by file with this digest. It says nothing about what the files do."
            .to_owned(),
        limit: "",
    }
}

fn root(app: &App) -> Check {
    let (badge, detail, means, limit) = match app.root().custody() {
        Custody::CoLocated => (
            answer::limited("On the server"),
            "",
            "Whoever takes over the server can sign as the registry, restorations included. The operator can move this key away.",
            "the root key lies on the server",
        ),
        Custody::Offline => (
            answer::noted("Elsewhere"),
            "as the registry states",
            "Whoever takes over the server cannot change which keys count.",
            "",
        ),
    };
    Check { id: "root", title: "Root key", badge, detail: detail.to_owned(), means: means.to_owned(), limit }
}

/// A release is vouched for by two statements at least; one that is not there is as bad as one that does not check.
fn signature(shown: &Shown, signed: &[Signed]) -> Check {
    let missing = [Kind::Release, Kind::Scan].iter().any(|kind| !signed.iter().any(|one| one.kind == *kind));
    let (badge, limit) = if signed.iter().any(|one| !one.checks) {
        (answer::limited("Does not check"), "a signature does not check")
    } else if missing {
        (answer::limited("Not signed"), "a statement is missing")
    } else {
        (answer::holds("Signatures check"), "")
    };
    Check {
        id: "signature",
        title: "Release and scan statements",
        badge,
        detail: if limit.is_empty() { "opened now" } else { "skill install refuses it" }.to_owned(),
        means: format!(
            "The registry states that {} published these bytes under this number, and what the scan said. It does not say that they are safe.",
            shown.skill.owner
        ),
        limit,
    }
}

fn log(shown: &Shown) -> Check {
    Check {
        id: "log",
        title: "Log",
        badge: answer::noted("Stated"),
        detail: format!("number {}, not yet proved", grouped(shown.release.log_index)),
        means: "The statement has its number in the registry's log. Being logged is not an endorsement."
            .to_owned(),
        limit: "",
    }
}

fn restriction(shown: &Shown) -> Check {
    match shown.why(&shown.line) {
        None => Check {
            id: "restriction",
            title: "Restrictions",
            badge: answer::noted("None"),
            detail: String::new(),
            means: "This version is not yanked, withdrawn, quarantined or taken down.".to_owned(),
            limit: "",
        },
        Some(open) => Check {
            id: "restriction",
            title: "Restrictions",
            badge: answer::limited("Restricted"),
            detail: format!(
                "number {}, {} since {}",
                open.sequence,
                open.entry.as_str(),
                Time::of(open.at).day
            ),
            means: if open.reason.is_empty() {
                "No reason was given.".to_owned()
            } else {
                format!("“{}”", open.reason)
            },
            limit: "a restriction is in force",
        },
    }
}

fn verdict(shown: &Shown) -> Check {
    let verdict = shown.release.verdict;
    Check {
        id: "verdict",
        title: "Verdict",
        badge: Badge::scanned(verdict),
        detail: format!("on {}", Time::of(shown.release.scanned_at).day),
        means: match verdict {
            Verdict::Clean => {
                "No known bad pattern was found. A scan knows known patterns; a new trick can pass it."
            }
            Verdict::NotAnalysable => {
                "Not all of it could be read, and nothing is known of the rest. Treated as suspicious."
            }
            Verdict::Suspicious | Verdict::Malicious => {
                "A person must judge the findings. skill install refuses it until you accept them."
            }
        }
        .to_owned(),
        limit: limit(shown),
    }
}

fn limit(shown: &Shown) -> &'static str {
    let release = &shown.release;
    let weighs = release.findings.iter().any(|finding| finding.severity == Severity::Critical);
    match (release.verdict, release.state) {
        (Verdict::NotAnalysable, _) => "not all of it could be read",
        (Verdict::Malicious, _) => "the scan calls it malicious",
        (Verdict::Suspicious, _) if weighs => "the findings need your judgement",
        (Verdict::Suspicious, _) | (Verdict::Clean, ReleaseState::Suspicious) => {
            "it is treated as suspicious"
        }
        (Verdict::Clean, _) => "",
    }
}
