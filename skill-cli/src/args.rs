//! The command line: global flags, one struct of arguments per command, its help and its errors.

mod globals;
pub mod help;
mod parse;
mod suggest;

pub use globals::{Color, Globals};
pub use parse::{Parsed, asks_for_json, command, parse, topic};
pub(crate) use suggest::nearest;

use clap::Parser;

use crate::commands::Command;

/// Install, publish and verify skills for agents
#[derive(Debug, Parser)]
#[command(
    name = "skill",
    version,
    disable_help_subcommand = true,
    max_term_width = 80,
    term_width = 80,
    after_long_help = "Examples:
  skill install github@^3
  skill install ./my-skill
  skill verify

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 verification failed,
5 refused, 6 network, 7 not allowed, 8 lock out of date, 130 interrupted"
)]
pub struct Arguments {
    /// Flags of every command.
    #[command(flatten)]
    pub globals: Globals,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}
