//! Verdicts over time: every scan of every version that can be seen, as it was signed and logged.

use serde::Serialize;
use skill_core::state::ReleaseState::{Deleted, Pending, Withdrawn};
use skill_trust::predicate::Predicate;
use skill_trust::verify::open_statement;
use skill_trust::{Statement, TrustedRoot};

use super::answer;
use crate::signing::envelope::logged;
use crate::store::log::OfRelease;
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::skill::find::Shown;
use crate::web::words::{Time, grouped};

/// Scans that the page lists.
pub(super) const SHOWN: u32 = 50;

/// One scan.
#[derive(Debug, Serialize)]
pub(super) struct Scan {
    version: String,
    address: Address,
    /// Whether it is of the version that the page is about.
    current: bool,
    badge: Badge,
    at: Option<Time>,
    ruleset: String,
    log_index: String,
}

/// The scans, newest first. Those of versions that readers do not get to see are left out.
pub(super) fn history(scans: &[OfRelease], shown: &Shown, pages: &Pages, root: &TrustedRoot) -> Vec<Scan> {
    let told = |one: &OfRelease| {
        let line = shown.lines.iter().find(|line| line.id == one.release_id)?;
        let is_told = !matches!(line.state, Pending | Withdrawn | Deleted);
        is_told.then(|| (line.version.to_string(), line.state.is_downloadable(), line.id == shown.line.id))
    };
    let scan = |one: &OfRelease| {
        let (version, is_open, current) = told(one)?;
        let opened = logged(&one.statement).ok().and_then(|signed| open_statement(&signed, root).ok());
        let scan = match opened.as_ref().map(Statement::predicate) {
            Some(Predicate::Scan(scan)) => Some(scan),
            _ => None,
        };
        Some(Scan {
            address: pages.checked(&version, is_open),
            version,
            current,
            badge: scan.map_or(answer::open("Does not check"), |scan| Badge::scanned(scan.verdict)),
            at: scan.map(|scan| Time::of(scan.scanned_at)),
            ruleset: scan.map(|scan| scan.ruleset.name.clone()).unwrap_or_default(),
            log_index: grouped(one.statement.log_index),
        })
    };
    scans.iter().filter_map(scan).collect()
}
