//! `https:` and `http:` URLs, as far as they can be told apart without asking anybody.

use std::fmt;

use percent_encoding::percent_decode_str;

use super::git::{GitSource, Tail, authority_end, git_ref, subpath};
use super::{Reference, ReferenceError, RegistryRef, SourceUrl, has_archive_suffix};
use crate::name::{Owner, Slug};
use crate::requirement::{Requirement, Selector};
use crate::version::Version;

/// A URL that does not end in `.git`.
///
/// Before its kind counts, the caller asks [`UrlRef::page`] whether it is a page of a registry that
/// it knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UrlRef {
    /// Without its fragment, and for [`UrlKind::Tree`] without its query.
    pub url: SourceUrl,
    /// What its shape says.
    pub kind: UrlKind,
    /// The fragment, which is a git ref if the URL turns out to be a repository.
    pub reference: Option<String>,
}

/// What the shape of a URL says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum UrlKind {
    /// Its path ends like an archive.
    Archive,
    /// A folder on the web page of a git host: `/tree/` or `/-/tree/`.
    Tree(TreeUrl),
    /// Nothing: Agent Skills discovery is tried, then git.
    Unclear,
}

/// `https://host/owner/repo/tree/REF/PATH`. Where the ref ends only the remote knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TreeUrl {
    /// The repository.
    pub repository: SourceUrl,
    /// Ref and path, percent-decoded, with `/` between.
    pub rest: String,
}

impl TreeUrl {
    /// Every way to cut [`TreeUrl::rest`] into a ref and a path, the longest ref first: the first
    /// whose ref the remote knows is the right one.
    pub fn splits(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let cuts = self.rest.match_indices('/').map(|(at, _)| at).rev();
        std::iter::once((self.rest.as_str(), None))
            .chain(cuts.map(|at| (&self.rest[..at], Some(&self.rest[at + 1..]))))
    }
}

/// A URL in the shape of a registry's page about a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryPage {
    /// The registry's URL: what stands before `/{owner}/skills/{slug}`, without a closing `/`.
    pub base: String,
    /// The skill, and the version if the page is about one.
    pub skill: RegistryRef,
}

impl UrlRef {
    /// Whether the URL has the shape of a registry's page: `{base}/{owner}/skills/{slug}`, and
    /// anything below it. Only if the caller knows `base` as a registry is it one; any repository
    /// that is called `skills` looks the same.
    pub fn page(&self) -> Option<RegistryPage> {
        let url = self.url.with_credentials();
        let segments: Vec<&str> = url.path_segments()?.collect();
        let at = segments.windows(3).position(|window| {
            matches!(window, [owner, "skills", slug]
                if owner.parse::<Owner>().is_ok() && slug.parse::<Slug>().is_ok())
        })?;
        let version = match segments[at + 3..] {
            ["versions", version, ..] => version.parse::<Version>().ok(),
            _ => None,
        };
        let mut base = url.origin().ascii_serialization();
        for segment in &segments[..at] {
            base.push('/');
            base.push_str(segment);
        }
        let skill = RegistryRef {
            owner: segments[at].parse().ok(),
            slug: segments[at + 2].parse().ok()?,
            selector: version.map(|version| Selector::Requirement(Requirement::exact(&version))),
        };
        Some(RegistryPage { base, skill })
    }
}

impl fmt::Display for UrlRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.url, f)?;
        match &self.reference {
            Some(reference) => write!(f, "#{reference}"),
            None => Ok(()),
        }
    }
}

/// Reads a URL whose scheme is http or https.
pub(super) fn url(text: &str) -> Result<Reference, ReferenceError> {
    let unreadable = || ReferenceError::unreadable(text, 0, "a URL with a host, without blanks");
    let (address, fragment) = match text.split_once('#') {
        Some((address, fragment)) => (address, Some(fragment)),
        None => (text, None),
    };
    let url = SourceUrl::parse(address).ok_or_else(unreadable)?;
    let path = url.with_credentials().path().to_owned();
    if has_archive_suffix(&path) {
        let reference = fragment.map(git_ref).transpose()?;
        return Ok(Reference::Url(UrlRef { url, kind: UrlKind::Archive, reference }));
    }
    if let Some(tree) = tree(&url)? {
        let mut url = url.with_credentials().clone();
        url.set_query(None);
        let url = SourceUrl::parse(url.as_str()).ok_or_else(unreadable)?;
        return Ok(Reference::Url(UrlRef { url, kind: UrlKind::Tree(tree), reference: None }));
    }
    let tail = Tail::find(text, authority_end(text).ok_or_else(unreadable)?);
    if let Some(repository) = SourceUrl::parse(&text[..tail.source_end])
        && is_git(&repository)
    {
        return tail.of(GitSource::Url(repository)).map(Reference::Git);
    }
    let reference = fragment.map(git_ref).transpose()?;
    Ok(Reference::Url(UrlRef { url, kind: UrlKind::Unclear, reference }))
}

/// Whether the last name in the path ends in `.git`.
fn is_git(url: &SourceUrl) -> bool {
    let name = url.with_credentials().path().trim_end_matches('/').rsplit('/').next();
    name.and_then(|name| name.rsplit_once('.')).is_some_and(|(_, suffix)| suffix == "git")
}

/// `…/owner/repo/tree/…` and `…/owner/repo/-/tree/…`.
fn tree(url: &SourceUrl) -> Result<Option<TreeUrl>, ReferenceError> {
    let url = url.with_credentials();
    let segments: Vec<&str> = url.path_segments().map(Iterator::collect).unwrap_or_default();
    let dashed = segments.windows(2).position(|window| matches!(window, ["-", "tree"]));
    let (repository, rest) = match dashed {
        Some(at) => (&segments[..at], &segments[at + 2..]),
        None => match segments.iter().skip(2).position(|segment| *segment == "tree") {
            Some(at) => (&segments[..at + 2], &segments[at + 3..]),
            None => return Ok(None),
        },
    };
    let decoded: Vec<_> =
        rest.iter().map(|segment| percent_decode_str(segment).decode_utf8_lossy()).collect();
    let rest = decoded.join("/");
    if rest.starts_with('-') {
        return Err(ReferenceError::RefDash { reference: rest });
    }
    let Some(rest) = subpath(&rest)? else { return Ok(None) };
    let mut bare = url.clone();
    bare.set_query(None);
    bare.set_path(&repository.join("/"));
    Ok(SourceUrl::parse(bare.as_str()).map(|repository| TreeUrl { repository, rest }))
}
