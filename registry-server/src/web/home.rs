//! The front page: what this is, how to use it, what is new, what is used.

use std::collections::HashSet;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use super::address::Address;
use super::browse::USED_DAYS;
use super::page::{Frame, page};
use super::row::Row;
use super::words::counted;
use crate::app::App;
use crate::problem::ApiError;
use crate::store::catalogue::shelf::{self, Filter, Sort};
use crate::store::downloads;

const LISTED: u32 = 8;

#[derive(Debug, Serialize)]
struct View {
    count: String,
    empty: bool,
    base: String,
    id: String,
    updated: Vec<Row>,
    newest: Vec<Row>,
    used: Vec<Row>,
}

/// `/`.
pub(super) async fn home(State(app): State<App>) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let all = Filter::default();
    let count = shelf::count(&mut conn, &all).await?;
    let updated = shelf::page(&mut conn, &all, Sort::Updated, 0, LISTED).await?;
    let newest = shelf::page(&mut conn, &all, Sort::Newest, 0, 2 * LISTED).await?;
    let since = downloads::since(app.clock().now(), USED_DAYS);
    let used = shelf::page(&mut conn, &all, Sort::Used { since }, 0, LISTED).await?;
    drop(conn);
    // A skill stands on the page once.
    let listed: HashSet<_> = updated.iter().map(|card| (&card.owner, &card.slug)).collect();
    let newest = newest.iter().filter(|card| !listed.contains(&(&card.owner, &card.slug)));
    let view = View {
        count: counted(count, "skill"),
        empty: count == 0,
        base: app.base_url(),
        id: app.registry_id().to_string(),
        updated: updated.iter().map(Row::of).collect(),
        newest: newest.take(LISTED as usize).map(Row::of).collect(),
        used: used.iter().filter(|card| card.downloads > 0).map(Row::of).collect(),
    };
    let frame = Frame {
        title: "Agent skills: signed, scanned, yours to check".to_owned(),
        description:
            "A registry of agent skills. Each release is scanned, signed and logged before it is shown."
                .to_owned(),
        canonical: Some(Address::home()),
        feed: Some(Address::feed()),
        ..Frame::default()
    };
    page(&app, StatusCode::OK, "home.html", &frame, &view)
}
