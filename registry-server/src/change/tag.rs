use serde_json::json;
use skill_core::name::Tag;
use skill_core::version::Version;

use super::{conflict, locked, release_of};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::{Override, settle};
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::skills::Skill;
use crate::store::{WriteTx, lines, tags};

/// Lets tags point to a release, all of them or none. `latest` is overridden until a version higher than every
/// earlier one is published, or its target may no longer be chosen.
pub async fn set_tags(app: &App, permit: &Permit, wanted: &[Tag], version: &Version) -> Result<(), ApiError> {
    let name = permit.skill(&[Act::Tag, Act::Publish])?;
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    let at = tx.now();
    let skill = locked(&mut tx, name).await?;
    let release = release_of(tx.conn(), &skill, version).await?;
    let mut latest_override = skill.latest_override.clone();
    for tag in wanted {
        if !release.state.is_selectable() {
            let title = format!("`{tag}` cannot point to {version}: it is {}", release.state);
            return Err(conflict("tag-not-honoured", title));
        }
        if tag.is_latest() {
            let all = lines::of_skill(tx.conn(), &skill.id).await?;
            let above = all.first().map_or_else(|| version.clone(), |highest| highest.version.clone());
            latest_override = Some(Override { target: version.clone(), above });
        } else {
            tags::set(tx.conn(), &skill.id, tag, &release.id, at).await?;
        }
        tx.audit(permit.audit("tag.set", subject(&skill, tag)).with(json!({ "version": version })));
    }
    settle(tx.conn(), &skill, latest_override).await?;
    finish(app, tx, &skill).await
}

/// Removes a tag. Removing `latest` ends its override. One that is not there is gone already: a request that is
/// sent again, because its answer was lost, is answered alike.
pub async fn remove_tag(app: &App, permit: &Permit, tag: &Tag) -> Result<(), ApiError> {
    let name = permit.skill(&[Act::Tag])?;
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    let skill = locked(&mut tx, name).await?;
    let was_there = if tag.is_latest() {
        settle(tx.conn(), &skill, None).await?;
        skill.latest_override.is_some()
    } else {
        tags::remove(tx.conn(), &skill.id, tag).await?
    };
    if !was_there {
        return Ok(());
    }
    tx.audit(permit.audit("tag.remove", subject(&skill, tag)));
    finish(app, tx, &skill).await
}

fn subject(skill: &Skill, tag: &Tag) -> String {
    format!("{}:{tag}", skill.name())
}

async fn finish(app: &App, tx: WriteTx, skill: &Skill) -> Result<(), ApiError> {
    let event = NewEvent::of_skill(EventKind::TagChanged, skill.owner.clone(), &skill.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(())
}
