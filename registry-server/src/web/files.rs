//! The files of a release: as a list, and one of them as text.

mod one;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::verdict::Finding;

use super::markdown::in_query;
use super::page::page;
use super::skill::find::{Shown, Visit, find};
use super::skill::head::{Head, Tab};
use super::skill::raw_address;
use super::words::{bytes, counted};
use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{Query, SkillPath};
use crate::problem::ApiError;
use crate::store::files::{self, FileRow};

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    count: String,
    size: String,
    folders: Vec<Folder>,
    archive: String,
}

/// The files that stand in one folder.
#[derive(Debug, Serialize)]
struct Folder {
    /// Its path; empty for the top.
    path: String,
    count: String,
    /// Whether it is shown without asking.
    open: bool,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    address: String,
    size: String,
    executable: bool,
    findings: usize,
    raw: String,
}

/// Above this many files folders are closed at first.
const MANY: usize = 200;

/// `/{owner}/skills/{slug}/files`, and with `path=` one of them.
pub(super) async fn files(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Response, ApiError> {
    let shown = match find(&app, &caller, &name, query.text("version")).await? {
        Visit::Shown(shown) => shown,
        Visit::Elsewhere(response) => return Ok(*response),
    };
    let listed = files::of_release(&mut *app.db().read().await?, &shown.release.id).await?;
    let head = Head::of(&shown, Tab::Files);
    if let Some(path) = query.text("path") {
        return one::one(&app, &shown, head, &listed, path).await;
    }
    let view = View {
        count: counted(shown.release.file_count, "file"),
        size: bytes(shown.release.size),
        folders: folders(&head, &listed, &shown.release.findings),
        archive: archive(&head, &shown),
        head,
    };
    let canonical = format!("{}/files", view.head.base);
    page(&app, StatusCode::OK, "files.html", &view.head.frame(&canonical), &view)
}

fn archive(head: &Head, shown: &Shown) -> String {
    let version = in_query(&shown.release.version.to_string());
    format!("/api/v1/download?slug={}&ownerHandle={}&version={version}", head.slug, head.owner)
}

fn folders(head: &Head, listed: &[FileRow], findings: &[Finding]) -> Vec<Folder> {
    let mut folders: Vec<(String, Vec<Row>)> = Vec::new();
    for file in listed {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let row = Row {
            name: name.to_owned(),
            address: address(head, &file.path),
            size: bytes(file.size),
            executable: file.executable,
            findings: findings.iter().filter(|finding| finding.file == file.path).count(),
            raw: raw_address(head, &file.path),
        };
        match folders.iter_mut().find(|(path, _)| path == folder) {
            Some((_, rows)) => rows.push(row),
            None => folders.push((folder.to_owned(), vec![row])),
        }
    }
    folders.sort_by(|(a, _), (b, _)| a.cmp(b));
    let folder = |(path, rows): (String, Vec<Row>)| Folder {
        count: counted(rows.len() as u64, "file"),
        open: listed.len() <= MANY || path.is_empty(),
        path,
        rows,
    };
    folders.into_iter().map(folder).collect()
}

/// A place in a file in words, and its address; line 0 is the whole file.
pub(super) fn place(head: &Head, path: &str, line: u32) -> (String, String) {
    let page = address(head, path);
    match line {
        0 => (path.to_owned(), page),
        line => (format!("{path}, line {line}"), format!("{page}#L{line}")),
    }
}

/// The page of one file.
pub(super) fn address(head: &Head, path: &str) -> String {
    format!("{}/files?version={}&path={}", head.base, in_query(&head.version), in_query(path))
}
