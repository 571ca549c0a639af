//! What people say about skills, what waits for a moderator, and what those who watch over the registry read.

mod audit;
mod case;
mod decide;
mod queue;
mod reason;
mod report;

pub use audit::{AuditPage, read_audit};
pub use case::{Case, case};
pub use decide::{DecideError, decide_report};
pub use queue::{QueuePage, ReportPage, queue, reports};
pub use reason::ReasonError;
pub(crate) use reason::check_reason;
pub use report::{Filed, OPEN_REPORTS, ReportError, report};
