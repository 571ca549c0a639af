use std::fmt;

use skill_core::reference::{Location, SourceUrl};

use crate::install::Desk;
use crate::sources::recorded::{absolute, recorded};
use crate::text::quote;

/// An archive that is asked for.
#[derive(Debug, Clone)]
pub(crate) struct ArchiveWish {
    /// Where it is.
    pub(super) place: Place,
    /// The folder inside it.
    pub(crate) path: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) enum Place {
    /// A file, as it was written.
    Path(String),
    Url(SourceUrl),
}

impl ArchiveWish {
    pub(crate) const fn at_path(path: String) -> Self {
        Self { place: Place::Path(path), path: None }
    }

    pub(crate) const fn at_url(url: SourceUrl) -> Self {
        Self { place: Place::Url(url), path: None }
    }

    /// As skills.toml and the lock hold it.
    pub(crate) fn recorded(location: &Location, path: Option<String>) -> Self {
        let place = match SourceUrl::parse(location.as_str()) {
            Some(url) => Place::Url(url),
            None => Place::Path(location.as_str().to_owned()),
        };
        Self { place, path }
    }

    /// What the lock keeps of where it is: no credentials.
    pub(crate) fn location(&self, desk: &Desk<'_>, typed: bool) -> Location {
        match &self.place {
            Place::Path(path) => Location::stripped(&recorded(desk, path, typed)),
            Place::Url(url) => url.location(),
        }
    }

    pub(super) fn shown(&self, desk: &Desk<'_>, typed: bool) -> String {
        match &self.place {
            Place::Path(path) if typed => quote::path(path),
            Place::Path(path) => desk.context.shown(absolute(desk, path, typed)),
            Place::Url(url) => crate::sources::shown(&url.to_string()),
        }
    }

    /// The last name of its path.
    pub(super) fn file_name(&self) -> String {
        let path = match &self.place {
            Place::Path(path) => path.as_str(),
            Place::Url(url) => url.with_credentials().path(),
        };
        path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
    }
}

impl fmt::Display for ArchiveWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Path(path) => f.write_str(path),
            Place::Url(url) => fmt::Display::fmt(url, f),
        }
    }
}
