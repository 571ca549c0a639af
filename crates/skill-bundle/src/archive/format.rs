use super::{gz, tarball, zst};
use crate::ArchiveError;

/// What an archive is, by its first block. Its name says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Zip,
    Tar,
    GzipTar,
    ZstdTar,
}

impl Format {
    /// Takes the first 512 bytes, or fewer where there are no more.
    pub(super) fn of(first: &[u8]) -> Result<Self, ArchiveError> {
        let by_magic = if first.starts_with(b"PK") {
            Some(Self::Zip)
        } else if first.starts_with(&gz::MAGIC) {
            Some(Self::GzipTar)
        } else if first.starts_with(&zst::MAGIC) {
            Some(Self::ZstdTar)
        } else if zst::is_skippable(first) {
            return Err(ArchiveError::ZstdSkippable);
        } else {
            None
        };
        // The name of a tar's first entry can begin with any of these.
        match (by_magic, tarball::looks_like(first)) {
            (Some(_), true) => Err(ArchiveError::TwoFormats),
            (Some(format), false) => Ok(format),
            (None, true) => Ok(Self::Tar),
            (None, false) => Err(ArchiveError::UnknownFormat),
        }
    }
}
