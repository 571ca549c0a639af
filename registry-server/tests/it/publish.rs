//! Publishing, one module per concern.

mod access;
mod clients;
mod envelope;
mod form;
mod frontmatter;
mod held;
mod idempotent;
pub(crate) mod malicious;
mod names;
mod nul;
mod numbers;
mod plan;
mod quarantine;
mod races;
mod readable;
mod sizes;
mod statements;
mod tags;
