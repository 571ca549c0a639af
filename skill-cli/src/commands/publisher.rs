use serde_json::json;
use skill_core::api::{PublisherLine, PublisherRequest};
use skill_core::name::Owner;

use crate::client::Membership;
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Cell, Column, Line, Report, Role, Table};
use crate::text::number;

mod invitations;
mod members;

/// Make publishers for several people, and manage who acts for them
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with publishers.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Make a publisher for several people; you are its owner
    Create {
        /// Its handle, the first half of the names of its skills
        #[arg(value_name = "HANDLE")]
        handle: Owner,
        /// Name for people [default: the handle]
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        display_name: String,
    },
    /// List the publishers that you act for
    #[command(visible_alias = "ls")]
    List,
    /// Show a publisher that you act for
    Show {
        /// Its handle
        #[arg(value_name = "HANDLE")]
        handle: Owner,
    },
    /// List who acts for a publisher
    Members {
        /// Its handle
        #[arg(value_name = "HANDLE")]
        handle: Owner,
    },
    /// Give a member another role, or with `none` end the membership
    #[command(long_about = "Give a member another role, or with `none` end the membership

publisher  publishes, yanks, tags
admin      invites, deletes and renames skills, too
owner      gives roles, too; the last one stays")]
    Role {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Owner,
        /// Name of the member
        #[arg(value_name = "USER")]
        user: Owner,
        /// publisher, admin, owner or none
        #[arg(value_name = "ROLE", value_parser = ["publisher", "admin", "owner", "none"], hide_possible_values = true)]
        role: String,
    },
    /// Invite a user to act for a publisher, for seven days
    Invite {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Owner,
        /// Name of the user
        #[arg(value_name = "USER")]
        user: Owner,
        /// publisher, admin or owner [default: publisher]
        #[arg(
            long,
            value_name = "ROLE",
            default_value = "publisher",
            hide_default_value = true,
            value_parser = ["publisher", "admin", "owner"],
            hide_possible_values = true
        )]
        role: String,
    },
    /// Take an invitation back
    Uninvite {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Owner,
        /// Name of the user
        #[arg(value_name = "USER")]
        user: Owner,
    },
    /// List open invitations: your own, or those to a publisher
    Invitations {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Option<Owner>,
    },
    /// Accept an invitation
    Accept {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Owner,
    },
    /// Decline an invitation
    Decline {
        /// The publisher
        #[arg(value_name = "HANDLE")]
        handle: Owner,
    },
    /// Act for a publisher no more
    Leave {
        /// Its handle
        #[arg(value_name = "HANDLE")]
        handle: Owner,
    },
}

/// Makes, lists and changes publishers.
///
/// # Errors
/// `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let connection = connection::open(context, "publisher").await?;
    connection.need_token()?;
    match &args.verb {
        Verb::Create { handle, display_name } => create(&connection, handle, display_name).await,
        Verb::List => list(&connection).await,
        Verb::Show { handle } => show(&connection, handle).await,
        Verb::Members { handle } => members::list(&connection, handle).await,
        Verb::Role { handle, user, role } if role == "none" => {
            members::remove(&connection, handle, user).await
        }
        Verb::Role { handle, user, role } => members::set_role(&connection, handle, user, role).await,
        Verb::Invite { handle, user, role } => invitations::invite(&connection, handle, user, role).await,
        Verb::Uninvite { handle, user } => invitations::uninvite(&connection, handle, user).await,
        Verb::Invitations { handle } => invitations::list(&connection, handle.as_ref()).await,
        Verb::Accept { handle } => invitations::accept(&connection, handle).await,
        Verb::Decline { handle } => invitations::decline(&connection, handle).await,
        Verb::Leave { handle } => members::leave(&connection, handle).await,
    }
}

async fn create(connection: &Connection, handle: &Owner, display_name: &str) -> Result<Report, Failure> {
    let request = PublisherRequest { handle: handle.clone(), display_name: display_name.to_owned() };
    let made = connection.session.make_publisher(&request).await;
    let made = made.map_err(|error| connection.refused(&error))?;
    let line = Line::new()
        .role(Role::Good, "made")
        .plain("  ")
        .role(Role::Name, made.handle.as_str())
        .plain("   you are its owner");
    Ok(Report::change(document(&made), vec![line.into()])
        .hint(format!("run `skill publish PATH --owner {}` to publish for it", made.handle)))
}

async fn list(connection: &Connection) -> Result<Report, Failure> {
    let identity = connection.session.whoami().await.map_err(|error| connection.refused(&error))?;
    let mut table = Table::new([Column::new("publisher").whole(), Column::new("role").whole()]);
    for Membership { owner, role } in &identity.publishers {
        table.push([Cell::of(Role::Name, owner.as_str()), Cell::from(role.as_str())]);
    }
    let publishers: Vec<_> =
        identity.publishers.iter().map(|one| json!({ "owner": one.owner, "role": one.role })).collect();
    Ok(Report::new(json!({ "publishers": publishers }), vec![table.into()]))
}

async fn show(connection: &Connection, handle: &Owner) -> Result<Report, Failure> {
    let found = connection.session.publisher(handle).await.map_err(|error| connection.refused(&error))?;
    let row = |key: &str, value: String| Line::from(format!("{key:<12}{value}")).indent(0, 12).into();
    let whose = if found.kind == "user" { "a person" } else { "several people" };
    let rows = vec![
        Line::new()
            .role(Role::Name, found.handle.as_str())
            .plain(format!(" in {}", connection.label()))
            .into(),
        row("name", found.display_name.clone()),
        row("is", whose.to_owned()),
        row("since", number::date(found.created_at)),
        row("your role", found.role.clone()),
    ];
    Ok(Report::new(document(&found), rows))
}

fn document(publisher: &PublisherLine) -> serde_json::Value {
    json!({
        "owner": publisher.handle,
        "kind": publisher.kind,
        "displayName": publisher.display_name,
        "createdAt": publisher.created_at,
        "role": publisher.role,
    })
}
