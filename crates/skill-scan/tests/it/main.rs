//! The rules, held against texts that they must find and texts that they must not.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "a test over real skills says what it saw")]
#![allow(unreachable_pub, reason = "modules of one test binary share what is pub")]

mod across;
mod addresses;
mod capabilities;
mod cases;
mod comments;
mod corpus;
mod disguises;
mod examples;
mod loaders;
mod page;
mod prose;
mod quotations;
mod report;
mod wild;
mod work;
mod world;
