use axum::extract::State;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use skill_core::name::SkillName;

use super::answer::{item, json};
use super::wire::SkillPage;
use crate::app::App;
use crate::http::extract::Query;
use crate::nul;
use crate::problem::ApiError;
use crate::store::catalogue::{self, After, Card, Order};
use crate::store::downloads;

const LIMIT: usize = 25;
const MOST: usize = 200;
/// Days of which downloads count for what is trending, today among them.
const TRENDING_DAYS: i64 = 7;

/// Where the next page begins.
#[derive(Debug, Serialize, Deserialize)]
enum Cursor {
    Rank(i64, String),
    Name(SkillName),
}

impl Cursor {
    fn to_text(&self) -> String {
        // Numbers and names under fixed keys: it is always JSON.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    fn read(text: &str) -> Result<Self, ApiError> {
        let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid("cursor"))?;
        let cursor = serde_json::from_slice(&json).ok().filter(|_| !nul::is_in_json(&json));
        cursor.ok_or_else(|| invalid("cursor"))
    }
}

/// Which list is asked for.
enum Listing {
    Ranked(Order),
    Prefix(String),
}

/// Lists the skills that can be chosen.
#[utoipa::path(
    get,
    path = "/api/v1/skills",
    tag = "clawhub",
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, 25 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
        ("sort" = Option<String>, Query, description = "`updated` (if it is not said), `createdAt`, `downloads`, \
            `installs`, `stars`, `recommended`, `trending` (one page) or `name`"),
        ("prefix" = Option<String>, Query, description = "Beginning of a slug; implies `name`"),
        ("nonSuspiciousOnly" = Option<String>, Query, description = "`true`: leave suspicious releases out"),
    ),
    responses((status = 200, body = SkillPage), (status = 400, description = "Another sort, prefix or cursor")),
)]
pub(crate) async fn list(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let limit = query.limit(LIMIT, MOST);
    let clean = query.flag("nonSuspiciousOnly") || query.flag("nonSuspicious");
    let cursor = query.text("cursor").map(Cursor::read).transpose()?;
    let (cards, next) = match listing(&app, &query)? {
        Listing::Ranked(order) => ranked(&app, order, clean, cursor, limit).await?,
        Listing::Prefix(prefix) => by_name(&app, &prefix, clean, cursor, limit).await?,
    };
    let page =
        SkillPage { items: cards.iter().map(item).collect(), next_cursor: next.map(|next| next.to_text()) };
    Ok(json(&page))
}

async fn ranked(
    app: &App,
    order: Order,
    clean: bool,
    cursor: Option<Cursor>,
    limit: usize,
) -> Result<(Vec<Card>, Option<Cursor>), ApiError> {
    let trending = matches!(order, Order::Trending { .. });
    let after = match cursor {
        Some(Cursor::Rank(rank, id)) if !trending => Some(After { rank, id }),
        Some(Cursor::Name(_)) => return Err(invalid("cursor")),
        _ => None,
    };
    let mut conn = app.db().read().await?;
    let mut page = catalogue::page(&mut conn, order, clean, after.as_ref(), limit as u32 + 1).await?;
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more && !trending);
    let next = next.map(|(rank, card)| Cursor::Rank(*rank, card.skill_id.clone()));
    Ok((page.into_iter().map(|(_, card)| card).collect(), next))
}

async fn by_name(
    app: &App,
    prefix: &str,
    clean: bool,
    cursor: Option<Cursor>,
    limit: usize,
) -> Result<(Vec<Card>, Option<Cursor>), ApiError> {
    let after = match cursor {
        Some(Cursor::Name(name)) => Some(name),
        Some(Cursor::Rank(..)) => return Err(invalid("cursor")),
        None => None,
    };
    let mut conn = app.db().read().await?;
    let mut page = catalogue::by_prefix(&mut conn, prefix, clean, after.as_ref(), limit as u32 + 1).await?;
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more).map(|card| Cursor::Name(card.name()));
    Ok((page, next))
}

fn listing(app: &App, query: &Query) -> Result<Listing, ApiError> {
    let sort = query.text("sort");
    if let Some(prefix) = query.text("prefix") {
        let fits = prefix.len() <= 96
            && !prefix.starts_with('-')
            && prefix.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !fits || !matches!(sort, None | Some("name")) {
            return Err(invalid("prefix"));
        }
        return Ok(Listing::Prefix(prefix.to_owned()));
    }
    Ok(Listing::Ranked(match sort.unwrap_or("updated") {
        "updated" => Order::Updated,
        "createdAt" | "created-at" | "newest" => Order::Created,
        "stars" | "rating" => Order::Stars,
        "trending" => Order::Trending { since: downloads::since(app.clock().now(), TRENDING_DAYS) },
        "name" => return Ok(Listing::Prefix(String::new())),
        "downloads" | "recommended" | "default" | "current" => Order::Downloads,
        installs if installs.starts_with("installs") => Order::Downloads,
        _ => return Err(invalid("sort")),
    }))
}

/// The contract's words: `Invalid sort query parameter`.
fn invalid(parameter: &str) -> ApiError {
    ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "usage",
        title: format!("Invalid {parameter} query parameter"),
    }
}
