use skill_core::name::SkillName;

use super::ReportError;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::store::lines::{self, Line};
use crate::store::reports::{self, Report};
use crate::store::restrictions::{self, Restriction};
use crate::store::skills::{self, Skill};

/// The most reports of a case that are shown: open ones, then the newest.
const REPORTS: u32 = 200;

/// Everything that a moderator looks at before a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The skill, deleted or not.
    pub skill: Skill,
    /// Its releases in every state, highest first.
    pub releases: Vec<Line>,
    /// What people said, open reports first.
    pub reports: Vec<Report>,
    /// What closed its releases and opened them again, oldest first.
    pub restrictions: Vec<Restriction>,
}

/// Reads the case of a skill; there is one of every skill.
pub async fn case(app: &App, permit: &Permit, name: &SkillName) -> Result<Case, ReportError> {
    permit.user(&[Act::SeeQueue])?;
    let mut conn = app.db().read().await?;
    let found = skills::find(&mut conn, name).await?;
    let skill = found.ok_or_else(|| ReportError::Skill { name: name.clone() })?;
    Ok(Case {
        releases: lines::of_skill(&mut conn, &skill.id).await?,
        reports: reports::of_skill(&mut conn, &skill.id, REPORTS).await?,
        restrictions: restrictions::of_skill(&mut conn, &skill.id).await?,
        skill,
    })
}
