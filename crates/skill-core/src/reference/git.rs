//! `git:SRC`, with a ref and a path inside the repository.
//!
//! SRC is a URL with `://`, or scp form `user@host:path`, else a local path. What comes after its
//! authority (for a local path: the longest existing folder) holds the rest: the first `//` starts
//! the path, and the first `@` or `#` before it the ref, which may hold `/` and `@` itself. A `#`
//! after the path starts the ref, too.

use std::fmt;
use std::str::FromStr;

use super::{Location, ReferenceError, SourceUrl, without_credentials};

const WANTED: &str = "a git source: a URL, user@host:path or a path";

/// A git repository, what to take from it and where it lies inside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GitRef {
    /// The repository.
    pub source: GitSource,
    /// A branch, a tag or a commit; without one the remote's HEAD.
    pub reference: Option<String>,
    /// The folder inside it, with `/`, without `.` and `..`.
    pub path: Option<String>,
}

/// Where a repository is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum GitSource {
    /// A URL over https, http, ssh, git or file.
    Url(SourceUrl),
    /// `user@host:path`, as it was written.
    Scp(String),
    /// A path on this machine, as it was written (`~/` included). Handed to git it needs `./` before
    /// it if it is relative, since git takes `host:path` for a remote.
    Local(String),
}

impl GitSource {
    /// What a lock records. A relative path is the caller's to rewrite.
    pub fn location(&self) -> Location {
        match self {
            Self::Url(url) => url.location(),
            Self::Scp(text) | Self::Local(text) => Location::stripped(text),
        }
    }
}

impl fmt::Display for GitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => fmt::Display::fmt(url, f),
            Self::Scp(text) | Self::Local(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for GitRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "git:{}", self.source)?;
        if let Some(reference) = &self.reference {
            // Directly behind a host an `@` would make a user's name of it.
            let host_ends_it =
                matches!(&self.source, GitSource::Url(url) if url.with_credentials().path().is_empty());
            write!(f, "{}{reference}", if host_ends_it { '#' } else { '@' })?;
        }
        match &self.path {
            Some(path) => write!(f, "//{path}"),
            None => Ok(()),
        }
    }
}

/// Checks a git ref: what `--ref` takes, and what stands after `@` or `#`.
///
/// Refused are a leading `-` and what `git check-ref-format` refuses, revision syntax included.
pub fn git_ref(text: &str) -> Result<String, ReferenceError> {
    const WANTED: &str = "a git ref: a branch, a tag or a commit";
    if text.starts_with('-') {
        return Err(ReferenceError::RefDash { reference: text.to_owned() });
    }
    let never = |c: char| {
        c.is_control() || c.is_whitespace() || matches!(c, '~' | '^' | ':' | '?' | '*' | '[' | '\\')
    };
    let at = text
        .find(never)
        .or_else(|| ["..", "@{", "//"].iter().find_map(|part| text.find(part)))
        .or_else(|| (text.is_empty() || text.starts_with('/')).then_some(0))
        .or_else(|| text.ends_with(['/', '.']).then(|| text.len() - 1));
    match at {
        Some(at) => Err(ReferenceError::unreadable(text, at, WANTED)),
        None => Ok(text.to_owned()),
    }
}

/// Checks and cleans the path of a folder inside a source: what `--path` takes, and what stands
/// after `//`. Empty segments and `.` are dropped; `None` if nothing is left.
pub fn subpath(text: &str) -> Result<Option<String>, ReferenceError> {
    if text.split(['/', '\\']).any(|segment| segment == "..") {
        return Err(ReferenceError::SubpathParent { path: text.to_owned() });
    }
    if let Some(at) = text.find(|c: char| c.is_control() || c == '\\') {
        return Err(ReferenceError::unreadable(text, at, "a path with `/` between its folders"));
    }
    let segments: Vec<_> = text.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    Ok((!segments.is_empty()).then(|| segments.join("/")))
}

/// Reads what stands from byte `start` of `text`.
pub(super) fn git(
    text: &str,
    start: usize,
    is_folder: &dyn Fn(&str) -> bool,
) -> Result<GitRef, ReferenceError> {
    let source = &text[start..];
    if let Some(at) = source.find(char::is_control) {
        return Err(ReferenceError::unreadable(text, start + at, WANTED));
    }
    let authority = match authority_end(source) {
        Some(authority) => authority,
        None if is_scp(source) => source.find(':').map_or(0, |colon| colon + 1),
        None => longest_folder(source, is_folder),
    };
    let tail = Tail::find(text, start + authority);
    let written = &text[start..tail.source_end];
    match written.parse::<GitSource>() {
        Ok(source) => tail.of(source),
        Err(ReferenceError::Unreadable { wanted, .. }) => {
            Err(ReferenceError::unreadable(text, start, wanted))
        }
        Err(error) => Err(error),
    }
}

impl FromStr for GitSource {
    type Err = ReferenceError;

