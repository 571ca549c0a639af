use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::audit::{self, Entry, Filter};

/// Some rows of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// By number.
    pub entries: Vec<Entry>,
    /// The number after which the next page begins, if there is one.
    pub next: Option<u64>,
}

/// Reads at most `limit` rows of the audit log after number `after`.
pub async fn read_audit(
    app: &App,
    permit: &Permit,
    filter: &Filter,
    after: u64,
    limit: u32,
) -> Result<AuditPage, ApiError> {
    permit.user(&[Act::ReadAudit])?;
    let mut conn = app.db().read().await?;
    let mut entries = audit::page(&mut conn, filter, after, limit + 1).await?;
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next = entries.last().filter(|_| more).map(|last| last.seq);
    Ok(AuditPage { entries, next })
}
