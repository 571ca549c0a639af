use serde_json::json;
use skill_core::api::{InvitationLine, InvitationRequest};
use skill_core::name::Owner;

use crate::code::Code;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::report::{Cell, Column, Line, Report, Role, Table};
use crate::text::number;

/// `skill publisher invite`
pub(super) async fn invite(
    connection: &Connection,
    handle: &Owner,
    user: &Owner,
    role: &str,
) -> Result<Report, Failure> {
    let request = InvitationRequest { user: user.clone(), role: Some(role.to_owned()) };
    let invited = connection.session.invite(handle, &request).await;
    let invited = invited.map_err(|error| connection.refused(&error))?;
    let line = Line::new()
        .role(Role::Good, "invited")
        .plain("  ")
        .role(Role::Name, invited.user.as_str())
        .plain(format!("   {} of {handle}, until {}", invited.role, number::date(invited.expires_at)));
    let report = Report::change(json!(invited), vec![line.into()]);
    Ok(report.closing(format!("{user} accepts with `skill publisher accept {handle}`")))
}

/// `skill publisher invitations`: one's own, or those to a publisher.
pub(super) async fn list(connection: &Connection, handle: Option<&Owner>) -> Result<Report, Failure> {
    let open = connection.session.invitations(handle).await.map_err(|error| connection.refused(&error))?;
    let first = if handle.is_some() { "user" } else { "publisher" };
    let mut table = Table::new([
        Column::new(first).whole(),
        Column::new("role").whole(),
        Column::new("by").whole(),
        Column::new("until").whole(),
    ]);
    for one in &open {
        let name = if handle.is_some() { &one.user } else { &one.publisher };
        table.push([
            Cell::of(Role::Name, name.as_str()),
            Cell::from(one.role.as_str()),
            Cell::from(one.invited_by.as_str()),
            Cell::from(number::date(one.expires_at)),
        ]);
    }
    let report = Report::new(json!({ "invitations": open }), vec![table.into()]);
    Ok(if open.is_empty() { report.closing("no invitation is open") } else { report })
}

/// `skill publisher accept HANDLE`
pub(super) async fn accept(connection: &Connection, handle: &Owner) -> Result<Report, Failure> {
    let done = connection.session.accept(&own(connection, handle).await?.id).await;
    let accepted = done.map_err(|error| connection.refused(&error))?;
    let line = Line::new()
        .role(Role::Good, "accepted")
        .plain("  ")
        .role(Role::Name, handle.as_str())
        .plain(format!("   as {}", accepted.role));
    Ok(Report::change(json!(accepted), vec![line.into()]))
}

/// `skill publisher decline HANDLE`
pub(super) async fn decline(connection: &Connection, handle: &Owner) -> Result<Report, Failure> {
    let done = connection.session.decline(&own(connection, handle).await?.id).await;
    let declined = done.map_err(|error| connection.refused(&error))?;
    let line = Line::new().role(Role::Good, "declined").plain("  ").role(Role::Name, handle.as_str());
    Ok(Report::change(json!(declined), vec![line.into()]))
}

/// `skill publisher uninvite HANDLE USER`
pub(super) async fn uninvite(
    connection: &Connection,
    handle: &Owner,
    user: &Owner,
) -> Result<Report, Failure> {
    let open = connection.session.invitations(Some(handle)).await;
    let open = open.map_err(|error| connection.refused(&error))?;
    let Some(one) = open.into_iter().find(|one| one.user == *user) else {
        return Err(none(format!("{user} has no open invitation to {handle}")));
    };
    let done = connection.session.withdraw_invitation(handle, &one.id).await;
    done.map_err(|error| connection.refused(&error))?;
    let line = Line::new()
        .role(Role::Good, "taken back")
        .plain("  ")
        .role(Role::Name, user.as_str())
        .plain(format!("   from {handle}"));
    Ok(Report::change(json!(one), vec![line.into()]))
}

async fn own(connection: &Connection, handle: &Owner) -> Result<InvitationLine, Failure> {
    let open = connection.session.invitations(None).await.map_err(|error| connection.refused(&error))?;
    let found = open.into_iter().find(|one| one.publisher == *handle);
    found.ok_or_else(|| {
        none(format!("you have no open invitation to {handle}")).hint("run `skill publisher invitations`")
    })
}

fn none(message: String) -> Failure {
    Failure::new(Code::InvitationNotFound, message)
}
