//! What a path can lead to inside of the skill: its files and their folders.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use icu_normalizer::ComposingNormalizerBorrowed;

use super::{LintFile, is_skill_md};

/// The files of the bundle and their folders.
#[derive(Debug)]
pub(super) struct Places<'a> {
    paths: HashSet<&'a str>,
    folders: HashSet<&'a str>,
    /// Each path by its lower case in NFC.
    spelled: HashMap<String, &'a str>,
}

impl<'a> Places<'a> {
    pub(super) fn of(files: &'a [LintFile<'a>]) -> Self {
        let paths: HashSet<&str> =
            files.iter().map(|file| if is_skill_md(file) { "SKILL.md" } else { file.path }).collect();
        let above = |path: &'a str| path.match_indices('/').map(move |(end, _)| &path[..end]);
        Self {
            folders: paths.iter().flat_map(|path| above(path)).collect(),
            spelled: paths.iter().map(|path| (folded(path), *path)).collect(),
            paths,
        }
    }

    /// Whether there is such a file, or a folder with files. The empty path is the skill's own folder.
    pub(super) fn holds(&self, path: &str) -> bool {
        path.is_empty() || self.paths.contains(path) || self.holds_folder(path)
    }

    /// Whether there is such a folder with files.
    pub(super) fn holds_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    /// The file that has this path but for letter case, and whether letters are composed.
    pub(super) fn spelled(&self, path: &str) -> Option<&'a str> {
        self.spelled.get(&folded(path)).copied()
    }
}

/// A path in the letters that a bundle has: composed ones, Unicode's NFC.
pub(super) fn composed(path: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(path)
}

/// A path without letter case, in NFC.
pub(super) fn folded(path: &str) -> String {
    composed(&composed(path).to_lowercase()).into_owned()
}

/// The path inside the bundle of what a page names; `None` if it leaves the folder.
pub(super) fn resolved(from: &str, target: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut segments: Vec<&str> = Vec::new();
    for segment in folder.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop()?,
            other => segments.push(other),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_path_leads() {
        assert_eq!(resolved("references/a.md", "../scripts/x.py").as_deref(), Some("scripts/x.py"));
        assert_eq!(resolved("SKILL.md", "./a/../b.md").as_deref(), Some("b.md"));
        assert_eq!(resolved("references/a.md", "../../x"), None);
    }
}
