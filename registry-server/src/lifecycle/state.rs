use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;

use crate::store::restrictions::{Action, Restriction};

/// What is known about a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts<'a> {
    /// What the last scan said.
    pub verdict: Verdict,
    /// Whether a required engine has not answered.
    pub awaiting: bool,
    /// The restrictions on it that are open.
    pub open: &'a [Action],
}

/// The one state that the facts add up to. Of several restrictions the one that closes most says it:
/// taken down, quarantined, deleted, withdrawn, yanked.
///
/// Quarantine is a restriction of its own, which is issued with a malicious verdict; a malicious release
/// whose quarantine was lifted by `restore` is shown as suspicious, never as visible.
pub fn state(facts: Facts<'_>) -> ReleaseState {
    let has = |action| facts.open.contains(&action);
    if facts.open.iter().any(|action| matches!(action, Action::Takedown(_))) {
        ReleaseState::TakenDown
    } else if has(Action::Quarantine) {
        ReleaseState::Quarantined
    } else if has(Action::Delete) {
        ReleaseState::Deleted
    } else if has(Action::Withdraw) {
        ReleaseState::Withdrawn
    } else if facts.awaiting {
        ReleaseState::Pending
    } else if has(Action::Yank) {
        ReleaseState::Yanked
    } else if facts.verdict == Verdict::Clean {
        ReleaseState::Visible
    } else {
        ReleaseState::Suspicious
    }
}

/// The restriction that gives the release its state: of the open ones that close as much, the newest. What closes less
/// says nothing of it, whoever said it last.
pub fn why<'a>(
    restrictions: &'a [Restriction],
    release_id: &str,
    state: ReleaseState,
) -> Option<&'a Restriction> {
    let gives = |action| match state {
        ReleaseState::TakenDown => matches!(action, Action::Takedown(_)),
        ReleaseState::Quarantined => action == Action::Quarantine,
        ReleaseState::Deleted => action == Action::Delete,
        ReleaseState::Withdrawn => action == Action::Withdraw,
        ReleaseState::Yanked => action == Action::Yank,
        ReleaseState::Pending | ReleaseState::Visible | ReleaseState::Suspicious => false,
    };
    restrictions.iter().rfind(|one| one.release_id == release_id && one.open().is_some_and(gives))
}

#[cfg(test)]
mod tests {
    use skill_trust::predicate::TakedownScope;

    use super::*;

    fn of(verdict: Verdict, awaiting: bool, open: &[Action]) -> ReleaseState {
        state(Facts { verdict, awaiting, open })
    }

    #[test]
    fn without_restrictions_the_verdict_decides() {
        assert_eq!(of(Verdict::Clean, false, &[]), ReleaseState::Visible);
        assert_eq!(of(Verdict::Suspicious, false, &[]), ReleaseState::Suspicious);
        assert_eq!(of(Verdict::NotAnalysable, false, &[]), ReleaseState::Suspicious);
        assert_eq!(of(Verdict::Clean, true, &[]), ReleaseState::Pending);
    }

    #[test]
    fn no_lifted_quarantine_makes_a_malicious_release_visible() {
        assert_eq!(of(Verdict::Malicious, false, &[]), ReleaseState::Suspicious);
    }

    #[test]
    fn what_closes_most_wins() {
        let takedown = Action::Takedown(TakedownScope::Release);
        let all = [Action::Yank, Action::Withdraw, Action::Delete, Action::Quarantine, takedown];
        let states = [
            ReleaseState::Yanked,
            ReleaseState::Withdrawn,
            ReleaseState::Deleted,
            ReleaseState::Quarantined,
            ReleaseState::TakenDown,
        ];
        for (count, expected) in (1..).zip(states) {
            assert_eq!(of(Verdict::Clean, false, &all[..count]), expected);
        }
    }

    #[test]
    fn a_pending_release_is_not_opened_by_a_yank() {
        assert_eq!(of(Verdict::Clean, true, &[Action::Yank]), ReleaseState::Pending);
    }
}
