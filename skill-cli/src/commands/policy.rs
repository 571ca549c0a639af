use serde_json::{Value, json};

use crate::config::Config;
use crate::context::Context;
use crate::failure::Failure;
use crate::policy::ProgramAt;
use crate::report::{Cell, Column, Report, Role, Table};

mod check;
mod explain;
mod probe;

/// Look at the install policy: whether it can be asked, and what it decides
///
/// The policy is written in [security.install_policy] and [security.rules] of
/// /etc/skill/config.toml, which binds, and of the user's config.toml, which can
/// only tighten it. A skills.toml can add rules, no program.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to look at.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Look at files, rules and programs without starting any
    Check,
    /// Ask every program about a skill that does not exist
    Test,
    /// Say which rule and which program decides about a skill
    #[command(
        after_long_help = "Examples:\n  skill policy explain acme/github@^3\n  skill policy explain ./dir"
    )]
    Explain(explain::Args),
}

/// Looks at the install policy.
///
/// # Errors
/// `policy-config`, `policy-project-program`; for `explain` what resolving and fetching give.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    Config::may_hold_policy(context)?;
    match &args.verb {
        Verb::Check => check::run(context),
        Verb::Test => probe::run(context).await,
        Verb::Explain(args) => explain::run(context, args).await,
    }
}

/// Four columns: a status word, what speaks, what it says, where it is written.
fn rows() -> Table {
    Table::new([
        Column::new("").whole(),
        Column::new("").whole(),
        Column::new("").whole(),
        Column::new("").wrapped(),
    ])
    .indent(2)
}

fn status(word: &str) -> Cell {
    let role = match word {
        "ok" => Role::Good,
        "warn" => Role::Warning,
        "FAIL" => Role::Error,
        _ => Role::Note,
    };
    Cell::of(role, format!("{word:<4}"))
}

/// `/opt/policy/check in /etc/skill/config.toml`
fn written(at: &ProgramAt) -> String {
    format!("{} in {}", at.name(), at.file)
}

/// A program as the documents hold it.
fn program(at: &ProgramAt, more: Value) -> Value {
    let mut document = json!({
        "command": at.program.command,
        "args": at.program.args,
        "layer": at.layer.as_str(),
        "file": at.file,
    });
    if let (Some(document), Value::Object(more)) = (document.as_object_mut(), more) {
        document.extend(more);
    }
    document
}
