use super::{gz, tarball, zst};
use crate::ArchiveError;

/// How formats begin that are not read.
const UNREAD: [(&[u8], &str); 5] = [
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ\0", "packed with xz"),
    (b"LZIP", "packed with lzip"),
    (b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
    (b"Rar!\x1a\x07", "an archive of RAR"),
];

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
            (None, false) => Err(match UNREAD.iter().find(|(begin, _)| first.starts_with(begin)) {
                Some((_, format)) => ArchiveError::UnreadFormat { format },
                None => ArchiveError::UnknownFormat,
            }),
        }
    }
}
