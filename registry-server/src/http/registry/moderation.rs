//! What moderators see and decide.

pub(in crate::http) mod acts;
pub(in crate::http) mod appeals;
pub(in crate::http) mod case;
pub(in crate::http) mod holds;
pub(in crate::http) mod proposals;
pub(in crate::http) mod queue;
pub(in crate::http) mod reports;
pub(in crate::http) mod users;
