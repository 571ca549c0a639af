//! Everything about skill-core that needs files or looks at whole outputs.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a skipped test says so")]

mod alike;
mod corpus;
mod examples;
mod frontmatter;
mod fuzz_seeds;
mod lint;
mod lint_corpus;
mod lint_laws;
mod lint_limits;
mod lint_page;
mod lint_rules;
mod lint_strict;
mod manifest;
