use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use skill_core::digest::Sha256;
use skill_core::version::Version;

use super::answer::json;
use super::find::{self, Miss};
use super::wire::{Resolved, VersionOnly};
use crate::app::App;
use crate::http::extract::{Query, Wanted, skill_not_found};
use crate::problem::ApiError;
use crate::store::{fingerprints, lines};

/// Finds the version that a folder came from, by ClawHub's fingerprint of its files.
#[utoipa::path(
    get,
    path = "/api/v1/resolve",
    tag = "clawhub",
    params(
        ("slug" = String, Query, description = "Slug"),
        ("hash" = String, Query, description = "Fingerprint, 64 hexadecimal digits"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
    ),
    responses(
        (status = 200, body = Resolved),
        (status = 400, description = "`Missing slug or hash`, `Invalid hash`"),
        (status = 404, description = "`Skill not found`"),
    ),
)]
pub(crate) async fn resolve(State(app): State<App>, query: Query) -> Result<Response, Miss> {
    let (Some(slug), Some(hash)) = (query.text("slug"), query.text("hash")) else {
        return Err(bad_request("Missing slug or hash").into());
    };
    let hash: Sha256 = hash.parse().map_err(|_| bad_request("Invalid hash"))?;
    let wanted = Wanted::read(slug, query.text("ownerHandle").or_else(|| query.text("owner")))?;
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    if skill.deleted_at.is_some() {
        return Err(skill_not_found().into());
    }
    let mut matching: Option<Version> = None;
    for id in fingerprints::releases_with(&mut conn, &skill.id, hash).await? {
        let release = lines::by_id(&mut conn, &id).await?;
        let shown = release.filter(|release| release.state.is_downloadable());
        matching = matching.max(shown.map(|release| release.version.clone()));
    }
    Ok(json(&Resolved {
        slug: skill.slug,
        matching: matching.map(|version| VersionOnly { version }),
        latest_version: skill.latest.map(|version| VersionOnly { version }),
    }))
}

pub(super) fn bad_request(text: &str) -> ApiError {
    ApiError::Other { status: StatusCode::BAD_REQUEST, code: "usage", title: text.to_owned() }
}
