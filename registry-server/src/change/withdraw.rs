use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::predicate::Restriction;

use super::switch::Switch;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;

const WITHDRAWAL: Switch = Switch {
    act: Act::Withdraw,
    on: Restriction::Withdraw,
    off: Restriction::Undelete,
    takes: can_be_withdrawn,
    noun: "a withdrawal",
};

/// What the registry closed is not its owner's to take back, nor to be brought back as if it were.
const fn can_be_withdrawn(state: ReleaseState) -> bool {
    !matches!(state, ReleaseState::Quarantined | ReleaseState::TakenDown | ReleaseState::Deleted)
}

/// Takes a release back, so that nobody gets it any more, or restores it. Restored, it stands as it did before:
/// one that was yanked is yanked. What is so already stays so. Answers with the state that the release is in
/// afterwards.
pub async fn set_withdrawn(
    app: &App,
    permit: &Permit,
    version: &Version,
    withdrawn: bool,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    WITHDRAWAL.turn(app, permit, version, withdrawn, reason).await
}
