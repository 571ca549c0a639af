use serde_json::json;
use skill_core::name::Owner;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::report::{Cell, Column, Line, Report, Role, Table};
use crate::text::number;

/// `skill publisher members`
pub(super) async fn list(connection: &Connection, handle: &Owner) -> Result<Report, Failure> {
    let members = connection.session.members(handle).await.map_err(|error| connection.refused(&error))?;
    let mut table = Table::new([
        Column::new("user").whole(),
        Column::new("role").whole(),
        Column::new("since").whole(),
        Column::new("name"),
    ]);
    for member in &members {
        table.push([
            Cell::of(Role::Name, member.user.as_str()),
            Cell::from(member.role.as_str()),
            Cell::from(number::date(member.since)),
            Cell::from(member.display_name.as_str()),
        ]);
    }
    Ok(Report::new(json!({ "owner": handle, "members": members }), vec![table.into()]))
}

/// `skill publisher role HANDLE USER ROLE`
pub(super) async fn set_role(
    connection: &Connection,
    handle: &Owner,
    user: &Owner,
    role: &str,
) -> Result<Report, Failure> {
    let changed = connection.session.set_role(handle, user, role).await;
    let member = changed.map_err(|error| connection.refused(&error))?;
    let line = Line::new()
        .role(Role::Good, "set")
        .plain("  ")
        .role(Role::Name, member.user.as_str())
        .plain(format!("   {} of {handle}", member.role));
    let document = json!({ "owner": handle, "user": member.user, "role": member.role });
    Ok(Report::change(document, vec![line.into()]))
}

/// `skill publisher role HANDLE USER none`
pub(super) async fn remove(connection: &Connection, handle: &Owner, user: &Owner) -> Result<Report, Failure> {
    end(connection, handle, user, "removed").await
}

/// `skill publisher leave HANDLE`
pub(super) async fn leave(connection: &Connection, handle: &Owner) -> Result<Report, Failure> {
    let identity = connection.session.whoami().await.map_err(|error| connection.refused(&error))?;
    let user: Owner = identity.user.parse().map_err(|error: skill_core::name::NameError| {
        Failure::new(crate::code::Code::RegistryError, error.to_string())
    })?;
    end(connection, handle, &user, "left").await
}

async fn end(connection: &Connection, handle: &Owner, user: &Owner, verb: &str) -> Result<Report, Failure> {
    let done = connection.session.remove_member(handle, user).await;
    done.map_err(|error| connection.refused(&error))?;
    let what = if verb == "left" { handle.to_string() } else { format!("{user}   from {handle}") };
    let line = Line::new().role(Role::Good, verb).plain("  ").role(Role::Name, what);
    let document = json!({ "owner": handle, "user": user, "role": null });
    Ok(Report::change(document, vec![line.into()]))
}
