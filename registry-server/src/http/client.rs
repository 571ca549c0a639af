//! Which `skill` asks. It names itself in `User-Agent`, so that one which knows nothing of this rule is held to it too.

use http::header::USER_AGENT;
use http::{HeaderMap, StatusCode};
use skill_core::api::Problem;
use skill_core::version::Version;

use crate::problem::ApiError;

/// Refuses a `skill` that is older than what the operator still answers. Other programs are let through.
pub(super) fn is_new_enough(minimum: Option<&Version>, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(minimum) = minimum else { return Ok(()) };
    match version(headers) {
        Some(version) if version < *minimum => Err(too_old(minimum, &version)),
        _ => Ok(()),
    }
}

/// `0.1.0` of `skill/0.1.0`.
fn version(headers: &HeaderMap) -> Option<Version> {
    let agent = headers.get(USER_AGENT)?.to_str().ok()?;
    agent.strip_prefix("skill/")?.split(' ').next()?.parse().ok()
}

fn too_old(minimum: &Version, version: &Version) -> ApiError {
    let title = format!("skill {version} is older than {minimum}, the oldest that this registry answers");
    let problem = Problem::new(StatusCode::UPGRADE_REQUIRED.as_u16(), "client-too-old", title);
    ApiError::Problem(Box::new(problem.with("minimum", minimum.to_string())))
}
