//! What the registry's scan and its restrictions say about an installed release.

use skill_core::lock::LockedSkill;
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_trust::VerifiedRelease;

use super::row::{Family, Row};
use crate::text::number;

/// The verdict of the release, and whether its findings were accepted.
pub(super) fn rows(skill: &LockedSkill, signed: &VerifiedRelease) -> Vec<Row> {
    let verdict = signed.verdict();
    let said = format!("{verdict} by rules {}{}", signed.scan.ruleset.name, overruled(signed));
    let row = if verdict == skill.verdict {
        judged(verdict, skill.accepted, said)
    } else {
        let detail = format!("{said}, the lock says {}", skill.verdict);
        Row::fail("verdict-changed", Family::Verdict, detail)
    };
    vec![row]
}

/// Until when the rules' word was the last one, if the registry restored what they had closed.
fn overruled(signed: &VerifiedRelease) -> String {
    let verdict = signed.scan.verdict;
    match signed.overruled() {
        Some(by) => format!(" ({verdict} until {}{})", number::date(by.at), quoted(&by.reason)),
        None => String::new(),
    }
}

/// `: "because"`, or nothing.
fn quoted(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": \"{reason}\"") }
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
    let reason = quoted(&restriction.reason);
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
