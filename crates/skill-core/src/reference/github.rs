//! `github:owner/repo[/path][@ref]`, and `github:owner/repo@ref//path`.

use std::fmt;

use super::git::{Tail, git_ref, subpath};
use super::{ReferenceError, without_credentials};

/// A repository on GitHub, or on the host that is configured in its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GitHubRef {
    /// A user or an organisation.
    pub owner: String,
    /// The repository, without `.git`.
    pub repo: String,
    /// A branch, a tag or a commit; without one the remote's HEAD.
    pub reference: Option<String>,
    /// The folder inside it, with `/`, without `.` and `..`.
    pub path: Option<String>,
}

impl GitHubRef {
    /// The repository's URL below `base`, which is `https://github.com` unless configured otherwise.
    pub fn url(&self, base: &str) -> String {
        format!("{}/{}/{}.git", base.trim_end_matches('/'), self.owner, self.repo)
    }
}

impl fmt::Display for GitHubRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "github:{}/{}", self.owner, self.repo)?;
        match (&self.reference, &self.path) {
            (None, None) => Ok(()),
            (None, Some(path)) => write!(f, "//{path}"),
            (Some(reference), None) => write!(f, "@{reference}"),
            (Some(reference), Some(path)) => write!(f, "@{reference}//{path}"),
        }
    }
}

/// Reads what stands from byte `start` of `text`.
pub(super) fn github(text: &str, start: usize) -> Result<GitHubRef, ReferenceError> {
    const WANTED: &str = "github:owner/repo, with /path and @ref";
    let unreadable = |at| ReferenceError::unreadable(text, at, WANTED);
    if let Some(at) = text.find(char::is_control) {
        return Err(unreadable(at));
    }
    let slash = text[start..].find('/').map(|at| start + at).ok_or_else(|| unreadable(text.len()))?;
    let repo_start = slash + 1;
    let repo_end = text[repo_start..].find(['/', '@', '#']).map_or(text.len(), |at| repo_start + at);
    let owner = &text[start..slash];
    let written = &text[repo_start..repo_end];
    let repo = written.strip_suffix(".git").unwrap_or(written);
    let owner_fits = owner.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if owner.is_empty() || owner.starts_with('-') || !owner_fits {
        return Err(unreadable(start));
    }
    let repo_fits = repo.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    if matches!(repo, "" | "." | "..") || repo.starts_with('-') || !repo_fits {
        return Err(unreadable(repo_start));
    }
    let (reference, path) = rest(text, repo_end)?;
    Ok(GitHubRef { owner: owner.to_owned(), repo: repo.to_owned(), reference, path })
}

type RefAndPath = (Option<String>, Option<String>);

/// `@ref`, `@ref//path`, `/path`, `/path@ref`, and `#` for `@`.
fn rest(text: &str, from: usize) -> Result<RefAndPath, ReferenceError> {
    let rest = &text[from..];
    if !rest.starts_with('/') {
        return Tail::find(text, from).check();
    }
    // An `@` that begins a folder's name (`@scope`) starts no ref.
    let starts_ref = |&(at, c): &(usize, char)| c == '#' || (c == '@' && !rest[..at].ends_with('/'));
    let Some((mark, _)) = rest.char_indices().find(starts_ref) else { return Ok((None, subpath(rest)?)) };
    let reference = &rest[mark + 1..];
    if reference.contains("//") {
        return Err(ReferenceError::RefTwice { text: without_credentials(text) });
    }
    Ok((Some(git_ref(reference)?), subpath(&rest[..mark])?))
}
