use skill_core::name::SkillName;

use super::ReportError;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::store::appeals::{self, Appeal};
use crate::store::holds::{self, Hold};
use crate::store::lines::{self, Line};
use crate::store::proposals::{self, Proposal};
use crate::store::reports::{self, Report};
use crate::store::restrictions::{self, Restriction};
use crate::store::skills::{self, Skill};

/// The most reports of a case that are shown: open ones, then the newest.
const REPORTS: u32 = 200;
/// The most appeals of a case that are shown: open ones, then the newest.
const APPEALS: u32 = 200;

/// Everything that a moderator looks at before a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The skill, deleted or not.
    pub skill: Skill,
    /// Its releases in every state, highest first.
    pub releases: Vec<Line>,
    /// What its releases waited for, oldest first.
    pub holds: Vec<Hold>,
    /// What people said, open reports first.
    pub reports: Vec<Report>,
    /// What its publisher says against what was closed, open appeals first.
    pub appeals: Vec<Appeal>,
    /// What waits for a second person, oldest first.
    pub proposals: Vec<Proposal>,
    /// Some of what closed its releases and opened them again, newest first.
    pub restrictions: Vec<Restriction>,
    /// The number before which the next page of restrictions begins, if there is one.
    pub next: Option<u64>,
}

/// Reads the case of a skill, with at most `limit` restrictions before this number; there is one of every skill.
pub async fn case(
    app: &App,
    permit: &Permit,
    name: &SkillName,
    before: Option<u64>,
    limit: usize,
) -> Result<Case, ReportError> {
    permit.user(&[Act::SeeQueue])?;
    let mut conn = app.db().read().await?;
    let found = skills::find(&mut conn, name).await?;
    let skill = found.ok_or_else(|| ReportError::Skill { name: name.clone() })?;
    let mut restrictions = restrictions::page(&mut conn, &skill.id, before, limit + 1).await?;
    let more = restrictions.len() > limit;
    restrictions.truncate(limit);
    Ok(Case {
        releases: lines::of_skill(&mut conn, &skill.id).await?,
        holds: holds::of_skill(&mut conn, &skill.id).await?,
        reports: reports::of_skill(&mut conn, &skill.id, REPORTS).await?,
        appeals: appeals::of_skill(&mut conn, &skill.id, APPEALS).await?,
        proposals: proposals::of_skill(&mut conn, &skill.id).await?,
        next: restrictions.last().filter(|_| more).map(|last| last.sequence),
        restrictions,
        skill,
    })
}
