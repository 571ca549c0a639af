use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::predicate::Restriction;

use super::switch::Switch;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;

const YANK: Switch = Switch {
    act: Act::Yank,
    on: Restriction::Yank,
    off: Restriction::Unyank,
    takes: ReleaseState::is_selectable,
    noun: "a yank",
};

/// Advises against a release, so that nothing chooses it any more but a lock that names it, or takes that back.
/// What is so already stays so. Answers with the state that the release is in afterwards.
pub async fn set_yanked(
    app: &App,
    permit: &Permit,
    version: &Version,
    yanked: bool,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    YANK.turn(app, permit, version, yanked, reason).await
}
