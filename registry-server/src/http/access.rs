//! Who may see what: the table of docs/API.md, "States", for the routes of `/api/v1`.

use http::StatusCode;
use skill_core::state::ReleaseState;

use crate::problem::ApiError;

/// What is asked of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// To be shown, file by file.
    Detail,
    /// To be downloaded whole, or its statements.
    Download,
}

/// Lets a release in this state through the door, or says why not. Who [`sees`](crate::auth::Caller::sees) what of the
/// publisher is hidden from others is told more.
pub(crate) fn pass(state: ReleaseState, door: Door, sees: bool, reason: &str) -> Result<(), ApiError> {
    let refused = |status, code, title: String| Err(ApiError::Other { status, code, title });
    match (state, door) {
        (ReleaseState::Visible | ReleaseState::Suspicious | ReleaseState::Yanked, _) => Ok(()),
        (ReleaseState::Pending, Door::Detail) if !sees => Err(super::extract::version_not_found()),
        (ReleaseState::Pending, _) => {
            let title = "Scan pending: this version is not published yet, try again later";
            let why = if sees && !reason.is_empty() { format!(" ({reason})") } else { String::new() };
            refused(StatusCode::LOCKED, "release-pending", format!("{title}{why}"))
        }
        (ReleaseState::Quarantined, _) => {
            let title = format!("Blocked: this version is quarantined ({reason})");
            refused(StatusCode::FORBIDDEN, "release-quarantined", title)
        }
        (ReleaseState::Deleted, Door::Detail) if !sees => Err(super::extract::skill_not_found()),
        (ReleaseState::Deleted, _) => {
            let title = "Version not available: the skill was deleted, its owner can undelete it";
            refused(StatusCode::GONE, "release-gone", title.to_owned())
        }
        (ReleaseState::Withdrawn, _) => {
            refused(StatusCode::GONE, "release-gone", "Version not available".to_owned())
        }
        (ReleaseState::TakenDown, _) => {
            let title = format!("Version not available: taken down ({reason})");
            refused(StatusCode::GONE, "release-taken-down", title)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns `detail, files` and `download` of the table in docs/API.md, "States".
    #[test]
    fn every_state_at_every_door() {
        let status = |state, door, owner| match pass(state, door, owner, "why") {
            Ok(()) => 200,
            Err(error) => error.status().as_u16(),
        };
        let line = |state: ReleaseState| {
            let owner = status(state, Door::Detail, true);
            let others = status(state, Door::Detail, false);
            format!(
                "{state}: owner {owner}, others {others}, download {}",
                status(state, Door::Download, false)
            )
        };
        let table = ReleaseState::ALL.map(line).join("\n");
        insta::assert_snapshot!(table, @r"
        pending: owner 423, others 404, download 423
        visible: owner 200, others 200, download 200
        suspicious: owner 200, others 200, download 200
        yanked: owner 200, others 200, download 200
        withdrawn: owner 410, others 410, download 410
        quarantined: owner 403, others 403, download 403
        deleted: owner 410, others 404, download 410
        taken-down: owner 410, others 410, download 410
        ");
    }
}
