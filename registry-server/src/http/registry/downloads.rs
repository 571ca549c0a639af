use axum::Json;
use axum::extract::State;
use serde::Serialize;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use utoipa::ToSchema;

use crate::app::App;
use crate::http::extract::{Query, SkillPath, skill_not_found};
use crate::problem::ApiError;
use crate::store::downloads::{self, OfDay};
use crate::store::{lines, skills};

/// Days that are given where none are said, and at most.
const DAYS: i64 = 90;
const MOST: i64 = 366;

/// How often a skill was downloaded.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DownloadsByDay {
    /// Whose skill it is.
    #[schema(value_type = String)]
    owner: Owner,
    /// Its slug.
    #[schema(value_type = String)]
    slug: Slug,
    /// Every day, oldest first; the last one is today and goes on.
    days: Vec<DownloadsOfDay>,
}

/// Downloads of one day, each client once for each release.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DownloadsOfDay {
    /// `2026-11-30`, in UTC.
    day: String,
    /// By people, with whichever program. All other counts of downloads are of these.
    people: u64,
    /// By programs that come by themselves.
    bots: u64,
    /// By mirrors of this registry.
    mirrors: u64,
}

impl From<OfDay> for DownloadsOfDay {
    fn from(of: OfDay) -> Self {
        let day = downloads::start(of.day).strftime("%Y-%m-%d").to_string();
        Self { day, people: of.people, bots: of.bots, mirrors: of.mirrors }
    }
}

/// Says how often a skill was downloaded, by day, and by whom as far as they say it.
#[utoipa::path(
    get,
    path = "/api/registry/v1/skills/{owner}/{slug}/downloads",
    tag = "registry",
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("days" = Option<u32>, Query, description = "1 to 366, 90 if it is not said"),
    ),
    responses(
        (status = 200, body = DownloadsByDay),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn downloads(
    State(app): State<App>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Json<DownloadsByDay>, ApiError> {
    let read = |text: &str| text.parse().ok().filter(|days| (1..=MOST).contains(days));
    let days = query.read_as("days", read)?.unwrap_or(DAYS);
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, &name).await?.filter(|skill| skill.deleted_at.is_none());
    let skill = skill.ok_or_else(skill_not_found)?;
    let releases = lines::of_skill(&mut conn, &skill.id).await?;
    if releases.iter().all(|release| release.state == ReleaseState::Pending) {
        return Err(skill_not_found());
    }
    let now = app.clock().now();
    let since = downloads::since(now, days);
    let counted = downloads::by_day(&mut conn, &skill.id, since).await?;
    drop(conn);
    let days = downloads::every_day(counted, since, now).into_iter().map(DownloadsOfDay::from).collect();
    Ok(Json(DownloadsByDay { owner: skill.owner, slug: skill.slug, days }))
}
