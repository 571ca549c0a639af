use skill_scan::{RuleSet, ScanReport, scan};

use super::PublishError;
use super::authorized::Authorized;

/// A bundle that our own rules have read. What they say closes nothing here: a malicious release is stored
/// and quarantined, so that its number is used and its bytes are known.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) authorized: Authorized,
    pub(super) report: ScanReport,
}

impl Scanned {
    /// Reads every file of the bundle with the rules.
    pub(super) async fn judge(authorized: Authorized) -> Result<Self, PublishError> {
        super::blocking(move || {
            let report = scan(&authorized.inspected.bundle, RuleSet::builtin());
            Ok(Self { authorized, report })
        })
        .await
    }
}
