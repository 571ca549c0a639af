//! What changed between two versions: which files, which requirements, and line by line.

mod compare;
mod lines;
mod matters;
mod moves;
mod news;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use self::compare::{Compared, compare};
use super::markdown::in_query;
use super::page::page;
use super::skill::choices::Choices;
use super::skill::find::{Visit, find};
use super::skill::head::{Head, Tab};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{Query, SkillPath, version_not_found};
use crate::problem::ApiError;
use crate::store::lines::Line;

/// How two versions are laid beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct How {
    side_by_side: bool,
    /// Whether lines that differ in blanks alone are the same (`w=1`, as code hosts call it).
    ignore_blanks: bool,
}

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    choices: Choices,
    from: String,
    to: String,
    how: How,
    /// The same two versions, the other way round.
    swap: String,
    /// Whether the earlier version is yanked; of the later one the head says it.
    from_yanked: bool,
    /// `None`: there is no version to compare with.
    compared: Option<Compared>,
}

/// `/{owner}/skills/{slug}/diff?from=&to=&view=&w=`.
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
            let Some(found) = open.iter().find(|line| line.version.to_string() == version) else {
                return match find(&app, &caller, &name, Some(version)).await? {
                    Visit::Elsewhere(closed) => Ok(*closed),
                    Visit::Shown(_) => Err(version_not_found()),
                };
            };
            Some(*found)
        }
        None => open.iter().find(|line| line.version < shown.line.version).copied(),
    };
    let how =
        How { side_by_side: query.text("view") == Some("side"), ignore_blanks: query.text("w") == Some("1") };
    let head = Head::of(&shown, Tab::Diff);
    let compared = match before {
        Some(before) => Some(compare(&app, before, &shown, &head, how).await?),
        None => None,
    };
    let about: Vec<&Version> = before.iter().map(|line| &line.version).chain([&shown.line.version]).collect();
    let from = before.map(|line| line.version.to_string()).unwrap_or_default();
    let view = View {
        choices: Choices::of(open.iter().map(|line| &line.version), &about),
        swap: swap(&head, &from, how),
        to: head.version.clone(),
        from_yanked: before.is_some_and(|line| line.state == ReleaseState::Yanked),
        from,
        how,
        compared,
        head,
    };
    let canonical = format!("{}/diff", view.head.base);
    page(&app, StatusCode::OK, "diff.html", &view.head.frame(&canonical), &view)
}

fn swap(head: &Head, from: &str, how: How) -> String {
    let view = if how.side_by_side { "&view=side" } else { "" };
    let blanks = if how.ignore_blanks { "&w=1" } else { "" };
    format!("{}/diff?from={}&to={}{view}{blanks}", head.base, in_query(&head.version), in_query(from))
}
