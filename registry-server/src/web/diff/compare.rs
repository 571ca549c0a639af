use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::budget::Budget;
use super::lines::{Part, parts};
use super::matters::{Matters, matters};
use super::moves::moves;
use super::news::{News, Side, news};
use super::{Asked, How, order};
use crate::app::App;
use crate::http::extract::{file_not_found, version_not_found};
use crate::problem::ApiError;
use crate::skill_md::files_of;
use crate::store::files::{self, FileRow};
use crate::store::lines::Line;
use crate::store::{readings, releases};
use crate::web::address::Address;
use crate::web::badge::Badge;
use crate::web::files::TextOf;
use crate::web::skill::find::Shown;
use crate::web::skill::head::Head;
use crate::web::words::{bytes, counted};

/// Larger files are not compared line by line beside others, nor by themselves.
const LARGEST: u64 = 128 * 1024;
const LARGEST_ALONE: u64 = 1 << 20;
/// Files that a page compares line by line, and bytes of all of them.
const FILES: usize = 50;
const TOGETHER: u64 = 1 << 20;
/// Files without a comparison that are listed with a link to one; the rest is only named.
const LISTED: usize = 150;

/// Two releases side by side.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    counts: String,
    news: News,
    matters: Matters,
    /// The files that are compared line by line.
    files: Vec<File>,
    /// How many are not, and which.
    left_out: String,
    listed: Vec<LeftOut>,
    rest: Vec<Named>,
}

/// A changed file that this page does not compare line by line.
#[derive(Debug, Serialize)]
struct LeftOut {
    path: String,
    badge: Badge,
    size: String,
    /// The page that compares it, if one does; else its own page, if it is there.
    address: Option<Address>,
    /// Whether that page compares it.
    compared: bool,
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
    address: Option<Address>,
    parts: Vec<Part>,
}

/// The same path in both releases, where it is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    before: Option<&'a FileRow>,
    after: Option<&'a FileRow>,
}

const ADDED: Badge = Badge { class: "is-off", icon: "added", word: "Added" };
const REMOVED: Badge = Badge { class: "is-off", icon: "withdrawn", word: "Removed" };
const MOVED: Badge = Badge { class: "is-off", icon: "changed", word: "Moved" };
const CHANGED: Badge = Badge { class: "is-off", icon: "changed", word: "Changed" };

impl<'a> Pair<'a> {
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

    /// The file in either release.
    pub(super) fn files(self) -> impl Iterator<Item = &'a FileRow> {
        [self.before, self.after].into_iter().flatten()
    }

    /// Bytes of the older and of the newer file.
    pub(super) fn sizes(self) -> [u64; 2] {
        [self.before, self.after].map(|file| file.map_or(0, |file| file.size))
    }

    /// Where a file was that moved.
    pub(super) fn was(self) -> Option<String> {
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

/// A changed file and how it changed.
type Changed<'a> = (&'a String, Pair<'a>, Badge);

/// A file that will be compared, and what it holds in either release.
struct Read {
    file: File,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Compares a release with the one that is shown; of `only`, if it is said, the lines, and of no other file.
pub(super) async fn compare(
    app: &App,
    before: &Line,
    shown: &Shown,
    head: &Head,
    asked: Asked<'_>,
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
    let mut changed = changed(&old, &new);
    let faulty = older.findings.iter().chain(&shown.release.findings);
    let faulty: BTreeSet<&str> = faulty.map(|finding| finding.file.as_str()).collect();
    changed.sort_by_key(|(path, pair, _)| order::place(path, *pair, &faulty));
    let counts = counts(&changed);
    if let Some(only) = asked.only {
        changed.retain(|(path, ..)| path.as_str() == only);
        if changed.is_empty() {
            return Err(file_not_found());
        }
    }
    let (chosen, mut left) = chosen(&changed, asked.only.is_some());
    let wanted = |side: for<'f> fn(&Pair<'f>) -> Option<&'f FileRow>| {
        let read = chosen.iter().filter(|(_, pair, _)| pair.was().is_none());
        read.filter_map(|(_, pair, _)| side(pair)).map(|file| file.path.clone()).collect()
    };
    let mut old_texts = files_of(app, before, wanted(|pair| pair.before)).await?;
    let mut new_texts = files_of(app, &shown.line, wanted(|pair| pair.after)).await?;
    let read = chosen.into_iter().map(|(path, pair, badge)| Read {
        before: old_texts.remove(path).unwrap_or_default(),
        after: new_texts.remove(path).unwrap_or_default(),
        file: File::of(path, pair, badge, head),
    });
    let read: Vec<Read> = read.collect();
    let how = asked.how;
    let lay_out = tokio::task::spawn_blocking(move || lay_out(read, how));
    let (files, without_room) = lay_out.await.map_err(ApiError::internal)?;
    left.extend(changed.iter().filter(|(path, ..)| without_room.contains(path.as_str())));
    let (listed, rest) = left.split_at(left.len().min(LISTED));
    let alone = |path: &str| asked.address.clone().with("path", path);
    Ok(Compared {
        counts,
        news,
        matters: matters(&older, &shown.release),
        files,
        left_out: counted(left.len() as u64, "changed file"),
        listed: listed.iter().map(|one| left_out(one, head, alone, asked.only.is_some())).collect(),
        rest: rest.iter().map(|(path, _, badge)| Named { path: (*path).clone(), word: badge.word }).collect(),
    })
}

