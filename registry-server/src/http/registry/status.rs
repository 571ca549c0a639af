use axum::extract::State;
use axum::{Extension, Json};
use skill_core::api::{Closed, ReleaseStatus, SkillStatus};

use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{SkillPath, skill_not_found};
use crate::lifecycle::why;
use crate::problem::ApiError;
use crate::publish::waiting;
use crate::store::holds::{self, NewHold};
use crate::store::{lines, restrictions, skills};

/// Says how each release of a skill stands, and why: to its publisher and to moderators.
#[utoipa::path(
    get,
    path = "/api/registry/v1/skills/{owner}/{slug}/status",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, description = "Every release with its state, why it is closed and what it waits for"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn status(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
) -> Result<Json<SkillStatus>, ApiError> {
    if !caller.sees(&name) {
        return Err(skill_not_found());
    }
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, &name).await?.ok_or_else(skill_not_found)?;
    let open = restrictions::open_of(&mut conn, &skill.id).await?;
    let holds = holds::of_skill(&mut conn, &skill.id).await?;
    let lines = lines::of_skill(&mut conn, &skill.id).await?;
    drop(conn);
    let releases = lines.into_iter().map(|line| ReleaseStatus {
        closed: why(&open, &line.id, line.state).map(|why| Closed {
            reason: why.reason.clone(),
            note: why.note.clone(),
            by: why.actor.clone(),
            at: why.at,
        }),
        waiting: holds
            .iter()
            .filter(|hold| hold.release_id == line.id && hold.decided.is_none())
            .map(|hold| waiting(NewHold { kind: hold.kind, why: hold.why.clone() }))
            .collect(),
        version: line.version,
        state: line.state,
        verdict: line.verdict,
        published_at: line.published_at,
    });
    let releases = releases.collect();
    Ok(Json(SkillStatus {
        owner: name.owner,
        slug: name.slug,
        reserved_until: skill.name_kept_until,
        releases,
    }))
}
