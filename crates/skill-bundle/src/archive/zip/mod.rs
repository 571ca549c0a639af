//! Zip (APPNOTE.TXT 6.3.10), as strict as a format allows that has every fact in two places.
//!
//! A zip can be read from its end record, as most readers do, or from its first byte, as streaming readers do, and
//! the two need not agree. Here they do or the archive is refused: the end record is the last thing in the file, the list
//! lies right before it, and entries with their headers and descriptors cover all bytes from 0 to the list, in some
//! order, without gap or overlap, each saying the same as the list.
//!
//! That is judged before a byte is unpacked. What then gives the content is the `zip` crate, which reads the archive
//! for itself, knows nothing of the judgement, and has to see every entry as the judge did.

mod bytes;
mod central;
mod content;
mod end;
mod extra;
mod local;
mod unpack;
mod write;
mod zip64;

use std::io::{Read, Seek, SeekFrom};

use central::{Attributes, Central};
use content::Contents;
use local::Local;

use super::{Intake, has_shebang};
use crate::{ArchiveError, BundleError, BundlePath, Limits};

pub(super) use write::write;

/// Reads a whole archive of `size` bytes: first judges all of it, then unpacks.
pub(super) fn read<R: Read + Seek>(
    reader: &mut R,
    size: u64,
    intake: &mut Intake,
) -> Result<(), BundleError> {
    let (mut list, list_offset) = read_list(reader, size, &intake.limits)?;
    list.sort_by_key(|entry| entry.offset);
    let admitted = list.iter().map(|entry| admit(entry, intake)).collect::<Result<Vec<_>, _>>()?;
    let locals = cover(reader, &list, list_offset)?;
    intake.check_ratio(list.iter().fold(0, |sum, entry| sum.saturating_add(entry.size)))?;
    let mut contents = Contents::open(reader, &list)?;
    for ((entry, local), path) in list.iter().zip(&locals).zip(admitted) {
        match path {
            Some(path) => take(entry, path, contents.read(entry, local)?, intake)?,
            None => contents.check(entry, local)?,
        }
    }
    Ok(())
}

/// Holds every entry, in order of their places, against its own header, and all of them against the file, which
/// they have to cover up to the list.
fn cover<R: Read + Seek>(
    reader: &mut R,
    list: &[Central],
    list_offset: u64,
) -> Result<Vec<Local>, BundleError> {
    let mut locals = Vec::with_capacity(list.len());
    let mut reached = 0;
    for (index, entry) in list.iter().enumerate() {
        if entry.offset < reached {
            return Err(ArchiveError::Overlap { entry: entry.number, name: entry.shown() }.into());
        }
        if entry.offset > reached {
            return Err(ArchiveError::StrayBytes { offset: reached, bytes: entry.offset - reached }.into());
        }
        let next = list.get(index + 1).map_or(list_offset, |next| next.offset);
        let local = Local::read(reader, entry, next)?;
        reached = local.check_end(reader, entry, next)?;
        locals.push(local);
    }
    if reached != list_offset {
        return Err(ArchiveError::StrayBytes { offset: reached, bytes: list_offset - reached }.into());
    }
    Ok(locals)
}

/// Reads one entry by its name.
pub(super) fn read_one<R: Read + Seek>(
    reader: &mut R,
    path: &BundlePath,
    limits: &Limits,
) -> Result<Option<Vec<u8>>, BundleError> {
    let size = reader.seek(SeekFrom::End(0)).map_err(unreadable)?;
    let (list, list_offset) = read_list(reader, size, limits)?;
    let Some(entry) = list.iter().find(|entry| entry.name == path.as_str().as_bytes()) else {
        return Ok(None);
    };
    if entry.size > limits.file_bytes {
        let (path, size) = (path.as_str().to_owned(), entry.size);
        return Err(BundleError::FileLarge { path, size, limit: limits.file_bytes });
    }
    if ends_in_version(&entry.name) {
        return Err(ArchiveError::VersionedName { entry: entry.number, name: entry.shown() }.into());
    }
    if let Attributes::Special(kind) = entry.attributes()? {
        return Err(BundleError::SpecialFile { path: entry.shown(), kind });
    }
    let next = list.iter().map(|other| other.offset).filter(|other| *other > entry.offset).min();
    let next = next.unwrap_or(list_offset).min(list_offset);
    if entry.offset > next {
        return Err(ArchiveError::Overlap { entry: entry.number, name: entry.shown() }.into());
    }
    let local = Local::read(reader, entry, next)?;
    let reached = local.check_end(reader, entry, next)?;
    if reached != next {
        return Err(ArchiveError::StrayBytes { offset: reached, bytes: next - reached }.into());
    }
    let content = Contents::open(reader, &list)?.read(entry, &local)?;
    match entry.attributes()? {
        Attributes::File { .. } => Ok(Some(content)),
        _ => Err(super::refuse_link(path.as_str(), &content)),
    }
}

/// The archive's own list of its entries, and where it begins.
fn read_list<R: Read + Seek>(
    reader: &mut R,
    size: u64,
    limits: &Limits,
) -> Result<(Vec<Central>, u64), BundleError> {
    let end = end::find(reader, size)?;
    if end.entries > limits.entries() {
        return Err(BundleError::FilesMany { what: "entries", limit: limits.entries() });
    }
    let list = end.read_list(reader)?;
    Ok((central::parse(&list, end.entries)?, end.list_offset))
}

/// Checks an entry by what the list says of it; gives the path of a file that is to be read.
fn admit(entry: &Central, intake: &mut Intake) -> Result<Option<BundlePath>, BundleError> {
    let kind = entry.attributes()?;
    let name = match kind {
        Attributes::Folder | Attributes::Special(_) => entry.name.strip_suffix(b"/").unwrap_or(&entry.name),
        _ => &entry.name,
    };
    let path = intake.path(entry.number, name)?;
    if !matches!(kind, Attributes::Folder) && ends_in_version(name) {
        return Err(ArchiveError::VersionedName { entry: entry.number, name: entry.shown() }.into());
    }
    match (kind, path) {
        (Attributes::Special(kind), _) => Err(BundleError::SpecialFile { path: entry.shown(), kind }),
        (Attributes::Link, None) => Err(BundleError::SpecialFile { path: entry.shown(), kind: "a link" }),
        (Attributes::File { .. } | Attributes::Folder, None) => {
            intake.pass_over(&entry.shown(), entry.size)?;
            Ok(None)
        }
        (Attributes::Folder, Some(path)) => {
            intake.builder.claim_folder(&path)?;
            Ok(None)
        }
        (Attributes::File { .. } | Attributes::Link, Some(path)) => {
            intake.builder.admit(&path, entry.size)?;
            Ok(Some(path))
        }
    }
}

/// Puts the bytes of an entry into the bundle.
fn take(entry: &Central, path: BundlePath, content: Vec<u8>, intake: &mut Intake) -> Result<(), BundleError> {
    let Attributes::File { executable } = entry.attributes()? else {
        return Err(super::refuse_link(path.as_str(), &content));
    };
    let executable = executable.unwrap_or_else(|| has_shebang(&content));
    intake.builder.put(path, executable, content);
    Ok(())
}

/// Whether a name ends like `run.sh;1`: Info-ZIP's reader takes that for a file's version on VMS and cuts it off,
/// whatever system made the archive.
fn ends_in_version(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (rest, _) = name.split_at(name.len() - digits);
    rest.ends_with(b";")
}

fn unreadable(error: std::io::Error) -> BundleError {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => ArchiveError::Truncated { what: "an entry" }.into(),
        _ => BundleError::io("the archive", error),
    }
}
