//! What people say about skills, what waits for a moderator, and what those who watch over the registry read.

mod audit;

pub use audit::{AuditPage, read_audit};
