//! What changed between two versions: which files, which requirements, and line by line.

mod compare;
mod lines;
mod matters;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use self::compare::{Compared, compare};
use super::markdown::in_query;
use super::page::page;
use super::skill::find::{Visit, find};
use super::skill::head::{Head, Tab};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{Query, SkillPath, version_not_found};
use crate::problem::ApiError;
use crate::store::lines::Line;

/// Versions that can be chosen from in a list.
const CHOICES: usize = 500;

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    versions: Vec<String>,
    from: String,
    to: String,
    side_by_side: bool,
    /// The same two versions, the other way round.
    swap: String,
    /// `None`: there is no version to compare with.
    compared: Option<Compared>,
}

/// `/{owner}/skills/{slug}/diff?from=&to=&view=`.
pub(super) async fn diff(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Response, ApiError> {
    let shown = match find(&app, &caller, &name, query.text("to")).await? {
        Visit::Shown(shown) => shown,
        Visit::Elsewhere(response) => return Ok(*response),
    };
    let open: Vec<&Line> = shown.lines.iter().filter(|line| line.state.is_downloadable()).collect();
    let before = match query.text("from") {
        Some(version) => {
            let found = open.iter().find(|line| line.version.to_string() == version);
            Some(*found.ok_or_else(version_not_found)?)
        }
        None => open.iter().find(|line| line.version < shown.line.version).copied(),
    };
    let side_by_side = query.text("view") == Some("side");
    let compared = match before {
        Some(before) => Some(compare(&app, before, &shown, side_by_side).await?),
        None => None,
    };
    let head = Head::of(&shown, Tab::Diff);
    let from = before.map(|line| line.version.to_string()).unwrap_or_default();
    let view = View {
        versions: open.iter().take(CHOICES).map(|line| line.version.to_string()).collect(),
        swap: swap(&head, &from, side_by_side),
        to: head.version.clone(),
        from,
        side_by_side,
        compared,
        head,
    };
    let canonical = format!("{}/diff", view.head.base);
    page(&app, StatusCode::OK, "diff.html", &view.head.frame(&canonical), &view)
}

fn swap(head: &Head, from: &str, side_by_side: bool) -> String {
    let view = if side_by_side { "&view=side" } else { "" };
    format!("{}/diff?from={}&to={}{view}", head.base, in_query(&head.version), in_query(from))
}
