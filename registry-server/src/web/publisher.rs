//! The page of a publisher: who it is, whether it signs, what it holds, what it published.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Owner;

use super::address::Address;
use super::page::{Frame, page};
use super::row::{Paging, Row};
use super::skill::{goes_by, kind};
use super::words::{Time, counted, grouped};
use crate::app::App;
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::catalogue::shelf::{self, Filter, Sort};
use crate::store::publishers;
use crate::store::slugs;

const PER_PAGE: u32 = 24;
/// Bare names that are listed.
const HELD: usize = 100;

#[derive(Debug, Serialize)]
struct View {
    handle: String,
    goes_by: String,
    kind: &'static str,
    since: Time,
    held: Vec<Held>,
    held_count: String,
    more_held: String,
    rows: Vec<Row>,
    by_name: bool,
    /// The list in the other order.
    reordered: Address,
    paging: Paging,
    feed: Address,
}

/// A bare name that leads to one of its skills.
#[derive(Debug, Serialize)]
struct Held {
    slug: String,
    since: Time,
}

/// `/{owner}`. A publisher of whom nothing can be seen is not found: whether an account exists is nobody's business.
pub(super) async fn publisher(
    State(app): State<App>,
    handle: Result<Path<String>, PathRejection>,
    query: Query,
) -> Result<Response, ApiError> {
    // What is no UTF-8 is nobody's name.
    let Path(handle) = handle.map_err(|_| ApiError::RouteNotFound)?;
    let owner: Owner = handle.parse().map_err(|_| ApiError::RouteNotFound)?;
    let mut conn = app.db().read().await?;
    let filter = Filter { owner: Some(owner.clone()), ..Filter::default() };
    let total = shelf::count(&mut conn, &filter).await?;
    let publisher = publishers::find(&mut conn, &owner).await?.filter(|_| total > 0);
    let publisher = publisher.ok_or(ApiError::RouteNotFound)?;
    let by_name = query.text("sort") == Some("name");
    let address = Address::publisher(&owner);
    let named = address.clone().with("sort", "name");
    let paging = Paging::of(&query, total, PER_PAGE, if by_name { &named } else { &address })?;
    let sort = if by_name { Sort::Name } else { Sort::Updated };
    let cards = shelf::page(&mut conn, &filter, sort, paging.offset(), PER_PAGE).await?;
    let held = slugs::of_owner(&mut conn, &owner).await?;
    drop(conn);
    let count = held.len();
    let held = held
        .into_iter()
        .take(HELD)
        .map(|(slug, since)| Held { slug: slug.to_string(), since: Time::of(since) });
    let view = View {
        handle: owner.to_string(),
        goes_by: goes_by(&publisher),
        kind: kind(publisher.kind),
        since: Time::of(publisher.created_at),
        held: held.collect(),
        held_count: grouped(count as u64),
        more_held: match count.saturating_sub(HELD) {
            0 => String::new(),
            more => grouped(more as u64),
        },
        rows: cards.iter().map(Row::of).collect(),
        by_name,
        reordered: if by_name { address.clone() } else { named },
        paging,
        feed: Address::feed_of(&owner),
    };
    let frame = Frame {
        title: format!("{owner}: {}", counted(total, "skill")),
        description: format!("Skills that {owner} published."),
        canonical: Some(address.clone()),
        feed: Some(Address::feed_of(&owner)),
        hidden_from_engines: view.paging.page > 1,
        place: "browse",
        ..Frame::default()
    };
    page(&app, StatusCode::OK, "publisher.html", &frame, &view)
}
