use axum::extract::State;
use axum::{Extension, Json};
use jiff::Timestamp;
use serde::Serialize;
use skill_core::name::{Owner, Slug};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::Query;
use crate::moderation;
use crate::problem::ApiError;
use crate::store::queue::{After, Kind, Waiting};

const LIMIT: usize = 50;
const MOST: usize = 200;

/// What waits for a moderator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueView {
    /// What matters most first, of equals the oldest.
    cases: Vec<QueueItem>,
    /// What to ask for next; null at the end.
    next_cursor: Option<String>,
}

/// A skill about which something waits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueItem {
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    /// 3: four reports or more; 2: a report of harm; 1: somebody waits to publish or to be heard; 0: the rest.
    weight: u64,
    /// Since when the oldest of it waits.
    #[schema(value_type = String)]
    since: Timestamp,
    holds: u64,
    reports: u64,
    appeals: u64,
}

/// Lists what waits for a moderator, one case a skill.
#[utoipa::path(
    get,
    path = "/api/registry/v1/moderation/queue",
    tag = "registry",
    security(("token" = [])),
    params(
        ("kind" = Option<String>, Query, description = "Only cases with a `hold`, `report` or `appeal`"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, body = QueueView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn queue(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<QueueView>, ApiError> {
    let kind = query.read_as("kind", |word| Kind::ALL.into_iter().find(|kind| kind.as_str() == word))?;
    let after = query.read_as("cursor", read)?;
    let limit = query.limit(LIMIT, MOST) as u32;
    let page = moderation::queue(&app, &permit, kind, after.as_ref(), limit).await?;
    let next_cursor =
        page.next.map(|next| format!("{}.{}.{}", next.weight, next.since.as_millisecond(), next.skill_id));
    Ok(Json(QueueView { cases: page.cases.into_iter().map(item).collect(), next_cursor }))
}

fn item(waiting: Waiting) -> QueueItem {
    let Waiting { name, weight, since, holds, reports, appeals, .. } = waiting;
    QueueItem { owner: name.owner, slug: name.slug, weight, since, holds, reports, appeals }
}

fn read(cursor: &str) -> Option<After> {
    let mut parts = cursor.splitn(3, '.');
    let weight = parts.next()?.parse().ok()?;
    let since = Timestamp::from_millisecond(parts.next()?.parse().ok()?).ok()?;
    Some(After { weight, since, skill_id: parts.next()?.to_owned() })
}
