//! The command line of `skill-registry`: serving, and what an operator does beside it.
//!
//! Every command but `serve` opens the database of a registry that was made before, whether a server runs
//! on it or not. One file per command.

mod audit_export;
mod audit_verify;
mod backup;
mod config_show;
mod failure;
mod fsck;
mod gc;
mod place;
mod restore;
mod serve;
mod table;
mod token_create;
mod token_list;
mod token_revoke;
mod user_add;
mod user_ban;
mod user_link;
mod user_password;
mod user_role;
mod user_unban;

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::{Parser, Subcommand};

pub use failure::Failure;

/// A registry of agent skills: signed, scanned, self-hosted in one binary
#[derive(Debug, Parser)]
#[command(name = "skill-registry", version, max_term_width = 80, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a registry; an empty data folder becomes a new one
    Serve(serve::Args),
    /// Manage users
    #[command(subcommand)]
    User(User),
    /// Manage tokens
    #[command(subcommand)]
    Token(Token),
    /// Look at the settings
    #[command(subcommand)]
    Config(Config),
    /// Read the log of every change
    #[command(subcommand)]
    Audit(Audit),
    /// Write all of it into a folder of plain files
    Backup(backup::Args),
    /// Make a registry of a backup, on either engine
    Restore(restore::Args),
    /// Check every row, statement, digest and archive
    Fsck(fsck::Args),
    /// Take away what has served; a server does so every hour
    Gc(gc::Args),
}

#[derive(Debug, Subcommand)]
enum User {
    /// Add a user and the personal publisher of the same name
    Add(user_add::Args),
    /// Make a link that signs a user's browser in, once, and print it, alone, on stdout
    Link(user_link::Args),
    /// Give a user the password that stands on stdin, and end their sessions
    Password(user_password::Args),
    /// Close an account: its tokens and sessions are refused from now on
    Ban(user_ban::Args),
    /// Open an account again
    Unban(user_unban::Args),
    /// Make a moderator or an administrator of a user, or a plain user again
    Role(user_role::Args),
}

#[derive(Debug, Subcommand)]
enum Token {
    /// Make a token and print it, alone, on stdout; it is not shown again
    Create(token_create::Args),
    /// List every token, without its secret
    List(token_list::Args),
    /// Refuse a token from now on
    Revoke(token_revoke::Args),
}

#[derive(Debug, Subcommand)]
enum Config {
    /// Print every setting, its value and where that came from
    Show(config_show::Args),
}

#[derive(Debug, Subcommand)]
enum Audit {
    /// Print it, oldest first, one line of JSON for each change
    Export(audit_export::Args),
    /// Check that no row was changed, put in or taken out
    Verify(audit_verify::Args),
}

/// The environment as it was at start.
pub type Env = BTreeMap<OsString, OsString>;

impl Cli {
    /// Does what was asked. What comes back belongs on stdout; `serve`, which only comes back when it ends, and
    /// `audit export`, which may be long, write there themselves.
    pub async fn run(self, env: &Env) -> Result<String, Failure> {
        match self.command {
            Command::Serve(args) => serve::run(args, env).await.map(|()| String::new()),
            Command::User(User::Add(args)) => user_add::run(args, env).await,
            Command::User(User::Link(args)) => user_link::run(args, env).await,
            Command::User(User::Password(args)) => user_password::run(args, env).await,
            Command::User(User::Ban(args)) => user_ban::run(args, env).await,
            Command::User(User::Unban(args)) => user_unban::run(args, env).await,
            Command::User(User::Role(args)) => user_role::run(args, env).await,
            Command::Token(Token::Create(args)) => token_create::run(args, env).await,
            Command::Token(Token::List(args)) => token_list::run(args, env).await,
            Command::Token(Token::Revoke(args)) => token_revoke::run(args, env).await,
            Command::Config(Config::Show(args)) => config_show::run(&args, env),
            Command::Audit(Audit::Export(args)) => audit_export::run(args, env).await.map(|()| String::new()),
            Command::Audit(Audit::Verify(args)) => audit_verify::run(args, env).await,
            Command::Backup(args) => backup::run(args, env).await,
            Command::Restore(args) => restore::run(args, env).await,
            Command::Fsck(args) => fsck::run(args, env).await,
            Command::Gc(args) => gc::run(args, env).await,
        }
    }
}
