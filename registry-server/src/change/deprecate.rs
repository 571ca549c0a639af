use http::StatusCode;
use skill_core::hidden::Hidden;

use super::{check_text, locked};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::skills;

/// Says of a skill that it should not be used any more, and what to do instead; `None` takes that back. It is advice:
/// nothing is closed by it, and nothing is signed. What is so already stays so.
pub async fn set_deprecated(app: &App, permit: &Permit, message: Option<&str>) -> Result<(), ApiError> {
    let name = permit.skill(&[Act::Deprecate])?;
    let message = message.map(str::trim);
    if let Some(message) = message {
        check_message(message)?;
    }
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    let skill = locked(&mut tx, name).await?;
    if skill.deprecated.as_deref() == message {
        return Ok(());
    }
    skills::set_deprecated(tx.conn(), &skill.id, message).await?;
    let action = if message.is_some() { "deprecate" } else { "undeprecate" };
    tx.audit(permit.audit(action, name.to_string()).because(message.unwrap_or_default()));
    let event = NewEvent::of_skill(EventKind::SkillChanged, skill.owner.clone(), &skill.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(())
}

fn check_message(message: &str) -> Result<(), ApiError> {
    if Hidden::all_of(message) {
        return Err(ApiError::Other {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "message-missing",
            title: "a deprecation says what to do instead".to_owned(),
        });
    }
    check_text("message", "message-long", message)
}
