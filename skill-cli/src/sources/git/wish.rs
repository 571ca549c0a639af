use std::fmt;

use skill_core::reference::{GitRef, GitSource, TreeUrl};

use super::address::location_of;
use super::refs::{Chosen, Refs};
use crate::install::Desk;

/// A skill of a repository that is asked for.
#[derive(Debug, Clone)]
pub(crate) struct GitWish {
    /// The repository.
    pub source: GitSource,
    /// A branch, a tag or a commit; the remote's HEAD without one.
    pub reference: Option<String>,
    /// The folder inside it.
    pub path: Option<String>,
    /// The web page of a folder: where its ref ends only the remote knows.
    pub tree: Option<TreeUrl>,
}

impl GitWish {
    /// `--ref` and `--path`; an empty path is the root.
    pub(crate) fn place(&mut self, reference: Option<String>, path: Option<String>) {
        if reference.is_some() {
            self.reference = reference;
        }
        if let Some(path) = path {
            self.path = Some(path).filter(|path| !path.is_empty());
        }
    }

    /// The commit and folder that are meant.
    ///
    /// # Errors
    /// The ref that the remote does not know.
    pub(super) fn choose(&self, refs: &Refs) -> Result<Chosen, String> {
        let (reference, path) = match (&self.tree, &self.reference) {
            (Some(tree), None) => {
                let known = tree.splits().find(|(reference, _)| refs.find(reference).is_some());
                let (reference, path) =
                    known.or_else(|| tree.splits().last()).unwrap_or((tree.rest.as_str(), None));
                (Some(reference.to_owned()), path.map(str::to_owned))
            }
            // A ref that was given tells where the path of the page begins.
            (Some(tree), Some(reference)) => {
                let rest = tree.rest.strip_prefix(reference.as_str());
                let rest = rest.and_then(|rest| rest.strip_prefix('/')).map(str::to_owned);
                (Some(reference.clone()), rest)
            }
            (None, reference) => (reference.clone(), None),
        };
        let path = self.path.clone().or(path);
        let Some(reference) = reference else {
            let (commit, full) = refs.head().ok_or_else(|| "HEAD".to_owned())?;
            return Ok(Chosen { commit, full, reference: None, path });
        };
        // A whole commit is that commit, whatever the remote calls its branches.
        if is_commit(&reference) {
            return Ok(Chosen { commit: reference.clone(), full: None, reference: Some(reference), path });
        }
        match refs.find(&reference) {
            Some((commit, full)) => Ok(Chosen { commit, full, reference: Some(reference), path }),
            None => Err(reference),
        }
    }

    /// The same, for a ref that turned out to be the beginning of a commit.
    pub(super) fn as_commit(&self, reference: &str) -> Chosen {
        let path = self.tree.as_ref().and_then(|tree| tree.splits().find(|(found, _)| *found == reference));
        let path = self.path.clone().or_else(|| path.and_then(|(_, path)| path.map(str::to_owned)));
        Chosen { commit: String::new(), full: None, reference: Some(reference.to_owned()), path }
    }

    /// Whether a lock entry is what this asks for.
    pub(crate) fn answers(
        &self,
        desk: &Desk<'_>,
        typed: bool,
        (url, reference, path): (&skill_core::reference::Location, Option<&str>, Option<&str>),
    ) -> bool {
        let source = self
            .tree
            .as_ref()
            .map_or_else(|| self.source.clone(), |tree| GitSource::Url(tree.repository.clone()));
        if location_of(desk, &source, typed) != *url {
            return false;
        }
        if let (Some(tree), None) = (&self.tree, &self.reference) {
            return tree.splits().any(|split| (Some(split.0), split.1) == (reference, path));
        }
        self.reference.as_deref() == reference && (self.path.is_none() || self.path.as_deref() == path)
    }
}

/// 40 or 64 hexadecimal digits.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

impl fmt::Display for GitWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, reference, path, .. } = self.clone();
        fmt::Display::fmt(&GitRef { source, reference, path }, f)
    }
}