/// What changed, by path; of a file that moved the new one.
fn changed<'a>(old: &'a BTreeMap<String, FileRow>, new: &'a BTreeMap<String, FileRow>) -> Vec<Changed<'a>> {
    let moves = moves(old, new);
    let gone: BTreeSet<&str> = moves.values().map(|before| before.path.as_str()).collect();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let pairs = paths.into_iter().filter(|path| !gone.contains(path.as_str())).map(|path| {
        let before = old.get(path).or_else(|| moves.get(path.as_str()).copied());
        (path, Pair { before, after: new.get(path) })
    });
    pairs.filter_map(|(path, pair)| Some((path, pair, pair.badge()?))).collect()
}

/// Those to compare, within what a page may read, and those to leave out. Only what is compared counts.
fn chosen<'a>(changed: &[Changed<'a>], alone: bool) -> (Vec<Changed<'a>>, Vec<Changed<'a>>) {
    let largest = if alone { LARGEST_ALONE } else { LARGEST };
    let mut together = 0;
    let (mut chosen, mut left) = (Vec::new(), Vec::new());
    for &(path, pair, badge) in changed {
        let [one, other] = pair.sizes();
        // What only moved is not read.
        let read = if pair.was().is_some() { 0 } else { one + other };
        let fits = read == 0 || one.max(other) <= largest && (alone || together + read <= TOGETHER);
        if fits && chosen.len() < FILES {
            together += read;
            chosen.push((path, pair, badge));
        } else {
            left.push((path, pair, badge));
        }
    }
    (chosen, left)
}

/// The lines of the files, as far as the page has room, and the paths of those for which it has none.
fn lay_out(read: Vec<Read>, how: How) -> (Vec<File>, BTreeSet<String>) {
    let mut budget = Budget::of_a_page();
    let (mut files, mut without_room) = (Vec::new(), BTreeSet::new());
    let last = read.len().saturating_sub(1);
    for (index, Read { mut file, before, after }) in read.into_iter().enumerate() {
        if budget.is_spent() {
            without_room.insert(file.path);
            continue;
        }
        file.number = files.len() + 1;
        if file.was.is_some() {
            file.notes.push("Its content is the same.");
        } else {
            let mut share = budget.share(index == last);
            file.read(&before, &after, how, &mut share);
            budget.take_back(&share);
        }
        files.push(file);
    }
    (files, without_room)
}

fn left_out(
    (path, pair, badge): &Changed<'_>,
    head: &Head,
    alone: impl Fn(&str) -> Address,
    is_alone: bool,
) -> LeftOut {
    let [one, other] = pair.sizes();
    let compared = !is_alone && one.max(other) <= LARGEST_ALONE;
    let own = || own(pair, head);
    LeftOut {
        path: (*path).clone(),
        badge: *badge,
        size: bytes(if pair.after.is_some() { other } else { one }),
        address: if compared { Some(alone(path)) } else { own() },
        compared,
    }
}

/// The page of the file as it is now, if it is still there.
fn own(pair: &Pair<'_>, head: &Head) -> Option<Address> {
    pair.after.map(|file| head.pages.file(&head.version, &file.path))
}

impl File {
    fn of(path: &str, pair: Pair<'_>, badge: Badge, head: &Head) -> Self {
        let [one, other] = pair.sizes();
        Self {
            number: 0,
            path: path.to_owned(),
            badge,
            size: bytes(if pair.after.is_some() { other } else { one }),
            notes: pair.mode().into_iter().collect(),
            was: pair.was(),
            address: own(&pair, head),
            parts: Vec::new(),
        }
    }

    fn read(&mut self, before: &[u8], after: &[u8], how: How, budget: &mut Budget) {
        let text = |bytes| TextOf::read(bytes, false);
        let (Some(old), Some(new)) = (text(before), text(after)) else {
            self.notes.push("Not text.");
            return;
        };
        let (parts, cut) = parts(&old.text, &new.text, how, budget);
        match (old.encoding, new.encoding) {
            ("", "") => {}
            (one, other) if one == other => self.notes.push("Decoded from UTF-16."),
            _ if old.text == new.text => self.notes.push("Only the encoding differs, UTF-8 or UTF-16."),
            _ => self.notes.push("The encoding differs, UTF-8 or UTF-16; the lines below are decoded."),
        }
        if parts.is_empty() && !cut && old.text != new.text {
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

fn counts(changed: &[Changed<'_>]) -> String {
    let of = |wanted| changed.iter().filter(|(.., badge)| *badge == wanted).count() as u64;
    let counts =
        [(of(ADDED), "added"), (of(REMOVED), "removed"), (of(MOVED), "moved"), (of(CHANGED), "changed")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> =
        counts.map(|(count, word)| format!("{} {word}", counted(count, "file"))).collect();
    if counts.is_empty() { "No file differs".to_owned() } else { counts.join(", ") }
}
