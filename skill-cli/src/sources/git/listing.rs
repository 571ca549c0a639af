//! The files of one commit, as its folders list them.

use std::collections::BTreeMap;

/// Path to entry, in byte order. Folders are there through the files in them.
#[derive(Debug, Default)]
pub(super) struct Listing {
    entries: BTreeMap<String, Entry>,
    /// Paths that are not UTF-8, made readable.
    strange: Vec<String>,
    /// Paths that are there twice, which only a repository that was made by hand has.
    repeated: Vec<String>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub kind: Kind,
    /// The object that holds its content.
    pub object: String,
}

/// What an entry is, by its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// 100644, 100755 and the group-writable mode of old repositories.
    File { executable: bool },
    /// 120000
    Link,
    /// 160000: a commit of another repository.
    Submodule,
}

impl Listing {
    /// Reads `git ls-tree -r -z`: `MODE TYPE OBJECT<tab>PATH<nul>`.
    pub(super) fn parse(answer: &[u8]) -> Self {
        let mut listing = Self::default();
        for line in answer.split(|&byte| byte == 0).filter(|line| !line.is_empty()) {
            let Some(tab) = line.iter().position(|&byte| byte == b'\t') else { continue };
            let Ok(head) = str::from_utf8(&line[..tab]) else { continue };
            let mut words = head.split(' ');
            let (Some(mode), Some(_), Some(object)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let kind = match mode {
                "120000" => Kind::Link,
                "160000" => Kind::Submodule,
                mode => Kind::File { executable: mode == "100755" },
            };
            match str::from_utf8(&line[tab + 1..]) {
                Ok(path) => {
                    let entry = Entry { kind, object: object.to_owned() };
                    if listing.entries.insert(path.to_owned(), entry).is_some() {
                        listing.repeated.push(path.to_owned());
                    }
                }
                Err(_) => listing.strange.push(String::from_utf8_lossy(&line[tab + 1..]).into_owned()),
            }
        }
        listing
    }

    /// A path below `folder` that is not UTF-8, made readable.
    pub(super) fn strange_below(&self, folder: &str) -> Option<&str> {
        self.strange.iter().map(String::as_str).find(|path| is_below(path, folder))
    }

    /// A path below `folder` that is there twice.
    pub(super) fn repeated_below(&self, folder: &str) -> Option<&str> {
        self.repeated.iter().map(String::as_str).find(|path| is_below(path, folder))
    }

    pub(super) fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// Whether something lies below `path`; the empty text is the root.
    pub(super) fn is_folder(&self, path: &str) -> bool {
        self.below(path).next().is_some()
    }

    /// What lies below a folder, each with its path from there.
    pub(super) fn below<'l>(&'l self, folder: &str) -> impl Iterator<Item = (&'l str, &'l Entry)> + use<'l> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let skip = prefix.len();
        let from = self.entries.range(prefix.clone()..);
        from.take_while(move |(path, _)| path.starts_with(&prefix))
            .map(move |(path, entry)| (&path[skip..], entry))
    }

    /// The folders below `folder` that hold a `SKILL.md` in any letter case, each with the entry of that file,
    /// in byte order. Those of version control and operating systems are none.
    pub(super) fn skills<'l>(&'l self, folder: &str) -> Vec<(String, &'l Entry)> {
        let mut found: Vec<(String, &Entry)> = self
            .below(folder)
            .filter_map(|(path, entry)| {
                let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
                let is_skill = name.eq_ignore_ascii_case(skill_bundle::SKILL_MD)
                    && entry.kind != Kind::Submodule
                    && path.split('/').all(|segment| skill_bundle::Junk::of(segment).is_none());
                is_skill.then(|| (join(folder, parent), entry))
            })
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found.dedup_by(|one, other| one.0 == other.0);
        found
    }
}

/// Whether a path lies below a folder; everything lies below the empty one.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `path` below `folder`; either may be empty.
pub(super) fn join(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}
