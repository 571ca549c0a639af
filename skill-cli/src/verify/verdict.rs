//! What the registry's scan and its restrictions say about an installed release.

use skill_core::lock::LockedSkill;
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_trust::VerifiedRelease;

use super::row::{Family, Row};
use crate::text::number;

/// The verdict of the release, and whether its findings were accepted.
pub(super) fn rows(skill: &LockedSkill, signed: &VerifiedRelease) -> Vec<Row> {
    let scan = &signed.scan;
    let said = format!("{} by rules {}", scan.verdict, scan.ruleset.name);
    let row = if scan.verdict == skill.verdict {
        judged(scan.verdict, skill.accepted, said)
    } else {
        let detail = format!("{said}, the lock says {}", skill.verdict);
        Row::fail("verdict-changed", Family::Verdict, detail)
    };
    vec![row]
}

/// The verdict of what was scanned here at its install.
pub(super) fn local_row(skill: &LockedSkill) -> Row {
    judged(skill.verdict, skill.accepted, format!("{}, scanned here", skill.verdict))
}

fn judged(verdict: Verdict, accepted: bool, said: String) -> Row {
    match verdict {
        Verdict::Clean => Row::ok(Family::Verdict, said),
        Verdict::Suspicious | Verdict::NotAnalysable if accepted => {
            Row::ok(Family::Verdict, format!("{said}, and accepted"))
        }
        Verdict::Suspicious => {
            Row::fail("verdict-suspicious", Family::Verdict, format!("{said}, not accepted"))
        }
        Verdict::NotAnalysable => {
            Row::fail("verdict-not-analysable", Family::Verdict, format!("{said}, not accepted"))
        }
        Verdict::Malicious => Row::fail("verdict-malicious", Family::Verdict, said),
    }
}

/// What is in force against the release, as far as its envelope says; none if nothing is.
pub(super) fn restriction_rows(signed: &VerifiedRelease) -> Option<Row> {
    let (state, restriction) = signed.restrictions.state()?;
    let (id, what) = match state {
        ReleaseState::Yanked => ("restriction-yanked", "yanked"),
        ReleaseState::Withdrawn => ("restriction-withdrawn", "withdrawn"),
        ReleaseState::Deleted => ("restriction-deleted", "deleted"),
        ReleaseState::Quarantined => ("restriction-quarantined", "quarantined"),
        ReleaseState::TakenDown => ("restriction-taken-down", "taken down"),
        ReleaseState::Pending | ReleaseState::Visible | ReleaseState::Suspicious => return None,
    };
    let reason = match restriction.reason.as_str() {
        "" => String::new(),
        reason => format!(": \"{reason}\""),
    };
    let by = match state {
        ReleaseState::Quarantined | ReleaseState::TakenDown => String::new(),
        _ => format!(" by {}", restriction.owner),
    };
    let detail = format!("{what} on {}{by}{reason}", number::date(restriction.at));
    Some(match state {
        ReleaseState::Quarantined | ReleaseState::TakenDown => Row::fail(id, Family::Restriction, detail),
        _ => Row::warn(Family::Restriction, id, detail),
    })
}