    /// Reads a source alone, with no ref and no path behind it, as a lock and a manifest hold it.
    ///
    /// Refused is whatever git or ssh would take for an option or for a program to run. A closing `/`
    /// names no other repository and is dropped.
    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let text = match text.trim_end_matches('/') {
            trimmed if trimmed.is_empty() || authority_end(text).is_some() => text,
            trimmed => trimmed,
        };
        if let Some(at) = text.find(char::is_control) {
            return Err(ReferenceError::unreadable(text, at, WANTED));
        }
        let dash = || ReferenceError::SourceDash { source_text: without_credentials(text) };
        if authority_end(text).is_some() {
            let transport = text.split("://").next().unwrap_or_default();
            if !matches!(transport, "https" | "http" | "ssh" | "git" | "file") {
                return Err(ReferenceError::Transport { transport: transport.to_owned() });
            }
            let url = SourceUrl::parse(text)
                .ok_or_else(|| ReferenceError::unreadable(text, 0, "a URL with a host"))?
                .without_closing_slash();
            let parts = url.with_credentials();
            let host_dash = parts.host_str().is_some_and(|host| host.starts_with('-'));
            return if host_dash || parts.username().starts_with('-') {
                Err(dash())
            } else {
                Ok(Self::Url(url))
            };
        }
        if text.starts_with('-') {
            return Err(dash());
        }
        if is_scp(text) {
            let (host, path) = text.split_once(':').unwrap_or_default();
            return match (host.contains("@-"), path) {
                (true, _) => Err(dash()),
                (false, "") => Err(ReferenceError::unreadable(text, text.len(), WANTED)),
                (false, _) => Ok(Self::Scp(text.to_owned())),
            };
        }
        match remote_helper(text) {
            Some(transport) => Err(ReferenceError::Transport { transport: transport.to_owned() }),
            None if text.is_empty() => Err(ReferenceError::unreadable(text, 0, WANTED)),
            None => Ok(Self::Local(text.to_owned())),
        }
    }
}

/// The end of `scheme://authority`, if `source` begins with a scheme and `://`.
pub(super) fn authority_end(source: &str) -> Option<usize> {
    let scheme = source.find("://")?;
    if source[..scheme].contains(['/', '@', '#', '\\']) {
        return None;
    }
    let rest = &source[scheme + 3..];
    Some(scheme + 3 + rest.find(['/', '?', '#']).unwrap_or(rest.len()))
}

/// `^[^/@:]+@[^/:]+:`
pub(super) fn is_scp(source: &str) -> bool {
    let Some((user, rest)) = source.split_once('@') else { return false };
    let Some((host, _)) = rest.split_once(':') else { return false };
    !user.is_empty() && !user.contains(['/', ':']) && !host.is_empty() && !host.contains('/')
}

/// `ext::sh -c …`: git would run a helper program called after the first word.
fn remote_helper(source: &str) -> Option<&str> {
    let (helper, _) = source.split_once("::")?;
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    (!helper.is_empty() && helper.chars().all(word)).then_some(helper)
}

/// The length of the longest prefix that ends at `@`, `#`, `//` or the end and is a folder; else 0.
///
/// What stands behind the first `//` is a folder inside of the repository if what stands before it is one
/// at all, even where the work tree lies there and the whole is a folder too.
fn longest_folder(source: &str, is_folder: &dyn Fn(&str) -> bool) -> usize {
    let is_end = |&(at, c): &(usize, char)| matches!(c, '@' | '#') || source[at..].starts_with("//");
    let ends: Vec<usize> = std::iter::once(source.len())
        .chain(source.char_indices().rev().filter(is_end).map(|(at, _)| at))
        .filter(|&end| end > 0)
        .collect();
    let first = source.find("//").filter(|&at| at > 0).unwrap_or(source.len());
    let (before, behind): (Vec<usize>, Vec<usize>) = ends.into_iter().partition(|&end| end <= first);
    before.into_iter().chain(behind).find(|&end| is_folder(&source[..end])).unwrap_or(0)
}

/// What stands behind a source, not yet checked.
pub(super) struct Tail<'a> {
    text: &'a str,
    /// The byte where the source ends.
    pub(super) source_end: usize,
    reference: Option<&'a str>,
    path: Option<&'a str>,
    /// A ref behind the path.
    last: Option<&'a str>,
}

impl<'a> Tail<'a> {
    /// Looks for ref and path from byte `from` of `text`.
    pub(super) fn find(text: &'a str, from: usize) -> Self {
        let rest = &text[from..];
        let (before, path) = match rest.split_once("//") {
            Some((before, path)) => (before, Some(path)),
            None => (rest, None),
        };
        let mark = before.find(['@', '#']);
        let (path, last) = match path.and_then(|path| path.split_once('#')) {
            Some((path, last)) => (Some(path), Some(last)),
            None => (path, None),
        };
        Self {
            text,
            source_end: from + mark.unwrap_or(before.len()),
            reference: mark.map(|mark| &before[mark + 1..]),
            path,
            last,
        }
    }

    /// The ref and the path.
    pub(super) fn check(self) -> Result<(Option<String>, Option<String>), ReferenceError> {
        if self.reference.is_some() && self.last.is_some() {
            return Err(ReferenceError::RefTwice { text: without_credentials(self.text) });
        }
        let reference = self.reference.or(self.last).map(git_ref).transpose()?;
        Ok((reference, self.path.map(subpath).transpose()?.flatten()))
    }

    /// All of it, behind `source`.
    pub(super) fn of(self, source: GitSource) -> Result<GitRef, ReferenceError> {
        let (reference, path) = self.check()?;
        Ok(GitRef { source, reference, path })
    }
}
