//! Tar: ustar and pax (POSIX.1-2024 pax, "ustar Interchange Format"), GNU's long names, and the old form before them.
//!
//! The `tar` crate goes from header to header and reads their fields. It is asked for raw entries, so that extended
//! headers are judged here; so are the bytes that it is lenient about. Whatever lets two readers see different files is
//! refused: sizes said a second time and otherwise, two long names, links, sparse files, unknown types, an archive
//! without an end or with something behind it.

mod header;
mod names;
mod pax;
mod stream;

use std::io::{self, BufReader, Read};

use tar::{Archive, Entry, EntryType};

use header::Fields;
use names::{Names, PendingNames};
use stream::Stream;

use super::{Intake, has_shebang};
use crate::{ArchiveError, BundleError, Limits};

pub(super) use header::looks_like;

/// Everything in a tar comes in blocks of so many bytes.
pub(super) const BLOCK: usize = 512;
/// Zeros that may follow the end: writers fill up their last record.
const PADDING: u64 = 1024 * 1024;

/// Reading stopped.
pub(super) enum Failure {
    /// The archive is refused.
    Refused(BundleError),
    /// The bytes did not come.
    Io(io::Error),
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Self {
        Self::Refused(error)
    }
}

/// Reads a plain tar.
pub(super) fn read<R: Read>(reader: &mut R, intake: &mut Intake) -> Result<(), BundleError> {
    let mut reader = BufReader::with_capacity(64 * 1024, reader);
    read_from(&mut reader, intake).map_err(|failure| match failure {
        Failure::Refused(error) => error,
        Failure::Io(error) => BundleError::io("the archive", error),
    })
}

/// Reads a tar to the end of the stream.
pub(super) fn read_from<R: Read>(reader: &mut R, intake: &mut Intake) -> Result<(), Failure> {
    let mut archive = Archive::new(Stream::new(reader));
    let mut walk = Walk { intake, names: PendingNames::default(), number: 0, next: 0 };
    let stopped = walk.through(&mut archive);
    let Walk { names, number, next, .. } = walk;
    let stream = archive.into_inner();
    match stopped {
        Ok(()) => {
            names.refuse_left(number + 1)?;
            stream.end(next)
        }
        Err(Stop::NoEntry(error)) => Err(stream.explain(error, number + 1, next)),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// The way through the entries, in their order.
struct Walk<'a> {
    intake: &'a mut Intake,
    names: PendingNames,
    /// Of the last entry, from 1.
    number: u64,
    /// Where the next one begins.
    next: u64,
}

/// Why the walk stopped.
enum Stop {
    /// The library found no next entry.
    NoEntry(io::Error),
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(failure: E) -> Self {
        Self::Failed(failure.into())
    }
}

impl Walk<'_> {
    fn through<R: Read>(&mut self, archive: &mut Archive<R>) -> Result<(), Stop> {
        let limits = self.intake.limits;
        for entry in archive.entries().map_err(Stop::NoEntry)?.raw(true) {
            let entry = entry.map_err(Stop::NoEntry)?;
            self.number += 1;
            if self.number > limits.entries() {
                return Err(BundleError::FilesMany { what: "entries", limit: limits.entries() }.into());
            }
            let fields = Fields::of(entry.header(), self.number)?;
            self.next = end_of(&entry, self.intake)?;
            match entry.header().entry_type() {
                kind @ (EntryType::GNULongName
                | EntryType::GNULongLink
                | EntryType::XHeader
                | EntryType::XGlobalHeader) => {
                    if fields.size > names::MAX_BYTES {
                        let what = "an extended header";
                        return Err(ArchiveError::Malformed { entry: Some(self.number), what }.into());
                    }
                    self.names.take(kind, &content(entry, fields.size)?, self.number)?;
                }
                _ => self.take(entry, &fields)?,
            }
        }
        Ok(())
    }

    /// Takes in a file or folder.
    fn take<R: Read>(&mut self, entry: Entry<'_, R>, fields: &Fields) -> Result<(), Failure> {
        let (number, kind) = (self.number, entry.header().entry_type());
        let Names { path: name, long_link } = self.names.for_entry(fields, number)?;
        if long_link.is_some() && !matches!(kind, EntryType::Symlink | EntryType::Link) {
            return Err(ArchiveError::LinkedFile { entry: number }.into());
        }
        let shown = || String::from_utf8_lossy(&name).into_owned();
        let Some(relative) = relative(&name, kind, fields.size)
            .map_err(|FileAndFolder| ArchiveError::FolderContent { entry: number, name: shown() })?
        else {
            return Ok(());
        };
        let path = self.intake.path(number, relative)?;
        let text = || path.as_ref().map_or_else(shown, |path| path.as_str().to_owned());
        let special = |kind| BundleError::SpecialFile { path: text(), kind };
        match (kind, &path) {
            // What is left out is read past.
            (EntryType::Regular | EntryType::Directory, None) => Ok(()),
            (EntryType::Regular, Some(path)) => {
                self.intake.builder.admit(path, fields.size)?;
                let content = content(entry, fields.size)?;
                let executable = fields.executable.unwrap_or_else(|| has_shebang(&content));
                self.intake.builder.put(path.clone(), executable, content);
                Ok(())
            }
            (EntryType::Directory, Some(path)) => Ok(self.intake.builder.claim_folder(path)?),
            (EntryType::Symlink, _) => {
                let target = long_link.as_deref().unwrap_or(&fields.link);
                Err(super::refuse_link(&text(), target).into())
            }
            (EntryType::Link, _) => Err(special("a hard link").into()),
            (EntryType::Char | EntryType::Block, _) => Err(special("a device").into()),
            (EntryType::Fifo, _) => Err(special("a named pipe").into()),
            (other, _) => Err(match described(other.as_byte()) {
                Some(kind) => special(kind).into(),
                None => {
                    ArchiveError::EntryType { entry: number, name: shown(), kind: other.as_byte() }.into()
                }
            }),
        }
    }
}

