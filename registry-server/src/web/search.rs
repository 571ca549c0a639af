//! What a question finds, with the words of the question marked.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use skill_core::name::{SkillName, Slug};
use skill_core::state::ReleaseState;

use super::address::{Address, Pages};
use super::badge::Badge;
use super::near::{self, Neighbour};
use super::page::{Frame, page};
use super::text::{Html, escape};
use super::words::{Time, counted};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::Query;
use crate::http::v1::search::{Found, look_up};
use crate::http::v1::wire::SearchItem;
use crate::problem::ApiError;
use crate::search::words_of;
use crate::store::{lines, skills};

/// Answers to one question; whoever needs more asks more exactly.
const MOST: usize = 50;
/// Longer questions are cut.
const LONGEST: usize = 200;

#[derive(Debug, Serialize)]
struct View {
    question: String,
    count: String,
    exact: Vec<Row>,
    others: Vec<Row>,
    /// Skills of that name that are closed: who looks for one should not take a look-alike.
    closed: Vec<Tombstone>,
    neighbours: Vec<Neighbour>,
}

#[derive(Debug, Serialize)]
struct Row {
    owner: String,
    address: Address,
    name: Html,
    version: String,
    summary: Html,
    badge: Option<Badge>,
    updated: Time,
}

#[derive(Debug, Serialize)]
struct Tombstone {
    owner: String,
    slug: String,
    address: Address,
    badge: Badge,
}

/// `/search`.
pub(super) async fn search(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    query: Query,
) -> Result<Response, ApiError> {
    let question: String = query.text("q").unwrap_or_default().trim().chars().take(LONGEST).collect();
    let Found { exact, others } = look_up(&app, &question, MOST, false).await?;
    let count = exact.len() + others.len();
    let nothing = count == 0 && !question.is_empty();
    let words = words_of(&question);
    let rows = |items: Vec<SearchItem>| items.iter().map(|item| row(item, &words)).collect();
    let view = View {
        count: if count == MOST {
            format!("The first {MOST} skills")
        } else {
            counted(count as u64, "skill")
        },
        exact: rows(exact),
        others: rows(others),
        closed: closed(&app, &question).await?,
        neighbours: if nothing { near::of(&app, &caller, last_part(&question)).await? } else { Vec::new() },
        question: question.clone(),
    };
    let frame = Frame {
        title: if question.is_empty() { "Search".to_owned() } else { format!("{question}: search") },
        description: "Search the skills of this registry.".to_owned(),
        hidden_from_engines: true,
        question,
        ..Frame::default()
    };
    page(&app, StatusCode::OK, "search.html", &frame, &view)
}

fn last_part(question: &str) -> &str {
    question.rsplit('/').next().unwrap_or(question)
}

fn row(item: &SearchItem, words: &[String]) -> Row {
    Row {
        owner: item.owner_handle.to_string(),
        address: Pages::of(&item.owner_handle, &item.slug).skill(),
        name: marked(item.slug.as_str(), words),
        version: item.version.to_string(),
        summary: marked(&item.summary, words),
        badge: Badge::listed(item.verdict),
        updated: Time::of(Timestamp::from_millisecond(item.updated_at).unwrap_or_default()),
    }
}

/// Skills that are called exactly so, of which nothing can be had because somebody closed it.
async fn closed(app: &App, question: &str) -> Result<Vec<Tombstone>, ApiError> {
    let name = question.trim_start_matches('@').to_lowercase();
    let mut conn = app.db().read().await?;
    let found = match (name.parse::<SkillName>(), name.parse::<Slug>()) {
        (Ok(name), _) => skills::find(&mut conn, &name).await?.into_iter().collect(),
        (_, Ok(slug)) => skills::with_slug(&mut conn, &slug).await?,
        _ => Vec::new(),
    };
    let mut tombstones = Vec::new();
    for skill in found.into_iter().filter(|skill| skill.latest.is_none() && skill.deleted_at.is_none()) {
        let all = lines::of_skill(&mut conn, &skill.id).await?;
        let told = |state| matches!(state, ReleaseState::Quarantined | ReleaseState::TakenDown);
        if all.iter().any(|line| line.state.is_downloadable()) {
            continue;
        }
        if let Some(line) = all.iter().find(|line| told(line.state)) {
            let badge = Badge::of(line.state, line.verdict);
            tombstones.push(Tombstone {
                owner: skill.owner.to_string(),
                slug: skill.slug.to_string(),
                address: Pages::of(&skill.owner, &skill.slug).skill(),
                badge,
            });
        }
    }
    Ok(tombstones)
}

/// A text with the words marked where they begin a word of it; of scripts without spaces, wherever they stand.
fn marked(text: &str, words: &[String]) -> Html {
    let characters: Vec<char> = text.chars().collect();
    let lower: Vec<char> = characters.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let words: Vec<Vec<char>> = words.iter().map(|word| word.chars().collect()).collect();
    let mut out = String::new();
    let mut at = 0;
    let mut plain = String::new();
    while at < lower.len() {
        let begins = at == 0 || !lower[at - 1].is_alphanumeric() || !lower[at].is_ascii();
        let found = words.iter().filter(|word| begins && lower[at..].starts_with(word)).map(Vec::len).max();
        let Some(length) = found.filter(|length| *length > 0) else {
            plain.push(characters[at]);
            at += 1;
            continue;
        };
        // Writing to a string cannot end in an error.
        let _ = escape(&mut out, &std::mem::take(&mut plain));
        out.push_str("<mark>");
        let _ = escape(&mut out, &String::from_iter(&characters[at..at + length]));
        out.push_str("</mark>");
        at += length;
    }
    let _ = escape(&mut out, &plain);
    Html::written(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_where_they_begin() {
        let mark = |text, question| marked(text, &words_of(question)).as_str().to_owned();
        assert_eq!(
            mark("Pull requests on GitHub", "git REQ"),
            "Pull <mark>req</mark>uests on <mark>Git</mark>Hub"
        );
        assert_eq!(mark("digit", "git"), "digit");
        assert_eq!(mark("查询天气预报", "天气"), "查询<mark>天气</mark>预报");
        assert_eq!(
            mark("<b>git</b>", "git b"),
            "&lt;<mark>b</mark>&gt;<mark>git</mark>&lt;/<mark>b</mark>&gt;"
        );
    }
}
