use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use skill_core::version::Version;

use super::answer::{json, version_item};
use super::find::{self, Choice, Miss};
use super::wire::VersionPage;
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::extract::{Query, SlugPath, skill_not_found};
use crate::store::lines;

const LIMIT: usize = 25;
const MOST: usize = 200;

/// Lists the versions of a skill that can be seen, highest first. Yanked ones are among them and say so.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}/versions",
    tag = "clawhub",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 25 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, body = VersionPage), (status = 404, description = "`Skill not found`")),
)]
pub(crate) async fn versions(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
    query: Query,
) -> Result<Response, Miss> {
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    // A skill of which nothing can be shown answers as its detail page does.
    find::release(&mut conn, &skill, &Choice::Latest, Door::Detail, &caller)
        .await
        .map_err(|error| if error.code() == "version-not-found" { skill_not_found() } else { error })?;
    let mut shown = lines::of_skill(&mut conn, &skill.id).await?;
    shown.retain(|release| release.state.is_downloadable());
    if let Some(below) = query.text("cursor").and_then(|cursor| cursor.parse::<Version>().ok()) {
        shown.retain(|release| release.version < below);
    }
    let limit = query.limit(LIMIT, MOST);
    let more = shown.len() > limit;
    shown.truncate(limit);
    let next_cursor = shown.last().filter(|_| more).map(|release| release.version.to_string());
    let mut items = Vec::with_capacity(shown.len());
    for release in &shown {
        items.push(version_item(release, lines::changelog(&mut conn, &release.id).await?));
    }
    Ok(json(&VersionPage { items, next_cursor }))
}
