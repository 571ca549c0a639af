use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use skill_bundle::BundlePath;

use super::How;
use super::lines::{Part, parts};
use super::matters::{Change, matters};
use super::moves::moves;
use super::news::{News, Side, news};
use crate::app::App;
use crate::http::extract::version_not_found;
use crate::problem::ApiError;
use crate::skill_md::file_of;
use crate::store::files::{self, FileRow};
use crate::store::lines::Line;
use crate::store::{readings, releases};
use crate::web::badge::Badge;
use crate::web::files::address;
use crate::web::skill::find::Shown;
use crate::web::skill::head::Head;
use crate::web::words::{bytes, counted};

/// Larger files are not compared line by line.
const LARGEST: u64 = 128 * 1024;
/// Changed files that have a place of their own in the page; the rest is only named.
const SHOWN: usize = 200;
/// Files that are compared line by line, and bytes of all of them.
const FILES: usize = 50;
const TOGETHER: u64 = 1 << 20;

/// Two releases side by side.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    counts: String,
    news: News,
    matters: Vec<Change>,
    files: Vec<File>,
    rest: Vec<Named>,
}

/// A changed file that is only named.
#[derive(Debug, Serialize)]
struct Named {
    path: String,
    word: &'static str,
}

/// A file that changed.
#[derive(Debug, Serialize)]
struct File {
    number: usize,
    path: String,
    badge: Badge,
    size: String,
    notes: Vec<&'static str>,
    /// Where it was, if it moved.
    was: Option<String>,
    /// Its page in the newer version, to which long stretches without changes lead; empty if it is not there.
    address: String,
    parts: Vec<Part>,
}

/// The same path in both releases, where it is there.
#[derive(Debug, Clone, Copy)]
struct Pair<'a> {
    before: Option<&'a FileRow>,
    after: Option<&'a FileRow>,
}

const ADDED: Badge = Badge { class: "is-off", icon: "added", word: "Added" };
const REMOVED: Badge = Badge { class: "is-off", icon: "withdrawn", word: "Removed" };
const MOVED: Badge = Badge { class: "is-off", icon: "changed", word: "Moved" };
const CHANGED: Badge = Badge { class: "is-off", icon: "changed", word: "Changed" };

impl Pair<'_> {
    /// How the file changed; `None` if it did not.
    fn badge(self) -> Option<Badge> {
        match (self.before, self.after) {
            (None, _) => Some(ADDED),
            (_, None) => Some(REMOVED),
            (Some(before), Some(after)) if before.path != after.path => Some(MOVED),
            (Some(before), Some(after)) => {
                let same = before.sha256 == after.sha256 && before.executable == after.executable;
                (!same).then_some(CHANGED)
            }
        }
    }

    fn sizes(self) -> [u64; 2] {
        [self.before, self.after].map(|file| file.map_or(0, |file| file.size))
    }

    /// Where a file was that moved.
    fn was(self) -> Option<String> {
        let (before, after) = (self.before?, self.after?);
        (before.path != after.path).then(|| before.path.clone())
    }

    /// What became of the right to be executed.
    fn mode(self) -> Option<&'static str> {
        let bit = |file: Option<&FileRow>| file.is_some_and(|file| file.executable);
        match (bit(self.before), bit(self.after)) {
            (false, true) => Some("May be executed now."),
            (true, false) => Some("May not be executed any more."),
            _ => None,
        }
    }
}

