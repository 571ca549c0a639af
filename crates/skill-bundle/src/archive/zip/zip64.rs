use std::io::{Read, Seek, SeekFrom};

use super::bytes::Fields;
use super::unreadable;
use crate::{ArchiveError, BundleError};

const LOCATOR: [u8; 4] = *b"PK\x06\x07";
const LOCATOR_BYTES: u64 = 20;
const SIGNATURE: [u8; 4] = *b"PK\x06\x06";
/// The record in its first version, which every writer uses, and what it says of itself: all but twelve bytes.
const BYTES: u64 = 56;
const SAYS_BYTES: u64 = BYTES - 12;

/// The end record with 64-bit fields (APPNOTE 4.3.14).
#[derive(Debug, Clone, Copy)]
pub(super) struct End64 {
    pub(super) entries: u64,
    pub(super) list_bytes: u64,
    pub(super) list_offset: u64,
    /// Where it is itself.
    pub(super) position: u64,
}

/// Reads the record of an archive whose end record is at `position`, if a locator (APPNOTE 4.3.15) stands before that.
///
/// Some readers go where the locator points, some to the bytes before it: those have to be one place.
pub(super) fn find<R: Read + Seek>(reader: &mut R, position: u64) -> Result<Option<End64>, BundleError> {
    let Some(locator) = position.checked_sub(LOCATOR_BYTES) else { return Ok(None) };
    let mut bytes = [0; LOCATOR_BYTES as usize];
    read_at(reader, locator, &mut bytes)?;
    let mut fields = Fields(&bytes);
    if fields.signature(LOCATOR).is_none() {
        return Ok(None);
    }
    let (disk, offset, disks) = (fields.u32(), fields.u64(), fields.u32());
    if (disk, disks) != (Some(0), Some(1)) {
        return Err(ArchiveError::MultiDisk.into());
    }
    let at = locator.checked_sub(BYTES).filter(|at| Some(*at) == offset).ok_or(ArchiveError::Zip64Locator)?;
    let mut record = [0; BYTES as usize];
    read_at(reader, at, &mut record)?;
    Ok(Some(parse(&record, at)?))
}

fn parse(record: &[u8], position: u64) -> Result<End64, ArchiveError> {
    let mut fields = Fields(record);
    let mut numbers = || {
        fields.signature(SIGNATURE)?;
        let says = fields.u64()?;
        let _versions = fields.u32()?;
        let disks = (fields.u32()?, fields.u32()?);
        Some((says, disks, fields.u64()?, fields.u64()?, fields.u64()?, fields.u64()?))
    };
    let (says, disks, here, entries, list_bytes, list_offset) =
        numbers().ok_or(ArchiveError::Zip64Locator)?;
    if says != SAYS_BYTES {
        return Err(ArchiveError::Zip64Locator);
    }
    if disks != (0, 0) || here != entries {
        return Err(ArchiveError::MultiDisk);
    }
    Ok(End64 { entries, list_bytes, list_offset, position })
}

fn read_at<R: Read + Seek>(reader: &mut R, at: u64, bytes: &mut [u8]) -> Result<(), BundleError> {
    reader.seek(SeekFrom::Start(at)).map_err(unreadable)?;
    reader.read_exact(bytes).map_err(unreadable)
}
