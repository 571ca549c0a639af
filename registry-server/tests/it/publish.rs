//! Publishing, one module per concern.

mod access;
mod form;
mod frontmatter;
mod idempotent;
mod malicious;
mod names;
mod numbers;
mod races;
mod readable;
mod sizes;
mod statements;
mod tags;
