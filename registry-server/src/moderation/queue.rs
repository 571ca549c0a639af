use jiff::Timestamp;

use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::proposals::{self, Proposal};
use crate::store::queue::{self, After, Kind, Waiting};
use crate::store::reports::{self, Ended, Report};

/// Some of what waits for a moderator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePage {
    /// What matters most first, of equals the oldest.
    pub cases: Vec<Waiting>,
    /// Where the next page begins, if there is one.
    pub next: Option<After>,
}

/// Reads at most `limit` cases of the queue.
pub async fn queue(
    app: &App,
    permit: &Permit,
    kind: Option<Kind>,
    after: Option<&After>,
    limit: u32,
) -> Result<QueuePage, ApiError> {
    permit.user(&[Act::SeeQueue])?;
    let mut conn = app.db().read().await?;
    let mut cases = queue::page(&mut conn, kind, after, limit + 1).await?;
    let more = cases.len() > limit as usize;
    cases.truncate(limit as usize);
    let next = cases.last().filter(|_| more).map(|last| After {
        weight: last.weight,
        since: last.since,
        skill_id: last.skill_id.clone(),
    });
    Ok(QueuePage { cases, next })
}

/// Some restorations that wait for a second person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalPage {
    /// Oldest first.
    pub proposals: Vec<Proposal>,
    /// When the last of them came, and its id, if more follow.
    pub next: Option<(Timestamp, String)>,
}

/// Reads at most `limit` restorations that wait for a second person.
pub async fn proposals(
    app: &App,
    permit: &Permit,
    after: Option<&(Timestamp, String)>,
    limit: usize,
) -> Result<ProposalPage, ApiError> {
    permit.user(&[Act::SeeQueue])?;
    let mut conn = app.db().read().await?;
    let mut proposals = proposals::page(&mut conn, after, limit + 1).await?;
    let more = proposals.len() > limit;
    proposals.truncate(limit);
    let next = proposals.last().filter(|_| more).map(|last| (last.at, last.id.clone()));
    Ok(ProposalPage { proposals, next })
}

/// Some reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPage {
    /// Oldest first.
    pub reports: Vec<Report>,
    /// When the last of them came, and its id, if more follow.
    pub next: Option<(Timestamp, String)>,
}

/// Reads at most `limit` reports.
pub async fn reports(
    app: &App,
    permit: &Permit,
    ended: Ended,
    after: Option<&(Timestamp, String)>,
    limit: u32,
) -> Result<ReportPage, ApiError> {
    permit.user(&[Act::SeeQueue])?;
    let mut conn = app.db().read().await?;
    let mut reports = reports::page(&mut conn, ended, after, limit + 1).await?;
    let more = reports.len() > limit as usize;
    reports.truncate(limit as usize);
    let next = reports.last().filter(|_| more).map(|last| (last.at, last.id.clone()));
    Ok(ReportPage { reports, next })
}
