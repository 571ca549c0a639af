//! What changed between two versions: which files, which requirements, and line by line.

mod budget;
mod compare;
mod lines;
mod matters;
mod moves;
mod news;
mod order;

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use self::compare::{Compared, compare};
use super::address::Address;
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

/// What a comparison was asked for.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    how: How,
    /// The one file whose lines are wanted.
    only: Option<&'a str>,
    /// The address of the comparison, without a file.
    address: &'a Address,
}

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    choices: Choices,
    from: String,
    to: String,
    how: How,
    /// The same two versions, the other way round.
    swap: Address,
    /// Whether the earlier version is yanked; of the later one the head says it.
    from_yanked: bool,
    /// The one file that was asked for, or nothing.
    only: String,
    /// The comparison of all files.
    all: Address,
    /// `None`: there is no version to compare with.
    compared: Option<Compared>,
}

/// How long a page waits for its turn to compare.
const WAITING: Duration = Duration::from_secs(20);

/// `/{owner}/skills/{slug}/diff?from=&to=&path=&view=&w=`.
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
    let (from, only) = (before.map(|line| line.version.to_string()).unwrap_or_default(), query.text("path"));
    let all = address(&head, [&from, &head.version], how);
    // Held until the page is written: that many comparisons are in memory at a time, whoever asks.
    let turn = tokio::time::timeout(WAITING, app.comparisons().acquire());
    let _turn = turn.await.map_err(|_| ApiError::Busy)?;
    let compared = match before {
        Some(before) => Some(compare(&app, before, &shown, &head, Asked { how, only, address: &all }).await?),
        None => None,
    };
    let about: Vec<&Version> = before.iter().map(|line| &line.version).chain([&shown.line.version]).collect();
    let view = View {
        choices: Choices::of(open.iter().map(|line| &line.version), &about),
        swap: address(&head, [&head.version, &from], how),
        only: only.unwrap_or_default().to_owned(),
        all,
        to: head.version.clone(),
        from_yanked: before.is_some_and(|line| line.state == ReleaseState::Yanked),
        from,
        how,
        compared,
        head,
    };
    page(&app, StatusCode::OK, "diff.html", &view.head.frame(view.head.pages.diff()), &view)
}

fn address(head: &Head, [from, to]: [&str; 2], how: How) -> Address {
    let asked = [("view", "side", how.side_by_side), ("w", "1", how.ignore_blanks)];
    let asked = asked.into_iter().filter(|(.., asked)| *asked);
    asked.fold(head.pages.changes(from, to), |address, (key, value, _)| address.with(key, value))
}
