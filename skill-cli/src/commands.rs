//! One module per command: its arguments, whose doc comments are its help, and what it does.

use clap::Subcommand;

use crate::config::Config;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::Report;

/// `skill appeal`
pub mod appeal;
/// `skill delete`
pub mod delete;
/// `skill deprecate`
pub mod deprecate;
/// `skill help`
pub mod help;
/// `skill info`
pub mod info;
/// `skill init`
pub mod init;
/// `skill install`
pub mod install;
/// `skill lint`
pub mod lint;
/// `skill list`
pub mod list;
/// `skill login`
pub mod login;
/// `skill logout`
pub mod logout;
/// `skill pack`
pub mod pack;
/// `skill policy`
pub mod policy;
/// `skill publish`
pub mod publish;
/// `skill publisher`
pub mod publisher;
/// `skill registry`
pub mod registry;
/// `skill remove`
pub mod remove;
/// `skill report`
pub mod report;
/// `skill scan`
pub mod scan;
/// `skill search`
pub mod search;
/// `skill star`
pub mod star;
/// `skill tag`
pub mod tag;
/// `skill token`
pub mod token;
/// `skill undelete`
pub mod undelete;
/// `skill unstar`
pub mod unstar;
/// `skill unyank`
pub mod unyank;
/// `skill verify`
pub mod verify;
/// `skill whoami`
pub mod whoami;
/// `skill yank`
pub mod yank;

/// What `skill` can be asked to do.
#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "each variant's arguments carry the documentation, which is the help")]
#[command(disable_help_subcommand = true)]
pub enum Command {
    #[command(visible_alias = "add")]
    Install(install::Args),
    #[command(visible_aliases = ["rm", "uninstall"])]
    Remove(remove::Args),
    #[command(visible_alias = "ls")]
    List(list::Args),
    Search(search::Args),
    #[command(visible_alias = "inspect")]
    Info(info::Args),
    Verify(verify::Args),
    Scan(scan::Args),
    Policy(policy::Args),
    Registry(registry::Args),
    Report(report::Args),
    Appeal(appeal::Args),
    Star(star::Args),
    Unstar(unstar::Args),
    Init(init::Args),
    Lint(lint::Args),
    Pack(pack::Args),
    Publish(publish::Args),
    Yank(yank::Args),
    Unyank(unyank::Args),
    Deprecate(deprecate::Args),
    Delete(delete::Args),
    Undelete(undelete::Args),
    Tag(tag::Args),
    Publisher(publisher::Args),
    Token(token::Args),
    Login(login::Args),
    Logout(logout::Args),
    Whoami(whoami::Args),
    Help(help::Args),
}

/// Does what `command` asks for.
///
/// # Errors
/// What the command's own module says.
pub async fn run(context: &Context, command: &Command) -> Result<Report, Failure> {
    let needs_none = matches!(
        command,
        Command::List(_)
            | Command::Verify(_)
            | Command::Scan(_)
            | Command::Init(_)
            | Command::Lint(_)
            | Command::Pack(_)
            | Command::Logout(_)
    );
    if needs_none {
        Config::tell_of_system(context);
    }
    match command {
        Command::Install(args) => install::run(context, args).await.map_err(Failure::nothing_changed_at_all),
        Command::Report(args) => report::run(context, args).await,
        Command::Appeal(args) => appeal::run(context, args).await,
        Command::Star(args) => star::run(context, args).await,
        Command::Unstar(args) => unstar::run(context, args).await,
        Command::Remove(args) => remove::run(context, args).map_err(Failure::nothing_changed_at_all),
        Command::List(args) => list::run(context, args),
        Command::Search(args) => search::run(context, args).await,
        Command::Info(args) => info::run(context, args).await,
        Command::Verify(args) => verify::run(context, args),
        Command::Scan(args) => scan::run(context, args),
        Command::Policy(args) => policy::run(context, args).await,
        Command::Registry(args) => registry::run(context, args).await,
        Command::Init(args) => init::run(context, args),
        Command::Lint(args) => lint::run(context, args),
        Command::Pack(args) => pack::run(context, args),
        Command::Publish(args) => publish::run(context, args).await,
        Command::Yank(args) => yank::run(context, args).await,
        Command::Unyank(args) => unyank::run(context, args).await,
        Command::Deprecate(args) => deprecate::run(context, args).await,
        Command::Delete(args) => delete::run(context, args).await,
        Command::Undelete(args) => undelete::run(context, args).await,
        Command::Tag(args) => tag::run(context, args).await,
        Command::Publisher(args) => publisher::run(context, args).await,
        Command::Token(args) => token::run(context, args).await,
        Command::Login(args) => login::run(context, args).await,
        Command::Logout(args) => logout::run(context, args),
        Command::Whoami(args) => whoami::run(context, args).await,
        Command::Help(args) => help::run(context, args),
    }
}

#[cfg(test)]
mod tests;
