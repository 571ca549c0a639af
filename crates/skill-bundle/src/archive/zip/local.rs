use std::io::{Read, Seek, SeekFrom};

use super::bytes::Fields;
use super::central::{Central, DESCRIPTOR};
use super::unreadable;
use crate::{ArchiveError, BundleError};

const SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR_SIGNATURE: [u8; 4] = *b"PK\x07\x08";
const BYTES: usize = 30;

/// The header in front of an entry's data (APPNOTE 4.3.7), held against the list.
#[derive(Debug)]
pub(super) struct Local {
    /// Where the data begin.
    pub(super) data: u64,
    /// Where they end.
    end: u64,
}

impl Local {
    /// Reads the header of an entry, whose data have to end at `limit` at the latest: where the next
    /// entry begins, or the list. Asked before any data are read, so that bytes that many entries share are not unpacked
    /// once.
    pub(super) fn read<R: Read + Seek>(
        reader: &mut R,
        entry: &Central,
        limit: u64,
    ) -> Result<Self, BundleError> {
        let malformed = || ArchiveError::Malformed { entry: Some(entry.number), what: "the header" };
        reader.seek(SeekFrom::Start(entry.offset)).map_err(unreadable)?;
        let mut header = [0; BYTES];
        reader.read_exact(&mut header).map_err(unreadable)?;
        let mut fields = Fields(&header);
        let mut lengths = || {
            fields.signature(SIGNATURE)?;
            let needed = fields.u16()?;
            let said = Said {
                flags: fields.u16()?,
                method: fields.u16()?,
                crc: {
                    let _time_and_date = fields.u32()?;
                    fields.u32()?
                },
                packed: fields.u32()?,
                size: fields.u32()?,
            };
            Some((needed, said, fields.u16()?, fields.u16()?))
        };
        let (needed, said, name_bytes, extra_bytes) = lengths().ok_or_else(malformed)?;
        let mut rest = vec![0; usize::from(name_bytes) + usize::from(extra_bytes)];
        reader.read_exact(&mut rest).map_err(unreadable)?;
        let (name, extra) = rest.split_at(name_bytes.into());
        entry.check_version(needed)?;
        said.check(entry, name)?;
        entry.check_extra(extra)?;
        let data = entry.offset + (BYTES + rest.len()) as u64;
        let end = data + entry.packed;
        if end > limit {
            return Err(ArchiveError::Overlap { entry: entry.number, name: entry.shown() }.into());
        }
        Ok(Self { data, end })
    }

    /// Where the entry ends: with its data, or with the descriptor that fills the room up to `next`.
    pub(super) fn check_end<R: Read + Seek>(
        &self,
        reader: &mut R,
        entry: &Central,
        next: u64,
    ) -> Result<u64, BundleError> {
        if entry.flags & DESCRIPTOR == 0 {
            return Ok(self.end);
        }
        let differs = || ArchiveError::HeadersDiffer {
            entry: entry.number,
            name: entry.shown(),
            field: "the descriptor",
        };
        let room = next.checked_sub(self.end).filter(|room| [12, 16].contains(room)).ok_or_else(differs)?;
        reader.seek(SeekFrom::Start(self.end)).map_err(unreadable)?;
        let mut descriptor = vec![0; room as usize];
        reader.read_exact(&mut descriptor).map_err(unreadable)?;
        let mut fields = Fields(&descriptor);
        let mut read = || {
            if room == 16 {
                fields.signature(DESCRIPTOR_SIGNATURE)?;
            }
            Some((fields.u32()?, u64::from(fields.u32()?), u64::from(fields.u32()?)))
        };
        if read() != Some((entry.crc, entry.packed, entry.size)) {
            return Err(differs().into());
        }
        Ok(next)
    }
}

/// What the header says, with or without a descriptor to come.
struct Said {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    size: u32,
}

impl Said {
    fn check(&self, entry: &Central, name: &[u8]) -> Result<(), ArchiveError> {
        let later = entry.flags & DESCRIPTOR != 0;
        let same = |here: u32, listed: u64| u64::from(here) == listed || (later && here == 0);
        let differing = [
            ("the name", name == entry.name),
            ("the flags", self.flags == entry.flags),
            ("the method", self.method == entry.method),
            ("the checksum", same(self.crc, entry.crc.into())),
            ("the packed size", same(self.packed, entry.packed)),
            ("the size", same(self.size, entry.size)),
        ];
        match differing.iter().find(|(_, same)| !same) {
            Some((field, _)) => {
                Err(ArchiveError::HeadersDiffer { entry: entry.number, name: entry.shown(), field })
            }
            None => Ok(()),
        }
    }
}
