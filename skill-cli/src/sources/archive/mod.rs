//! A skill in an archive: a file of this machine, or what a URL gives.
//!
//! The bytes are hashed as they come and opened by the one strict reader, which the server uses too.

mod discover;
mod download;
mod open;
mod refused;
mod wish;

use std::io::Read as _;

use skill_bundle::{BundleError, Limits};
use skill_core::digest::Sha256;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::Slug;
use skill_core::reference::{Location, SourceUrl};

pub(super) use discover::{Discovery, discover, is_listed_at};
pub(crate) use wish::ArchiveWish;

use self::wish::Place;
use super::recorded::absolute;
use super::{Local, Locked, kept};
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;

/// Takes an archive as it is today.
///
/// # Errors
/// `archive-not-found`, `bundle-…`, `source-several`, `source-empty`, and what the network gives.
pub(super) async fn take(desk: &Desk<'_>, wish: &ArchiveWish, typed: bool) -> Result<Local, Failure> {
    let shown = wish.shown(desk, typed);
    let file_name = wish.file_name();
    let (bytes, name) = match &wish.place {
        Place::Path(path) => (read(desk, path, typed, &shown)?, file_name.as_str()),
        Place::Url(url) => {
            let bytes = download::download(desk, url).await?;
            let name = open::name_of(&bytes, &file_name, false);
            (bytes, name)
        }
    };
    let opened = open::open(&bytes, wish.path.as_deref(), name, &shown)?;
    Ok(opened.local(wish.location(desk, typed), Sha256::of(&bytes), shown, &file_name))
}

/// Takes a locked archive: from where it is locked, else from what was kept. A URL gives the bytes that are
/// locked, or it is an error: who runs it today has no say. A file of this machine is somebody's work, which is
/// taken as it is; `--frozen` holds it to the lock, too.
///
/// # Errors
/// As [`take`], and `lock-source-changed`.
pub(super) async fn restore(
    desk: &Desk<'_>,
    local: &Slug,
    skill: &LockedSkill,
    (location, sha256, path): (&Location, Sha256, Option<&str>),
) -> Result<Local, Failure> {
    let wish = ArchiveWish::recorded(location, path.map(str::to_owned));
    let shown = wish.shown(desk, false);
    let bytes = match &wish.place {
        Place::Path(path) => match read(desk, path, false, &shown) {
            Err(gone) if gone.code == Code::ArchiveNotFound => {
                return kept::of_entry(desk, skill).ok_or(gone);
            }
            read => read?,
        },
        Place::Url(url) => match kept::of_entry(desk, skill) {
            Some(kept) => return Ok(kept),
            None => download::download(desk, url).await?,
        },
    };
    let found = Sha256::of(&bytes);
    let is_held = desk.options.frozen || matches!(wish.place, Place::Url(_));
    if is_held && found != sha256 {
        // It is not opened, so that what it calls itself is not known.
        let asked = Locked { local, source: &skill.source, reference: shown.trim_matches('`'), own: None };
        return Err(asked.changed(&shown, &format!("sha256:{sha256}"), &format!("sha256:{found}")));
    }
    let file_name = wish.file_name();
    let name = match &wish.place {
        Place::Path(_) => file_name.as_str(),
        Place::Url(_) => open::name_of(&bytes, &file_name, found == sha256),
    };
    let opened = open::open(&bytes, path, name, &shown)?;
    Ok(opened.local(location.clone(), found, shown, &file_name))
}

/// Reads a file, never more of it than an archive may hold.
fn read(desk: &Desk<'_>, path: &str, typed: bool, shown: &str) -> Result<Vec<u8>, Failure> {
    let full = absolute(desk, path, typed);
    let limit = Limits::default().archive_bytes;
    let missing = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            Failure::new(Code::ArchiveNotFound, format!("there is nothing at {shown}")).nothing_changed()
        }
        _ => Failure::disk(error, shown).nothing_changed(),
    };
    // A pipe would be waited for without end.
    let metadata = fs_err::metadata(&full).map_err(|error| missing(&error))?;
    if !metadata.is_file() {
        return Err(Failure::new(Code::ArchiveNotFound, format!("{shown} is not a file")).nothing_changed());
    }
    let file = fs_err::File::open(&full).map_err(|error| missing(&error))?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| missing(&error))?;
    if bytes.len() as u64 > limit {
        let error = BundleError::ArchiveLarge { size: metadata.len(), limit };
        return Err(Failure::of_foreign_bundle(&error, shown).nothing_changed());
    }
    Ok(bytes)
}

impl open::Taken {
    fn local(self, location: Location, sha256: Sha256, shown: String, file_name: &str) -> Local {
        let base_name = match &self.folder {
            Some(folder) => folder.rsplit('/').next().unwrap_or(folder).to_owned(),
            None => self.wrapper.unwrap_or_else(|| open::stem(file_name).to_owned()),
        };
        Local {
            source: LockedSource::Archive { location, sha256, path: self.folder },
            excluded: self.skipped,
            base_name,
            ..Local::plain(LockedSource::Path { path: String::new() }, shown, self.bundle)
        }
    }
}

/// A URL as sentences name it.
fn host(url: &SourceUrl) -> String {
    url.with_credentials().host_str().unwrap_or("the host").to_owned()
}