/// What GNU's tar writes of itself between files: with `-V`, `-g` and `-M`.
const fn described(kind: u8) -> Option<&'static str> {
    match kind {
        b'V' => Some("a label of the archive"),
        b'D' => Some("a list of an incremental backup"),
        b'M' => Some("the rest of a file from another volume"),
        _ => None,
    }
}

/// Name, type and size disagree about whether an entry is a folder.
struct FileAndFolder;

/// The path in a name; `None` for the root folder itself.
///
/// `tar -cf x.tar .` puts `./` before every name; the root folder is `./`.
fn relative(name: &[u8], kind: EntryType, size: u64) -> Result<Option<&[u8]>, FileAndFolder> {
    let relative = name.strip_prefix(b"./").unwrap_or(name);
    match kind {
        EntryType::Directory if size > 0 => Err(FileAndFolder),
        EntryType::Directory if matches!(name, b"./" | b"." | b"./.") => Ok(None),
        EntryType::Directory => Ok(Some(relative.strip_suffix(b"/").unwrap_or(relative))),
        _ if relative.ends_with(b"/") => Err(FileAndFolder),
        _ => Ok(Some(relative)),
    }
}

/// All bytes of an entry.
fn content<R: Read>(mut entry: Entry<'_, R>, size: u64) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::with_capacity(size as usize);
    entry.read_to_end(&mut content).map_err(Failure::Io)?;
    if (content.len() as u64) < size {
        return Err(ArchiveError::Truncated { what: "an entry" }.into());
    }
    Ok(content)
}

/// Where an entry ends, in whole blocks. More bytes than this allows no tar within the limits has: content, and for
/// each entry its header, one extended header with its own, and what fills up their last blocks. Nor has one that is
/// packed as small as this one is.
fn end_of<R: Read>(entry: &Entry<'_, R>, intake: &Intake) -> Result<u64, BundleError> {
    let Limits { bundle_bytes, .. } = intake.limits;
    let most = bundle_bytes + intake.limits.entries() * 4 * BLOCK as u64 + PADDING;
    let begin = entry.raw_file_position();
    let end = entry.size().checked_next_multiple_of(BLOCK as u64).and_then(|size| begin.checked_add(size));
    let end = end.filter(|end| *end <= most).ok_or(BundleError::Bomb { stopped_at: begin })?;
    intake.check_ratio(end)?;
    Ok(end)
}
