use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::Owner;

use super::own_case::is_own_case;
use super::reason::{ReasonError, check_note};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::StoreError;
use crate::store::reports::{self, Decided, Decision, Report};

/// Why a report was not decided.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is none with that id.
    #[error("there is no report {id}")]
    NotFound {
        /// What was named.
        id: String,
    },
    /// Somebody was first.
    #[error("{by} decided the report before: {decision}")]
    Decided {
        /// How.
        decision: &'static str,
        /// Who.
        by: String,
    },
    /// The moderator acts for the publisher whose skill it is, or did until lately.
    #[error(
        "this is about {owner}, for which this account acts, or did until lately: somebody else has to decide it"
    )]
    OwnCase {
        /// The publisher.
        owner: Owner,
    },
    /// The moderator made the report.
    #[error("this account made the report: somebody else has to decide it")]
    OwnReport,
    /// The note is too long.
    #[error(transparent)]
    Note(#[from] ReasonError),
    /// The permit was for something else.
    #[error(transparent)]
    Permit(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        let (status, code) = match error {
            DecideError::Permit(error) => return error,
            DecideError::Store(error) => return error.into(),
            DecideError::Note(error) => return error.into(),
            DecideError::NotFound { .. } => (StatusCode::NOT_FOUND, "report-not-found"),
            DecideError::Decided { .. } => (StatusCode::CONFLICT, "report-decided"),
            DecideError::OwnCase { .. } | DecideError::OwnReport => (StatusCode::FORBIDDEN, "own-case"),
        };
        let problem = Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            DecideError::Decided { decision, .. } => problem.with("decision", decision),
            DecideError::OwnCase { owner } => problem.with("owner", owner.as_str()),
            _ => problem,
        }))
    }
}

/// Says what a report came to. That closes nothing: what a moderator does about a release is an act of its own.
pub async fn decide_report(
    app: &App,
    permit: &Permit,
    id: &str,
    decision: Decision,
    note: &str,
) -> Result<Report, DecideError> {
    let moderator = permit.user(&[Act::Decide])?;
    check_note(note)?;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let missing = || DecideError::NotFound { id: id.to_owned() };
    let report = reports::by_id(tx.conn(), id).await?.ok_or_else(missing)?;
    if report.by == moderator.name {
        return Err(DecideError::OwnReport);
    }
    if is_own_case(&mut tx, moderator, &report.name.owner).await? {
        return Err(DecideError::OwnCase { owner: report.name.owner });
    }
    let decided = Decided { decision, by: moderator.name.to_string(), at: tx.now(), note: note.to_owned() };
    if !reports::decide(tx.conn(), id, &decided).await? {
        // It waited for the one who was first.
        let first =
            reports::by_id(tx.conn(), id).await?.and_then(|report| report.decided).ok_or_else(missing)?;
        return Err(DecideError::Decided { decision: first.decision.as_str(), by: first.by });
    }
    let row = permit.audit("report.decide", format!("{}@{}", report.name, report.version));
    tx.audit(row.because(note).with(json!({ "id": id, "decision": decision.as_str() })));
    tx.commit().await?;
    Ok(Report { decided: Some(decided), ..report })
}
