//! References: what a person writes to name a skill, wherever it comes from.
//!
//! Tested in this order (docs/FORMAT.md, "References"):
//!
//! 1. a **path** if it is `.` or `..`, or starts with `./ ../ / ~/ .\ ..\ \\` or a drive like `C:\`;
//! 2. a **scheme**, the text before the first `:`: `git:`, `github:`, `https:`, `http:`, no other;
//! 3. a **path** if it ends like an archive: `.zip .tar .tar.gz .tgz .tar.zst .tzst .skill`;
//! 4. a **registry reference**: `slug`, `owner/slug`, `@owner/slug`, each with `@REQ`.
//!
//! `owner/slug` is never a path. Reading touches nothing: whether a folder exists is asked of a
//! function that the caller brings.

use std::fmt;

use crate::name::{Owner, SkillName, Slug};
use crate::requirement::{RequirementWarning, Selector};
use crate::version::Version;

mod archive;
mod error;
mod git;
mod github;
mod registry;
mod scheme;
mod source_url;
mod url;

pub use archive::{has_archive_suffix, without_archive_suffix};
pub use error::ReferenceError;
pub use git::{GitRef, GitSource, git_ref, subpath};
pub use github::GitHubRef;
pub use source_url::{Location, LocationError, SourceUrl, shown_without_credentials, without_credentials};
pub use url::{RegistryPage, TreeUrl, UrlKind, UrlRef};

/// Where a skill is to come from.
///
/// Its text ([`fmt::Display`]) reads back as the same reference, but for credentials in a URL,
/// which are never shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reference {
    /// `github@^3`, `acme/github`, `@acme/github@stable`.
    Registry(RegistryRef),
    /// A folder, as it was written: `./dirry`, `~/skills/x`.
    Path(String),
    /// An archive on this machine, as it was written: `x.skill`, `/tmp/x.tar.gz`.
    Archive(String),
    /// `git:URL@ref//path`, and any `https:` URL that ends in `.git`.
    Git(GitRef),
    /// `github:owner/repo/path@ref`.
    GitHub(GitHubRef),
    /// Any other `https:` or `http:` URL.
    Url(UrlRef),
}

/// A skill in a registry, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RegistryRef {
    /// Whose. Without one the registry knows to whom the bare slug is bound.
    pub owner: Option<Owner>,
    /// Which.
    pub slug: Slug,
    /// Which release; without one `latest`.
    pub selector: Option<Selector>,
}

impl RegistryRef {
    /// `owner/slug`, if the owner was written.
    pub fn name(&self) -> Option<SkillName> {
        self.owner.clone().map(|owner| SkillName::new(owner, self.slug.clone()))
    }
}

impl fmt::Display for RegistryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(owner) = &self.owner {
            write!(f, "{owner}/")?;
        }
        write!(f, "{}", self.slug)?;
        match &self.selector {
            Some(selector) => write!(f, "@{selector}"),
            None => Ok(()),
        }
    }
}

impl From<(SkillName, &Version)> for RegistryRef {
    /// `owner/slug@VERSION`, exactly this release.
    fn from((name, version): (SkillName, &Version)) -> Self {
        let selector = Selector::Requirement(crate::requirement::Requirement::exact(version));
        Self { owner: Some(name.owner), slug: name.slug, selector: Some(selector) }
    }
}

/// What was read, and should be said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceWarning {
    /// `v3` was read as `3`.
    #[error(transparent)]
    Requirement(#[from] RequirementWarning),
    /// The URL holds credentials. They are used, and neither shown nor written to any file.
    #[error("the URL holds credentials, which are neither shown nor stored: {shown}")]
    CredentialsInUrl {
        /// The reference without them.
        shown: String,
    },
}

impl ReferenceWarning {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Requirement(warning) => warning.code(),
            Self::CredentialsInUrl { .. } => "token-in-url",
        }
    }
}

impl Reference {
    /// Reads a reference.
    ///
    /// `is_folder` says whether a path, given as it was written (relative, `~/…`), is an existing
    /// folder. It is asked about paths that end like an archive, and about `git:` sources that are
    /// no URL, because `@`, `#` and `//` may be part of a folder's name.
    pub fn parse(
        text: &str,
        is_folder: &dyn Fn(&str) -> bool,
    ) -> Result<(Self, Vec<ReferenceWarning>), ReferenceError> {
        let mut warnings = Vec::new();
        let reference = if text.is_empty() {
            return Err(ReferenceError::Empty);
        } else if is_path(text) {
            archive::folder_or_archive(text, is_folder)
        } else if let Some((scheme, _)) = text.split_once(':') {
            scheme::with_scheme(text, scheme, is_folder)?
        } else if has_archive_suffix(text) {
            archive::folder_or_archive(text, is_folder)
        } else {
            let (reference, warning) = registry::registry_ref(text)?;
            warnings.extend(warning.map(ReferenceWarning::from));
            Self::Registry(reference)
        };
        if reference.source_url().is_some_and(SourceUrl::has_credentials) {
            warnings.push(ReferenceWarning::CredentialsInUrl { shown: reference.to_string() });
        }
        Ok((reference, warnings))
    }

    /// The URL it names, if it names one.
    pub const fn source_url(&self) -> Option<&SourceUrl> {
        match self {
            Self::Git(GitRef { source: GitSource::Url(url), .. }) => Some(url),
            Self::Url(reference) => Some(&reference.url),
            _ => None,
        }
    }

    /// What kind of source it is, as one word of the messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Registry(_) => "registry",
            Self::Path(_) => "path",
            Self::Archive(_) => "archive",
            Self::Git(_) | Self::GitHub(_) => "git",
            Self::Url(_) => "url",
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(reference) => fmt::Display::fmt(reference, f),
            Self::Path(path) => write_path(f, path, is_path(path)),
            Self::Archive(path) => {
                write_path(f, path, is_path(path) || (has_archive_suffix(path) && !path.contains(':')))
            }
            Self::Git(reference) => fmt::Display::fmt(reference, f),
            Self::GitHub(reference) => fmt::Display::fmt(reference, f),
            Self::Url(reference) => fmt::Display::fmt(reference, f),
        }
    }
}

/// A path that came from elsewhere (a lock, a manifest) may not look like one.
fn write_path(f: &mut fmt::Formatter<'_>, path: &str, looks_like_one: bool) -> fmt::Result {
    if !looks_like_one {
        f.write_str("./")?;
    }
    f.write_str(path)
}

/// Rule 1: what is a path by its first characters.
fn is_path(text: &str) -> bool {
    const PREFIXES: [&str; 7] = ["./", "../", "/", "~/", ".\\", "..\\", "\\\\"];
    let drive = matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    drive || matches!(text, "." | "..") || PREFIXES.iter().any(|prefix| text.starts_with(prefix))
}

#[cfg(test)]
mod tests;
