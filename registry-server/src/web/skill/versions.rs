//! Every version of a skill that can be seen, and the closed ones that readers have to know of.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::state::ReleaseState;

use super::choices::Choices;
use super::find::{Shown, Visit, find};
use super::head::{Head, Tab};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{Query, SkillPath};
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::tags;
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::page::page;
use crate::web::row::Paging;
use crate::web::words::{Time, bytes, counted};

const PER_PAGE: usize = 50;

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    rows: Vec<Row>,
    closed: Vec<Closed>,
    paging: Paging,
    /// Closed ones that are not listed.
    more_closed: usize,
    /// For the form that compares two of them.
    comparable: Choices,
}

#[derive(Debug, Serialize)]
struct Row {
    version: String,
    address: Address,
    badge: Badge,
    yanked: bool,
    published: Time,
    content: String,
    digest: String,
    tags: Vec<String>,
    changes: String,
    /// The address of what changed against the version before.
    diff: Option<Address>,
}

#[derive(Debug, Serialize)]
struct Closed {
    version: String,
    address: Address,
    badge: Badge,
    since: Option<Time>,
    reason: String,
}

/// `/{owner}/skills/{slug}/versions`.
pub(in crate::web) async fn versions(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Response, ApiError> {
    let shown = match find(&app, &caller, &name, None).await? {
        Visit::Shown(shown) => shown,
        Visit::Elsewhere(response) => return Ok(*response),
    };
    let mut conn = app.db().read().await?;
    let changes = lines::changes(&mut conn, &shown.skill.id).await?;
    let tags = tags::of_skill(&mut conn, &shown.skill.id).await?;
    drop(conn);
    let head = Head::of(&shown, Tab::Versions);
    let listed: Vec<&Line> = shown.lines.iter().filter(|line| line.state.is_downloadable()).collect();
    let address = head.pages.versions();
    let paging = Paging::of(&query, listed.len() as u64, PER_PAGE as u32, &address)?;
    let from = paging.offset() as usize;
    let row = |(index, line): (usize, &&Line)| {
        let mut row = row(line, &head.pages, listed.get(index + 1).copied());
        row.changes = changes.get(&line.id).cloned().unwrap_or_default();
        row.tags =
            tags.iter().filter(|(_, at)| *at == line.version).map(|(tag, _)| tag.to_string()).collect();
        if shown.skill.latest.as_ref() == Some(&line.version) {
            row.tags.insert(0, "latest".to_owned());
        }
        row
    };
    let closed: Vec<&Line> = shown.lines.iter().filter(|line| must_be_known(line.state)).collect();
    let view = View {
        rows: listed.iter().enumerate().skip(from).take(PER_PAGE).map(row).collect(),
        more_closed: closed.len().saturating_sub(PER_PAGE),
        closed: closed.iter().take(PER_PAGE).map(|line| closed_row(&shown, line, &head.pages)).collect(),
        comparable: Choices::of(listed.iter().map(|line| &line.version), &[]),
        paging,
        head,
    };
    page(&app, StatusCode::OK, "versions.html", &view.head.frame(address), &view)
}

fn row(line: &Line, pages: &Pages, before: Option<&Line>) -> Row {
    Row {
        version: line.version.to_string(),
        address: pages.version(&line.version.to_string()),
        badge: Badge::of(line.state, line.verdict),
        yanked: line.state == ReleaseState::Yanked,
        published: Time::of(line.published_at),
        content: format!("{}, {}", counted(line.file_count, "file"), bytes(line.size)),
        digest: line.tree_digest.to_string(),
        tags: Vec::new(),
        changes: String::new(),
        diff: before.map(|before| pages.changes(&before.version.to_string(), &line.version.to_string())),
    }
}

/// What was closed by others than its publisher: whoever has it should know.
const fn must_be_known(state: ReleaseState) -> bool {
    matches!(state, ReleaseState::Quarantined | ReleaseState::TakenDown)
}

fn closed_row(shown: &Shown, line: &Line, pages: &Pages) -> Closed {
    let why = shown.why(line);
    Closed {
        version: line.version.to_string(),
        address: pages.version(&line.version.to_string()),
        badge: Badge::of(line.state, line.verdict),
        since: why.map(|why| Time::of(why.at)),
        reason: why.map(|why| why.reason.clone()).unwrap_or_default(),
    }
}
