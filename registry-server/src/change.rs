//! What is changed about what is published: yanks, withdrawals, tags, deprecation and whole skills by their owner;
//! quarantines, takedowns and restorations by the registry.
//!
//! Each is one transaction that holds the skill's row, writes the signed statement and its leaf where there is
//! one, and brings states and `latest` in line before it ends.

mod bytes;
mod close;
mod delete;
mod deprecate;
mod propose;
mod restore;
mod restrict;
mod switch;
mod tag;
mod withdraw;
mod yank;

use skill_core::name::SkillName;
use skill_core::version::Version;

use crate::problem::ApiError;
use crate::store::releases::{self, Release};
use crate::store::skills::{self, Skill};
use crate::store::{Conn, StoreError, WriteTx};

pub(crate) use close::keep_slug;
pub use close::{Closing, close, quarantine};
pub use delete::{Deletion, Undeletion, delete, undelete};
pub use deprecate::set_deprecated;
pub use propose::{ProposalError, approve, decline};
pub(crate) use restore::restore_for;
pub use restore::{Restoration, Restored, restore};
pub(crate) use restrict::restrict;
pub use restrict::{Said, Subject};
pub use tag::{remove_tag, set_tags};
pub use withdraw::set_withdrawn;
pub use yank::set_yanked;

/// The most bytes of a text as JSON writes it: a reason is signed, and its envelope has little room.
const TEXT_BYTES: usize = 500;

fn check_reason(reason: &str) -> Result<(), ApiError> {
    check_text("reason", "reason-long", reason)
}

/// Refuses a text that is longer than is kept.
fn check_text(what: &str, code: &'static str, text: &str) -> Result<(), ApiError> {
    let written = serde_json::to_string(text).map_err(ApiError::internal)?.len() - 2;
    if written <= TEXT_BYTES {
        return Ok(());
    }
    Err(ApiError::Other {
        status: http::StatusCode::UNPROCESSABLE_ENTITY,
        code,
        title: format!("the {what} has {written} bytes, at most {TEXT_BYTES} are kept"),
    })
}

/// The skill of that name, its row locked for the rest of the transaction; a deleted one takes no change.
async fn locked(tx: &mut WriteTx, name: &SkillName) -> Result<Skill, ApiError> {
    let skill = claimed(tx, name).await?;
    if skill.deleted_at.is_some() {
        return Err(conflict("skill-deleted", format!("{name} was deleted")));
    }
    Ok(skill)
}

/// The skill of that name, deleted or not, its row locked for the rest of the transaction.
async fn claimed(tx: &mut WriteTx, name: &SkillName) -> Result<Skill, ApiError> {
    let at = tx.now();
    let missing = || not_found("skill-not-found", format!("there is no {name}"));
    let skill = skills::find(tx.conn(), name).await?.ok_or_else(missing)?;
    skills::lock(tx.conn(), &skill.id, at).await?.ok_or_else(missing)
}

async fn release_of(conn: &mut Conn, skill: &Skill, version: &Version) -> Result<Release, ApiError> {
    let found: Result<_, StoreError> = releases::find(conn, &skill.id, version).await;
    found?.ok_or_else(|| not_found("version-not-found", format!("there is no {}@{version}", skill.name())))
}

fn not_found(code: &'static str, title: String) -> ApiError {
    ApiError::Other { status: http::StatusCode::NOT_FOUND, code, title }
}

fn conflict(code: &'static str, title: String) -> ApiError {
    ApiError::Other { status: http::StatusCode::CONFLICT, code, title }
}
