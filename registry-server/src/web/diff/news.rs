//! What a version brings that the one before it did not have: the first thing to look at before an update.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use skill_scan::capabilities::{Capabilities, Kind};

use crate::store::files::FileRow;
use crate::web::address::Address;
use crate::web::files::Location;
use crate::web::skill::head::Head;

/// Names of one kind that the page shows.
const SHOWN: usize = 30;

const KINDS: [(Kind, &str); 5] = [
    (Kind::Host, "Hosts"),
    (Kind::Program, "Programs"),
    (Kind::Variable, "Variables"),
    (Kind::File, "Files outside of the skill"),
    (Kind::Persistence, "What stays after use"),
];

/// What is new.
#[derive(Debug, Default, Serialize)]
pub(super) struct News {
    /// Whether both versions were read; if not, only the executable files are known.
    read: bool,
    /// Whether either version has more names than are kept of it.
    unfinished: bool,
    kinds: Vec<Added>,
}

#[derive(Debug, Serialize)]
struct Added {
    what: &'static str,
    names: Vec<Name>,
    more: usize,
}

#[derive(Debug, Serialize)]
struct Name {
    text: String,
    /// Where it stands first, if it stands anywhere.
    address: Option<Address>,
}

/// One of two versions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub reach: Option<&'a Capabilities>,
    pub files: &'a BTreeMap<String, FileRow>,
}

/// What `after` has and `before` has not; `head` is of the page of `after`.
pub(super) fn news(before: Side<'_>, after: Side<'_>, head: &Head) -> News {
    let mut news = News::default();
    if let Some((old, new)) = before.reach.zip(after.reach) {
        (news.read, news.unfinished) = (true, old.more + new.more > 0);
        let known: BTreeSet<(Kind, &str)> =
            old.capabilities.iter().map(|one| (one.kind, one.name.as_str())).collect();
        for (kind, what) in KINDS {
            let names = new
                .capabilities
                .iter()
                .filter(|one| one.kind == kind && !known.contains(&(one.kind, one.name.as_str())));
            news.add(
                what,
                names.map(|one| Name {
                    text: one.name.clone(),
                    address: one.place.as_ref().map(|site| Location::of(head, &site.file, site.line).address),
                }),
            );
        }
    }
    let was = |path: &str| before.files.get(path).is_some_and(|file| file.executable);
    let executable = after.files.values().filter(|file| file.executable && !was(&file.path));
    news.add(
        "Executable files",
        executable.map(|file| Name {
            text: file.path.clone(),
            address: Some(head.pages.file(&head.version, &file.path)),
        }),
    );
    news
}

impl News {
    fn add(&mut self, what: &'static str, names: impl Iterator<Item = Name>) {
        let mut names: Vec<Name> = names.collect();
        let more = names.len().saturating_sub(SHOWN);
        names.truncate(SHOWN);
        if !names.is_empty() {
            self.kinds.push(Added { what, names, more });
        }
    }
}
