use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};

use crate::text::quote;

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment says no.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// Flags of every command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Globals {
    /// Registry to use [env: SKILL_REGISTRY]
    #[arg(long, value_name = "URL|NAME", global = true)]
    pub registry: Option<String>,
    /// Folder with skills.toml and skills.lock
    #[arg(long, value_name = "DIR", global = true)]
    pub workdir: Option<PathBuf>,
    /// Use ~/.agents as the work directory
    #[arg(long, global = true)]
    pub global: bool,
    /// Print one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// Open no connection [env: SKILL_OFFLINE]
    #[arg(long, global = true)]
    pub offline: bool,
    /// Ask nothing
    #[arg(long, global = true)]
    pub no_input: bool,
    /// Answer yes to what is asked
    #[arg(long, global = true)]
    pub yes: bool,
    /// Give up on the network after this time
    #[arg(long, value_name = "SECS", global = true, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: Option<u64>,
    /// auto, always or never [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        global = true,
        value_enum,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub color: Color,
    /// Print results and problems only
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub quiet: bool,
    /// Print more
    #[arg(short, long, global = true, action = ArgAction::SetTrue)]
    pub verbose: bool,
}

/// Commands that look at a work directory, and those that talk to a registry: where a hint
/// repeats the flags that were given.
const WORKDIR: &[&str] = &["install", "remove", "list", "verify", "policy"];
const REGISTRY: &[&str] = &[
    "install",
    "policy",
    "report",
    "appeal",
    "star",
    "unstar",
    "publish",
    "yank",
    "unyank",
    "deprecate",
    "delete",
    "undelete",
    "tag",
    "publisher",
    "token",
    "search",
    "info",
    "login",
    "logout",
    "whoami",
];

impl Globals {
    /// A hint with the flags repeated that were given and that matter for its commands.
    pub fn repeat_in(&self, hint: &str) -> String {
        let mut parts: Vec<String> = hint.split('`').map(str::to_owned).collect();
        for command in parts.iter_mut().skip(1).step_by(2) {
            let verb = command.strip_prefix("skill ").and_then(|rest| rest.split(' ').next());
            let Some(verb) = verb.map(str::to_owned) else { continue };
            let mut add = |flag: &str, value: Option<String>| {
                if !command.contains(flag) {
                    let value = value.map(|value| quote::shell(&value));
                    command.extend([" ", flag]);
                    command.extend(value.iter().flat_map(|value| [" ", value]));
                }
            };
            if WORKDIR.contains(&verb.as_str()) {
                if let Some(workdir) = &self.workdir {
                    add("--workdir", Some(workdir.to_string_lossy().into_owned()));
                }
                if self.global {
                    add("--global", None);
                }
            }
            if REGISTRY.contains(&verb.as_str())
                && let Some(registry) = &self.registry
            {
                add("--registry", Some(registry.clone()));
            }
        }
        parts.join("`")
    }
}
