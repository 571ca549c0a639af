use axum::Extension;
use axum::extract::State;
use axum::response::Response;

use super::answer::{json, latest_version, metadata, moderation, skill as to_skill};
use super::find::{self, Choice, Miss};
use super::wire::{Ambiguous, DetailOwner, SkillDetail};
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::extract::{SlugPath, skill_not_found};
use crate::skill_md::skill_md;
use crate::store::{catalogue, releases};

/// Shows one skill: its names and counts, what `latest` is, what it needs, and its text.
///
/// Without an owner, the skill that holds the bare slug. If nobody holds it, 409 lists who uses it.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}",
    tag = "clawhub",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; `owner` is read too"),
    ),
    responses(
        (status = 200, body = SkillDetail),
        (status = 403, description = "Quarantined"),
        (status = 404, description = "`Skill not found`"),
        (status = 409, body = Ambiguous),
        (status = 410, description = "Withdrawn or taken down"),
        (status = 423, description = "Pending (to its owner)"),
    ),
)]
pub(crate) async fn detail(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
) -> Result<Response, Miss> {
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    let line = find::release(&mut conn, &skill, &Choice::Latest, Door::Detail, &caller)
        .await
        .map_err(|error| if error.code() == "version-not-found" { skill_not_found() } else { error })?;
    let card = catalogue::card(&mut conn, &skill.id, &line.version).await?.ok_or_else(skill_not_found)?;
    let release = releases::by_id(&mut conn, &line.id).await?.ok_or_else(skill_not_found)?;
    drop(conn);
    let mut shown = to_skill(&card, skill.latest.as_ref());
    shown.description = Some(skill_md(&app, &line).await?);
    Ok(json(&SkillDetail {
        skill: shown,
        latest_version: skill.latest.as_ref().map(|_| latest_version(&card)),
        owner: DetailOwner { handle: card.owner.clone(), display_name: card.owner_name.clone(), image: None },
        metadata: card.manifest.as_ref().map(metadata),
        requirements: card.manifest.as_ref().and_then(|m| m.get("requires")).cloned().unwrap_or_default(),
        moderation: moderation(&release),
        deprecated: skill.deprecated.clone(),
    }))
}
