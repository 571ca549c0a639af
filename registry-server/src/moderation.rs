//! What people say about skills, what waits for a moderator, and what those who watch over the registry read.

mod appeal;
mod audit;
mod case;
mod decide;
mod hold;
mod own_case;
mod queue;
mod reason;
mod report;

pub use appeal::{AppealError, Appealed, Granting, appeal, appeals_about, decide_appeal};
pub use audit::{AuditPage, read_audit};
pub use case::{Case, case};
pub use decide::{DecideError, decide_report};
pub use hold::{pass_hold, refuse_hold};
pub(crate) use own_case::is_own_case;
pub use queue::{ProposalPage, QueuePage, ReportPage, proposals, queue, reports};
pub use reason::ReasonError;
pub(crate) use reason::check_reason;
pub use report::{Filed, OPEN_REPORTS, ReportError, report};
