use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use skill_core::api::IndexLine;
use skill_core::digest::Sha256;
use skill_core::name::Tag;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use crate::app::App;
use crate::http::extract::{SkillPath, skill_not_found};
use crate::lifecycle::why;
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::restrictions::{self, Restriction};
use crate::store::skills::{self, Skill};
use crate::store::tags;

/// Gives the index of a skill: one line of JSON for each of its versions, lowest first, then an empty line.
///
/// Closed versions are among them and say why, so that a client can say it too; pending ones are not. What is
/// installed is checked against the signed release, never against the index.
#[utoipa::path(
    get,
    path = "/index/{owner}/{slug}",
    tag = "registry",
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, content_type = "application/jsonl", description = "Lines of JSON, with an `ETag`"),
        (status = 304, description = "`If-None-Match` names the `ETag`"),
        (status = 404, content_type = "application/problem+json", description = "`skill-not-found`"),
    ),
)]
pub(crate) async fn index(State(app): State<App>, SkillPath(name): SkillPath) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, &name).await?.filter(|skill| skill.deleted_at.is_none());
    let skill = skill.ok_or_else(skill_not_found)?;
    let mut stored = lines::of_skill(&mut conn, &skill.id).await?;
    stored.retain(|release| release.state != ReleaseState::Pending);
    stored.reverse();
    if stored.is_empty() {
        return Err(skill_not_found());
    }
    let restrictions = restrictions::open_of(&mut conn, &skill.id).await?;
    let tags = tags::of_skill(&mut conn, &skill.id).await?;
    drop(conn);
    let mut body = String::new();
    for release in &stored {
        let why = why(&restrictions, &release.id, release.state);
        let line = line(&skill, release, &tags, why);
        body.push_str(&serde_json::to_string(&line).map_err(ApiError::internal)?);
        body.push('\n');
    }
    body.push('\n');
    let tag = format!("\"{}\"", Sha256::of(&body));
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(ApiError::internal)?);
    Ok(response)
}

fn line(skill: &Skill, release: &Line, tags: &[(Tag, Version)], why: Option<&Restriction>) -> IndexLine {
    let mut here: Vec<Tag> =
        tags.iter().filter(|(_, version)| *version == release.version).map(|(tag, _)| tag.clone()).collect();
    if skill.latest.as_ref() == Some(&release.version) {
        here.extend("latest".parse::<Tag>());
    }
    here.sort();
    IndexLine {
        owner: skill.owner.clone(),
        slug: skill.slug.clone(),
        version: release.version.clone(),
        state: release.state,
        verdict: release.verdict,
        tree_digest: release.tree_digest,
        archive_sha256: release.archive_sha256,
        archive_size: release.archive_size,
        size: release.size,
        files: release.file_count as u32,
        published_at: release.published_at,
        log_index: release.log_index,
        tags: here,
        reason: why.map(|restriction| restriction.reason.clone()),
        restricted_at: why.map(|restriction| restriction.at),
        deprecated: skill.deprecated.clone(),
        other: BTreeMap::new(),
    }
}
