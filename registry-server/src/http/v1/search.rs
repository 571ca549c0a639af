use std::collections::HashSet;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use skill_core::name::{SkillName, Slug};

use super::answer::{json, search_item};
use super::wire::{SearchItem, SearchResults};
use crate::app::App;
use crate::downloads::Counts;
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::skills::Skill;
use crate::store::{Conn, catalogue, skills, slugs};

const LIMIT: usize = 25;
const MOST: usize = 200;

/// Searches the skills that can be chosen.
///
/// The skill whose slug, or `owner/slug`, is exactly what was asked comes first, straight from the database: it
/// is found as soon as it is published. Then by where the words occur: slug, name, summary, text. Every word
/// must occur, or begin a word of slug, name or summary. An empty question has no answers.
#[utoipa::path(
    get,
    path = "/api/v1/search",
    tag = "clawhub",
    params(
        ("q" = Option<String>, Query, description = "The question"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 25 if it is not said"),
        ("mode" = Option<String>, Query, description = "`exact`: only skills of exactly that slug or name"),
        ("nonSuspiciousOnly" = Option<String>, Query, description = "`true`: leave suspicious releases out"),
    ),
    responses((status = 200, body = SearchResults), (status = 400, description = "Another `mode`")),
)]
pub(crate) async fn search(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let exact_only = match query.text("mode") {
        None => false,
        Some("exact") => true,
        Some(_) => {
            return Err(ApiError::Other {
                status: StatusCode::BAD_REQUEST,
                code: "usage",
                title: "Invalid search mode".to_owned(),
            });
        }
    };
    let limit = query.limit(LIMIT, MOST);
    let without_suspicious = query.flag("nonSuspiciousOnly") || query.flag("nonSuspicious");
    let question = query.text("q").unwrap_or_default().trim().to_owned();
    let Found { exact: mut results, mut others } =
        look_up(&app, &question, limit, without_suspicious).await?;
    if exact_only {
        others.retain(|item| item.display_name.to_lowercase() == question.to_lowercase());
    }
    let best = others.first().map_or(0.0, |item| item.score);
    for item in &mut results {
        item.score = best + 1.0;
    }
    results.extend(others);
    results.truncate(limit);
    count(&app, &mut results).await?;
    Ok(json(&SearchResults { results }))
}

/// What a question finds.
#[derive(Debug)]
pub(crate) struct Found {
    /// The skills that are called exactly so; the holder of a bare slug before the others.
    pub exact: Vec<SearchItem>,
    /// What the index finds beside them, best first.
    pub others: Vec<SearchItem>,
}

/// Asks the database for the name and the index for the words.
pub(crate) async fn look_up(
    app: &App,
    question: &str,
    limit: usize,
    without_suspicious: bool,
) -> Result<Found, ApiError> {
    let mut exact = exact(app, question).await?;
    exact.retain(|item| !(without_suspicious && item.verdict.needs_acceptance()));
    let known: HashSet<String> = exact.iter().map(|item| item.id.clone()).collect();
    // Read before the index is asked: whatever it misses has a higher number.
    let behind = app.search().seen() < app.pulse().event();
    let mut others = found(app, question, limit, without_suspicious).await?;
    if behind {
        others = still_chosen(app, others).await?;
    }
    others.retain(|item| !known.contains(&item.id));
    Ok(Found { exact, others })
}

/// The index knows what was counted when a skill changed last; the answer says what is counted now.
async fn count(app: &App, items: &mut [SearchItem]) -> Result<(), ApiError> {
    let counts = Counts::of(app, items.iter().map(|item| item.id.clone()).collect()).await?;
    for item in items {
        item.downloads = counts.get(&item.id).map_or(item.downloads, |count| *count as i64);
    }
    Ok(())
}

/// The skills that are called exactly so; the holder of a bare slug before the others.
async fn exact(app: &App, question: &str) -> Result<Vec<SearchItem>, ApiError> {
    let name = question.trim_start_matches('@').to_lowercase();
    let mut conn = app.db().read().await?;
    let mut items = Vec::new();
    for skill in called(&mut conn, &name).await? {
        let Some(latest) = &skill.latest else { continue };
        if let Some(card) = catalogue::card(&mut conn, &skill.id, latest).await? {
            items.push(search_item(app, &card));
        }
    }
    Ok(items)
}

async fn called(conn: &mut Conn, name: &str) -> Result<Vec<Skill>, ApiError> {
    if let Ok(name) = name.parse::<SkillName>() {
        let skill = skills::find(conn, &name).await?;
        return Ok(skill.into_iter().filter(|skill| skill.deleted_at.is_none()).collect());
    }
    let Ok(slug) = name.parse::<Slug>() else { return Ok(Vec::new()) };
    let holder = slugs::holder(conn, &slug).await?;
    let mut skills = skills::with_slug(conn, &slug).await?;
    skills.sort_by_key(|skill| Some(&skill.id) != holder.as_ref());
    Ok(skills)
}

/// While the index is behind the registry, what it finds is asked of the database once more: what was closed a
/// moment ago is no answer.
async fn still_chosen(app: &App, items: Vec<SearchItem>) -> Result<Vec<SearchItem>, ApiError> {
    let mut conn = app.db().read().await?;
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let skill = skills::by_id(&mut conn, &item.id).await?;
        if skill.is_some_and(|skill| skill.latest.is_some() && skill.deleted_at.is_none()) {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// What the index finds.
async fn found(
    app: &App,
    question: &str,
    limit: usize,
    without_suspicious: bool,
) -> Result<Vec<SearchItem>, ApiError> {
    let app = app.clone();
    let question = question.to_owned();
    let hits = tokio::task::spawn_blocking(move || app.search().find(&question, limit, without_suspicious));
    let hits = hits.await.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    hits.into_iter()
        .map(|hit| {
            let item: SearchItem = serde_json::from_slice(&hit.card).map_err(ApiError::internal)?;
            Ok(SearchItem { score: hit.score, ..item })
        })
        .collect()
}
