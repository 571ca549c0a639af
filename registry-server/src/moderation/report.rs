use http::StatusCode;
use serde_json::json;
use skill_core::api::{Problem, ReportKind, ReportRequest};
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::reason::{ReasonError, check_reason};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::entropy::EntropyError;
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::reports::{self, NewReport};
use crate::store::skills::Skill;
use crate::store::{Conn, StoreError, aliases, users};

/// As many reports of one user wait to be decided.
pub const OPEN_REPORTS: u64 = 20;

/// A report that was taken, or that was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// Its id.
    pub id: String,
    /// The skill as it is called now.
    pub name: SkillName,
    /// Its id.
    pub skill_id: String,
    /// The release that it is about.
    pub version: Version,
    /// What is said to be the matter.
    pub kind: ReportKind,
    /// Whether it was there before, and stands as it was.
    pub already: bool,
    /// How many reports of the skill are open with it.
    pub open: u64,
}

/// Why a report was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Nothing of that name is known to who reports.
    #[error("there is no {name}")]
    Skill {
        /// What was named.
        name: SkillName,
    },
    /// No such release is known to who reports.
    #[error("there is no {name}@{version}")]
    Release {
        /// The skill.
        name: SkillName,
        /// What was named.
        version: Version,
    },
    /// The reason is none, or too long.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// Too many wait already.
    #[error("{open} reports of this account wait to be decided, and no more are taken until one is")]
    Many {
        /// How many.
        open: u64,
    },
    /// The permit was for something else.
    #[error(transparent)]
    Permit(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl From<ReportError> for ApiError {
    fn from(error: ReportError) -> Self {
        let (status, code) = match error {
            ReportError::Permit(error) => return error,
            ReportError::Store(error) => return error.into(),
            ReportError::Entropy(error) => return error.into(),
            ReportError::Reason(error) => return error.into(),
            ReportError::Skill { .. } => (StatusCode::NOT_FOUND, "skill-not-found"),
            ReportError::Release { .. } => (StatusCode::NOT_FOUND, "version-not-found"),
            ReportError::Many { .. } => (StatusCode::CONFLICT, "reports-many"),
        };
        let problem = Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            ReportError::Many { open } => problem.with("open", open),
            _ => problem,
        }))
    }
}

/// Tells the moderators about a skill. What was closed can be reported too: it may be a false alarm. A report by the
/// same user that waits to be decided stays as it is.
pub async fn report(app: &App, permit: &Permit, request: &ReportRequest) -> Result<Filed, ReportError> {
    let name = permit.skill(&[Act::Report])?;
    check_reason(&request.reason)?;
    let user = &permit.identity().user;
    let mut tx = app.db().quiet().await?;
    // What a user may still report is counted by one at a time.
    users::lock(tx.conn(), &user.id).await?;
    permit.confirm(&mut tx).await?;
    let skill =
        aliases::resolve(tx.conn(), name).await?.ok_or_else(|| ReportError::Skill { name: name.clone() })?;
    let sees = permit.identity().sees(&skill.name());
    let release = release(tx.conn(), &skill, name, request.version.as_ref(), sees).await?;
    if let Some(standing) = reports::standing(tx.conn(), &skill.id, &user.id).await? {
        return Ok(Filed {
            id: standing.id,
            name: skill.name(),
            open: reports::open_about(tx.conn(), &skill.id).await?,
            skill_id: skill.id,
            version: standing.version,
            kind: standing.kind,
            already: true,
        });
    }
    let open = reports::open_by(tx.conn(), &user.id).await?;
    if open >= OPEN_REPORTS {
        return Err(ReportError::Many { open });
    }
    let report = NewReport {
        id: app.entropy().id()?,
        skill_id: skill.id.clone(),
        release_id: release.id,
        user_id: user.id.clone(),
        kind: request.kind,
        reason: request.reason.clone(),
    };
    let now = tx.now();
    reports::insert(tx.conn(), &report, now).await?;
    let open = reports::open_about(tx.conn(), &skill.id).await?;
    let row = permit.audit("report", format!("{}@{}", skill.name(), release.version));
    tx.audit(row.because(&request.reason).with(json!({ "id": report.id, "kind": request.kind })));
    tx.commit().await?;
    Ok(Filed {
        id: report.id,
        name: skill.name(),
        skill_id: skill.id,
        version: release.version,
        kind: request.kind,
        already: false,
        open,
    })
}

/// The release that was named, else `latest`, else the highest that who reports may know of.
async fn release(
    conn: &mut Conn,
    skill: &Skill,
    name: &SkillName,
    version: Option<&Version>,
    sees: bool,
) -> Result<Line, ReportError> {
    let mut known = lines::of_skill(conn, &skill.id).await?;
    known.retain(|line| sees || !matches!(line.state, ReleaseState::Pending | ReleaseState::Deleted));
    let mut known = known.into_iter();
    let found = match version.or(skill.latest.as_ref()) {
        Some(wanted) => known.find(|line| line.version == *wanted),
        None => known.next(),
    };
    found.ok_or_else(|| match version {
        Some(version) => ReportError::Release { name: name.clone(), version: version.clone() },
        None => ReportError::Skill { name: name.clone() },
    })
}
