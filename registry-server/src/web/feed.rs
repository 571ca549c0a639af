//! Feeds: what was published, closed and opened again, in all or of a publisher or a skill.

mod atom;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use jiff::Timestamp;
use skill_core::name::Owner;
use skill_core::state::ReleaseState;

use self::atom::{Entry, Feed};
use super::address::{Address, Pages};
use super::badge::Badge;
use super::page::sent;
use crate::app::App;
use crate::http::extract::{SkillPath, skill_not_found};
use crate::problem::ApiError;
use crate::store::news::{self, About, News, What};
use crate::store::{aliases, skills};

/// Entries of a feed, which is the whole of it.
const LISTED: u32 = 50;

/// `/feed.atom`.
pub(super) async fn all(State(app): State<App>) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let news = news::latest(&mut conn, About::All, LISTED).await?;
    drop(conn);
    let subject = Subject { name: "", feed: Address::feed(), page: Address::home() };
    subject.sent(&app, &news)
}

/// `/{owner}/feed.atom`. A publisher of whom nothing can be told is not found, as on the page.
pub(super) async fn of_publisher(
    State(app): State<App>,
    handle: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(handle) = handle.map_err(|_| ApiError::RouteNotFound)?;
    let owner: Owner = handle.parse().map_err(|_| ApiError::RouteNotFound)?;
    let mut conn = app.db().read().await?;
    let news = news::latest(&mut conn, About::Owner(&owner), LISTED).await?;
    drop(conn);
    if news.is_empty() {
        return Err(ApiError::RouteNotFound);
    }
    let (feed, page) = (Address::feed_of(&owner), Address::publisher(&owner));
    Subject { name: owner.as_str(), feed, page }.sent(&app, &news)
}

/// `/{owner}/skills/{slug}/feed.atom`.
pub(super) async fn of_skill(
    State(app): State<App>,
    SkillPath(name): SkillPath,
) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let Some(skill) = skills::find(&mut conn, &name).await? else {
        let id = aliases::find(&mut conn, &name).await?.ok_or_else(skill_not_found)?;
        let skill = skills::by_id(&mut conn, &id).await?.ok_or_else(skill_not_found)?;
        let moved = Pages::named(&skill.name()).feed();
        return Ok(Redirect::temporary(moved.as_str()).into_response());
    };
    let news = news::latest(&mut conn, About::Skill(&skill.id), LISTED).await?;
    drop(conn);
    if news.is_empty() {
        return Err(skill_not_found());
    }
    let pages = Pages::named(&name);
    Subject { name: &name.to_string(), feed: pages.feed(), page: pages.skill() }.sent(&app, &news)
}

/// What a feed is about.
struct Subject<'a> {
    /// Empty: the whole registry.
    name: &'a str,
    feed: Address,
    page: Address,
}

impl Subject<'_> {
    fn sent(&self, app: &App, news: &[News]) -> Result<Response, ApiError> {
        let (base, registry) = (app.base_url(), app.registry_id());
        let host = base.split_once("://").map_or(base.as_str(), |(_, rest)| rest);
        let of = if self.name.is_empty() { String::new() } else { format!(":{}", self.name) };
        let feed = Feed {
            id: format!("urn:skill-registry:{registry}:feed{of}"),
            title: if self.name.is_empty() { host.to_owned() } else { format!("{} · {host}", self.name) },
            // A feed has to say when it changed: one without entries never did.
            updated: news.first().map_or(Timestamp::UNIX_EPOCH, |newest| newest.at),
            here: format!("{base}{}", self.feed),
            page: format!("{base}{}", self.page),
            author: host.to_owned(),
            entries: news.iter().map(|one| entry(app, one)).collect(),
        };
        sent(app, StatusCode::OK, "application/atom+xml; charset=utf-8", feed.xml())
    }
}

fn entry(app: &App, news: &News) -> Entry {
    let page = Pages::named(&news.name).version(&news.version.to_string());
    Entry {
        // Of a statement, not of a name: that may change.
        id: format!("urn:skill-registry:{}:log:{}", app.registry_id(), news.log_index),
        title: format!("{} {} {}", news.name, news.version, happened(news)),
        at: news.at,
        author: news.name.owner.to_string(),
        page: format!("{}{page}", app.base_url()),
        summary: summary(news),
    }
}

/// What became of it, in a word, and what to know of what can be had.
fn happened(news: &News) -> String {
    match &news.what {
        What::Published { .. } => {
            let badge = Badge::of(ReleaseState::Visible, news.verdict);
            if badge.is_clean() {
                "published".to_owned()
            } else {
                format!("published: {}", badge.word.to_lowercase())
            }
        }
        What::Restricted { action, .. } => match action.as_str() {
            "yank" => "yanked",
            "unyank" => "no longer yanked",
            "withdraw" => "withdrawn",
            "quarantine" => "quarantined",
            "takedown" => "taken down",
            "restoration" => "given back",
            other => other,
        }
        .to_owned(),
    }
}

fn summary(news: &News) -> String {
    match &news.what {
        What::Published { summary, changelog } if changelog.trim().is_empty() => summary.clone(),
        What::Published { changelog, .. } => changelog.clone(),
        What::Restricted { reason, .. } if reason.trim().is_empty() => "No reason was given.".to_owned(),
        What::Restricted { reason, .. } => reason.clone(),
    }
}
