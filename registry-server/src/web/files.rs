//! The files of a release: as a list, and one of them as text.

mod one;
mod text_of;

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::verdict::Finding;

pub(super) use self::text_of::TextOf;
use super::address::Address;
use super::page::page;
use super::row::Paging;
use super::skill::find::{Visit, find};
use super::skill::head::{Head, Tab};
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
    paging: Paging,
    archive: Address,
}

/// The files that stand in one folder, as far as they are on this page.
#[derive(Debug, Serialize)]
struct Folder {
    /// Its path; empty for the top.
    path: String,
    /// How many files it has, on all pages.
    count: String,
    rows: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    address: Address,
    size: String,
    executable: bool,
    findings: usize,
    raw: Address,
}

/// Files of one page: 2,000 of them, the most that a bundle has, would be a page of a megabyte.
const PER_PAGE: u32 = 200;

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
    let address = head.pages.files().with("version", &head.version);
    let paging = Paging::of(&query, listed.len() as u64, PER_PAGE, &address)?;
    let view = View {
        count: counted(shown.release.file_count, "file"),
        size: bytes(shown.release.size),
        folders: folders(&head, &listed, paging.offset() as usize, &shown.release.findings),
        paging,
        archive: head.pages.archive(&head.version),
        head,
    };
    let frame = view.head.frame(view.head.pages.files());
    page(&app, StatusCode::OK, "files.html", &frame, &view)
}

/// The folders of one page: the top one first, then by path, each with its files.
fn folders(head: &Head, listed: &[FileRow], before: usize, findings: &[Finding]) -> Vec<Folder> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut files: Vec<(&str, &str, &FileRow)> = Vec::with_capacity(listed.len());
    for file in listed {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        *counts.entry(folder).or_default() += 1;
        files.push((folder, name, file));
    }
    files.sort_by_key(|(folder, name, _)| (*folder, *name));
    let mut folders: Vec<Folder> = Vec::new();
    for (folder, name, file) in files.into_iter().skip(before).take(PER_PAGE as usize) {
        let row = Row {
            name: name.to_owned(),
            address: head.pages.file(&head.version, &file.path),
            size: bytes(file.size),
            executable: file.executable,
            findings: findings.iter().filter(|finding| finding.file == file.path).count(),
            raw: head.pages.raw(&head.version, &file.path),
        };
        match folders.last_mut().filter(|last| last.path == folder) {
            Some(last) => last.rows.push(row),
            None => folders.push(Folder {
                path: folder.to_owned(),
                count: counted(counts.get(folder).copied().unwrap_or_default(), "file"),
                rows: vec![row],
            }),
        }
    }
    folders
}

/// A place in a file. The path and the number stay apart: a path that runs right to left must not swap with what
/// stands behind it.
#[derive(Debug, Serialize)]
pub(super) struct Location {
    pub file: String,
    /// From 1; 0 is the whole file.
    pub line: u32,
    pub address: Address,
}

impl Location {
    pub(super) fn of(head: &Head, path: &str, line: u32) -> Self {
        let address = head.pages.file(&head.version, path).line(line);
        Self { file: path.to_owned(), line, address }
    }
}
