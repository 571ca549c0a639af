use skill_scan::{RuleSet, ScanReport, scan};

use super::authorized::Authorized;
use super::{PublishError, Turn};
use crate::reading;
use crate::store::readings::Reading;

/// A bundle that our own rules have read. What they say closes nothing here: a malicious release is stored
/// and quarantined, so that its number is used and its bytes are known.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) authorized: Authorized,
    pub(super) report: ScanReport,
    /// What pages say of its files.
    pub(super) reading: Reading,
}

impl Scanned {
    /// Reads every file of the bundle with the rules. The turn stays taken until that is done, even if whoever sent the
    /// bundle has gone: nobody gets more of the machine by hanging up.
    pub(super) async fn judge(authorized: Authorized, turn: Turn) -> Result<(Self, Turn), PublishError> {
        super::blocking(move || {
            let inspected = &authorized.inspected;
            let report = scan(&inspected.bundle, RuleSet::builtin());
            let slug = inspected.meta.slug.as_str();
            let reading = reading::read(&inspected.bundle, &inspected.manifest, &report, slug);
            Ok((Self { authorized, report, reading }, turn))
        })
        .await
    }
}
