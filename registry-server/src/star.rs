//! Stars: what users think well of, one of each user and skill.

use http::StatusCode;
use skill_core::api::Problem;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;

use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::skills::Skill;
use crate::store::{Conn, StoreError, aliases, lines, stars};

/// How a skill stands after a star.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starred {
    /// The skill as it is called now.
    pub name: SkillName,
    /// Whether anything changed.
    pub changed: bool,
    /// Users that starred it.
    pub stars: u64,
}

/// Why a star was not given or taken back.
#[derive(Debug, thiserror::Error)]
pub enum StarError {
    /// Nothing of that name is known to who asks.
    #[error("there is no {name}")]
    Skill {
        /// What was named.
        name: SkillName,
    },
    /// The permit was for something else.
    #[error(transparent)]
    Permit(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<StarError> for ApiError {
    fn from(error: StarError) -> Self {
        match error {
            StarError::Permit(error) => error,
            StarError::Store(error) => error.into(),
            StarError::Skill { .. } => {
                let status = StatusCode::NOT_FOUND.as_u16();
                Self::Problem(Box::new(Problem::new(status, "skill-not-found", error.to_string())))
            }
        }
    }
}

/// Stars the skill of a permit. Once more it changes nothing.
pub async fn star(app: &App, permit: &Permit) -> Result<Starred, StarError> {
    change(app, permit, true).await
}

/// Takes a star back, also from a skill that was closed or deleted since. Without one it changes nothing.
pub async fn unstar(app: &App, permit: &Permit) -> Result<Starred, StarError> {
    change(app, permit, false).await
}

async fn change(app: &App, permit: &Permit, wanted: bool) -> Result<Starred, StarError> {
    let name = permit.skill(&[Act::Star])?;
    let user = &permit.identity().user;
    let unknown = || StarError::Skill { name: name.clone() };
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let skill = aliases::resolve(tx.conn(), name).await?.ok_or_else(unknown)?;
    let is_known = permit.identity().sees(&skill.name()) || is_known(tx.conn(), &skill).await?;
    let changed = if wanted {
        if !is_known {
            return Err(unknown());
        }
        let now = tx.now();
        stars::add(tx.conn(), &skill.id, &user.id, now).await?
    } else {
        stars::remove(tx.conn(), &skill.id, &user.id).await?
    };
    if !changed && !is_known {
        return Err(unknown());
    }
    let count = stars::count(tx.conn(), &skill.id).await?;
    if changed {
        tx.audit(permit.audit(if wanted { "star" } else { "unstar" }, skill.name().to_string()));
        tx.commit().await?;
    }
    Ok(Starred { name: skill.name(), changed, stars: count })
}

/// Whether everybody may know that it is there.
async fn is_known(conn: &mut Conn, skill: &Skill) -> Result<bool, StoreError> {
    let hidden = |state| matches!(state, ReleaseState::Pending | ReleaseState::Deleted);
    Ok(lines::of_skill(conn, &skill.id).await?.iter().any(|line| !hidden(line.state)))
}
