use std::io::{Read, Seek, SeekFrom};

use super::bytes::Fields;
use super::central::SATURATED;
use super::unreadable;
use super::zip64::{self, End64};
use crate::{ArchiveError, BundleError};

const SIGNATURE: [u8; 4] = *b"PK\x05\x06";
/// The record without its comment.
const BYTES: usize = 22;
/// Most bytes that one entry of the list may take: its fields, a name and the extra fields of any known writer.
const LISTED_BYTES: u64 = 1024;

/// The end record (APPNOTE 4.3.16).
#[derive(Debug)]
pub(super) struct End {
    /// Entries in the list.
    pub(super) entries: u64,
    /// Where the list begins.
    pub(super) list_offset: u64,
    /// Bytes of the list.
    list_bytes: u64,
}

/// Finds the one end record with which the file ends.
///
/// A comment behind it is allowed (git and GitHub put the commit there), a second signature in that comment is not:
/// readers differ in which of the two they take.
pub(super) fn find<R: Read + Seek>(reader: &mut R, size: u64) -> Result<End, BundleError> {
    let tail_bytes = size.min(BYTES as u64 + u64::from(u16::MAX));
    let tail_offset = size - tail_bytes;
    reader.seek(SeekFrom::Start(tail_offset)).map_err(unreadable)?;
    let mut tail = Vec::with_capacity(tail_bytes as usize);
    reader.by_ref().take(tail_bytes).read_to_end(&mut tail).map_err(unreadable)?;

    let places: Vec<usize> =
        tail.windows(4).enumerate().filter(|(_, window)| *window == SIGNATURE).map(|(at, _)| at).collect();
    let Some(last) = places.last().copied() else {
        return Err(ArchiveError::Truncated { what: "its end record" }.into());
    };
    let reaches_end = |at: &&usize| comment_end(&tail, **at) == Some(tail.len());
    let at = match places.iter().find(reaches_end).copied() {
        Some(at) if at == last => at,
        Some(_) => return Err(ArchiveError::TwoEnds.into()),
        None if comment_end(&tail, last).is_some_and(|end| end < tail.len()) => {
            return Err(ArchiveError::TrailingBytes.into());
        }
        None => return Err(ArchiveError::Truncated { what: "its end record" }.into()),
    };
    let position = tail_offset + at as u64;
    let end = parse(tail.get(at..).unwrap_or_default())?;
    Ok(match zip64::find(reader, position)? {
        Some(wide) => end.widen(wide)?.ending_at(wide.position)?,
        None => end.alone()?.ending_at(position)?,
    })
}

/// Where the comment of an end record at `at` ends.
fn comment_end(tail: &[u8], at: usize) -> Option<usize> {
    let length = tail.get(at + BYTES - 2..at + BYTES)?.try_into().ok().map(u16::from_le_bytes)?;
    Some(at + BYTES + usize::from(length))
}

fn parse(record: &[u8]) -> Result<End, ArchiveError> {
    let mut fields = Fields(record);
    let mut numbers = || {
        fields.signature(SIGNATURE)?;
        let disks = (fields.u16()?, fields.u16()?);
        Some((disks, fields.u16()?, fields.u16()?, fields.u32()?, fields.u32()?))
    };
    let (disks, here, entries, list_bytes, list_offset) =
        numbers().ok_or(ArchiveError::Malformed { entry: None, what: "its end record" })?;
    if disks != (0, 0) || here != entries {
        return Err(ArchiveError::MultiDisk);
    }
    Ok(End { entries: entries.into(), list_offset: list_offset.into(), list_bytes: list_bytes.into() })
}

impl End {
    /// With the numbers of 64 bits: each of those with fewer is the same, or all ones.
    fn widen(self, wide: End64) -> Result<Self, ArchiveError> {
        let same = |here: u64, there: u64, ones: u64| here == there || here == ones;
        let agree = same(self.entries, wide.entries, u16::MAX.into())
            && same(self.list_bytes, wide.list_bytes, SATURATED)
            && same(self.list_offset, wide.list_offset, SATURATED);
        if !agree {
            return Err(ArchiveError::Zip64End);
        }
        Ok(Self { entries: wide.entries, list_offset: wide.list_offset, list_bytes: wide.list_bytes })
    }

    /// Without such numbers: no field asks for one.
    fn alone(self) -> Result<Self, ArchiveError> {
        let asks = [self.list_bytes, self.list_offset].contains(&SATURATED);
        if asks { Err(ArchiveError::Zip64Locator) } else { Ok(self) }
    }

    /// The list ends where the end records begin.
    fn ending_at(self, position: u64) -> Result<Self, ArchiveError> {
        let malformed = ArchiveError::Malformed { entry: None, what: "its end record" };
        match self.list_offset.checked_add(self.list_bytes) {
            Some(list_end) if list_end < position => {
                Err(ArchiveError::StrayBytes { offset: list_end, bytes: position - list_end })
            }
            Some(list_end) if list_end == position => Ok(self),
            _ => Err(malformed),
        }
    }

    /// The bytes of the list, if they are no more than its entries need.
    pub(super) fn read_list<R: Read + Seek>(&self, reader: &mut R) -> Result<Vec<u8>, BundleError> {
        if self.list_bytes > self.entries.saturating_mul(LISTED_BYTES) {
            return Err(ArchiveError::Malformed { entry: None, what: "its end record" }.into());
        }
        reader.seek(SeekFrom::Start(self.list_offset)).map_err(unreadable)?;
        let mut list = vec![0; self.list_bytes as usize];
        reader.read_exact(&mut list).map_err(unreadable)?;
        Ok(list)
    }
}