/// Compares a release with the one that is shown.
pub(super) async fn compare(
    app: &App,
    before: &Line,
    shown: &Shown,
    head: &Head,
    how: How,
) -> Result<Compared, ApiError> {
    let mut conn = app.db().read().await?;
    let older = releases::by_id(&mut conn, &before.id).await?.ok_or_else(version_not_found)?;
    let old = by_path(files::of_release(&mut conn, &before.id).await?);
    let new = by_path(files::of_release(&mut conn, &shown.line.id).await?);
    let reach = [
        readings::capabilities(&mut conn, &before.id).await?,
        readings::capabilities(&mut conn, &shown.line.id).await?,
    ];
    drop(conn);
    let [old_reach, new_reach] = reach.each_ref().map(Option::as_ref);
    let news = news(Side { reach: old_reach, files: &old }, Side { reach: new_reach, files: &new }, head);
    let changed = changed(&old, &new);
    let mut shown_files: Vec<File> = Vec::new();
    let mut together = 0;
    for &(path, pair, badge) in changed.iter().take(SHOWN) {
        let [one, other] = pair.sizes();
        together += one + other;
        let mut file = File {
            number: shown_files.len() + 1,
            path: path.clone(),
            badge,
            size: bytes(if pair.after.is_some() { other } else { one }),
            notes: pair.mode().into_iter().collect(),
            was: pair.was(),
            address: pair.after.map(|file| address(head, &file.path)).unwrap_or_default(),
            parts: Vec::new(),
        };
        if file.was.is_some() {
            file.notes.push("Its content is the same.");
        } else if one.max(other) > LARGEST || together > TOGETHER || shown_files.len() >= FILES {
            file.notes.push("Too much to be compared here line by line.");
        } else {
            let one = content(app, before, pair.before).await?;
            let other = content(app, &shown.line, pair.after).await?;
            file.read(one, other, how);
        }
        shown_files.push(file);
    }
    let rest = changed.iter().skip(SHOWN);
    let rest = rest.map(|(path, _, badge)| Named { path: (*path).clone(), word: badge.word }).collect();
    let matters = matters(&older, &shown.release);
    let counts = counts(&changed);
    Ok(Compared { counts, news, matters, files: shown_files, rest })
}

/// What changed, by path; of a file that moved the new one.
fn changed<'a>(
    old: &'a BTreeMap<String, FileRow>,
    new: &'a BTreeMap<String, FileRow>,
) -> Vec<(&'a String, Pair<'a>, Badge)> {
    let moves = moves(old, new);
    let gone: BTreeSet<&str> = moves.values().map(|before| before.path.as_str()).collect();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let pairs = paths.into_iter().filter(|path| !gone.contains(path.as_str())).map(|path| {
        let before = old.get(path).or_else(|| moves.get(path.as_str()).copied());
        (path, Pair { before, after: new.get(path) })
    });
    pairs.filter_map(|(path, pair)| Some((path, pair, pair.badge()?))).collect()
}

impl File {
    fn read(&mut self, before: Vec<u8>, after: Vec<u8>, how: How) {
        let text = |bytes| String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let (Some(before), Some(after)) = (text(before), text(after)) else {
            self.notes.push("Not text.");
            return;
        };
        let (parts, cut) = parts(&before, &after, how);
        if parts.is_empty() && before != after {
            self.notes.push("Only blanks differ.");
        }
        self.parts = parts;
        if cut {
            self.notes.push("Only the first changes are shown.");
        }
    }
}

fn by_path(files: Vec<FileRow>) -> BTreeMap<String, FileRow> {
    files.into_iter().map(|file| (file.path.clone(), file)).collect()
}

fn counts(changed: &[(&String, Pair<'_>, Badge)]) -> String {
    let of = |wanted| changed.iter().filter(|(.., badge)| *badge == wanted).count() as u64;
    let counts =
        [(of(ADDED), "added"), (of(REMOVED), "removed"), (of(MOVED), "moved"), (of(CHANGED), "changed")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(count, word)| format!("{} {word}", counted(count, "file"))).collect();
    if counts.is_empty() { "No file differs".to_owned() } else { counts.join(", ") }
}

async fn content(app: &App, line: &Line, file: Option<&FileRow>) -> Result<Vec<u8>, ApiError> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let path = BundlePath::parse(&file.path).map_err(ApiError::internal)?;
    Ok(file_of(app, line, path).await?.unwrap_or_default())
}
