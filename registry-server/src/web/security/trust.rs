//! Who vouches for what: one row for each family of checks of `skill verify`, under the same name, with what it
//! means and what it does not. What there is no answer to is a row that says so.

use serde::Serialize;
use skill_core::verdict::Verdict;
use skill_trust::Custody;

use crate::app::App;
use crate::web::badge::Badge;
use crate::web::skill::find::Shown;
use crate::web::words::{Time, grouped};

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
    /// What it costs a reader, in the summary; empty if it holds.
    #[serde(skip)]
    limit: &'static str,
}

/// The rows, and a sentence that counts them and names the limits.
pub(super) fn checks(app: &App, shown: &Shown) -> (Vec<Check>, String) {
    let rows = vec![
        disk(),
        root(app),
        signature(shown),
        log(shown),
        timestamp(),
        restriction(shown),
        verdict(shown),
        publisher(shown),
        witness(),
    ];
    let summary = summary(&rows);
    (rows, summary)
}

fn summary(rows: &[Check]) -> String {
    let limits: Vec<&str> = rows.iter().map(|row| row.limit).filter(|limit| !limit.is_empty()).collect();
    let holding = rows.len() - limits.len();
    match limits.as_slice() {
        [] => format!("All {holding} hold."),
        [one] => format!("{holding} of {} hold. One limit: {one}.", rows.len()),
        [most @ .., last] => {
            format!(
                "{holding} of {} hold. {} limits: {}, and {last}.",
                rows.len(),
                limits.len(),
                most.join(", ")
            )
        }
    }
}

fn disk() -> Check {
    Check {
        id: "disk",
        title: "Same bytes",
        badge: Badge::holds("Fixed"),
        detail: "by the tree digest".to_owned(),
        means: "What you install is compared file by file with this digest. It says nothing about what the files do."
            .to_owned(),
        limit: "",
    }
}

fn root(app: &App) -> Check {
    let (badge, detail, means, limit) = match app.root().custody() {
        Custody::CoLocated => (
            Badge::limited("On the server"),
            "",
            "Whoever takes over the server can sign as the registry, restorations included. The operator can move this key away.",
            "the root key lies on the server",
        ),
        Custody::Offline => (
            Badge::holds("Elsewhere"),
            "as the registry states",
            "Whoever takes over the server cannot change which keys count.",
            "",
        ),
    };
    Check { id: "root", title: "Root key", badge, detail: detail.to_owned(), means: means.to_owned(), limit }
}

fn signature(shown: &Shown) -> Check {
    Check {
        id: "signature",
        title: "Release and scan statements",
        badge: Badge::holds("Signed"),
        detail: "by the registry".to_owned(),
        means: format!(
            "The registry states that {} published these bytes under this number, and what the scan said. It does not say that they are safe.",
            shown.skill.owner
        ),
        limit: "",
    }
}

fn log(shown: &Shown) -> Check {
    Check {
        id: "log",
        title: "Log",
        badge: Badge::open("Not yet proved"),
        detail: format!("number {}", grouped(shown.release.log_index)),
        means: "The statement has its number in the registry's log; a proof of that is not offered yet. Being logged is not an endorsement."
            .to_owned(),
        limit: "the log is not proved",
    }
}

fn timestamp() -> Check {
    Check {
        id: "timestamp",
        title: "Freshness",
        badge: Badge::open("Not offered yet"),
        detail: String::new(),
        means: "Nothing says until when this answer is good. A mirror could hide a later yank or quarantine."
            .to_owned(),
        limit: "nothing says how fresh this is",
    }
}

fn restriction(shown: &Shown) -> Check {
    match shown.restriction_on(&shown.release.id) {
        None => Check {
            id: "restriction",
            title: "Restrictions",
            badge: Badge::holds("None"),
            detail: String::new(),
            means: "This version is not yanked, withdrawn, quarantined or taken down.".to_owned(),
            limit: "",
        },
        Some(open) => Check {
            id: "restriction",
            title: "Restrictions",
            badge: Badge::limited("Restricted"),
            detail: format!(
                "number {}, {} since {}",
                open.sequence,
                open.action.as_str(),
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
        limit: if verdict == Verdict::Clean { "" } else { "the findings need your judgement" },
    }
}

fn publisher(shown: &Shown) -> Check {
    Check {
        id: "publisher",
        title: "Publisher’s own key",
        badge: Badge::open("Not signed"),
        detail: String::new(),
        means: format!(
            "Only the registry says that {} made this. No key of the publisher stands behind it.",
            shown.skill.owner
        ),
        limit: "the publisher did not sign",
    }
}

fn witness() -> Check {
    Check {
        id: "witness",
        title: "Witnesses",
        badge: Badge::open("None"),
        detail: String::new(),
        means: "Nobody outside confirms that all readers see the same log.".to_owned(),
        limit: "there is no witness",
    }
}
