//! What people say about skills, what waits for a moderator, and what those who watch over the registry read.

mod audit;
mod reason;
mod report;

pub use audit::{AuditPage, read_audit};
pub use reason::ReasonError;
pub use report::{Filed, OPEN_REPORTS, ReportError, report};
