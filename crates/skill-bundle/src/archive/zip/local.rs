use std::io::{Read, Seek, SeekFrom};

use super::bytes::Fields;
use super::central::{Central, DESCRIPTOR, SATURATED, STORED};
use super::{extra, unreadable};
use crate::{ArchiveError, BundleError};

const SIGNATURE: [u8; 4] = *b"PK\x03\x04";
const DESCRIPTOR_SIGNATURE: [u8; 4] = *b"PK\x07\x08";
/// Bytes of a descriptor without its signature, with sizes of 32 bits and of 64.
const DESCRIPTOR_BYTES: u64 = 12;
const WIDE_DESCRIPTOR_BYTES: u64 = 20;
const BYTES: usize = 30;

/// The header in front of an entry's data (APPNOTE 4.3.7), held against the list.
#[derive(Debug)]
pub(super) struct Local {
    /// Where the data begin.
    pub(super) data: u64,
    /// Where they end.
    end: u64,
    /// Whether its sizes have 64 bits, here and in the descriptor (APPNOTE 4.3.9.2).
    wide: bool,
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
                packed: fields.u32()?.into(),
                size: fields.u32()?.into(),
            };
            Some((needed, said, fields.u16()?, fields.u16()?))
        };
        let (needed, mut said, name_bytes, extra_bytes) = lengths().ok_or_else(malformed)?;
        let mut rest = vec![0; usize::from(name_bytes) + usize::from(extra_bytes)];
        reader.read_exact(&mut rest).map_err(unreadable)?;
        let (name, extra) = rest.split_at(name_bytes.into());
        entry.check_version(needed)?;
        let wide = extra::judge(entry, extra)?;
        said.widen(entry, wide)?;
        said.check(entry, name)?;
        let data = entry.offset + (BYTES + rest.len()) as u64;
        let end = data.saturating_add(entry.packed);
        if end > limit {
            return Err(ArchiveError::Overlap { entry: entry.number, name: entry.shown() }.into());
        }
        Ok(Self { data, end, wide: wide.is_some() })
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
        let lies = || ArchiveError::Descriptor { entry: entry.number, name: entry.shown() };
        let bytes = if self.wide { WIDE_DESCRIPTOR_BYTES } else { DESCRIPTOR_BYTES };
        let room = next.checked_sub(self.end).ok_or_else(lies)?;
        let signed = room == bytes + 4;
        if !signed && room != bytes {
            return Err(lies().into());
        }
        reader.seek(SeekFrom::Start(self.end)).map_err(unreadable)?;
        let mut descriptor = [0; WIDE_DESCRIPTOR_BYTES as usize + 4];
        let descriptor = descriptor.get_mut(..room as usize).ok_or_else(lies)?;
        reader.read_exact(descriptor).map_err(unreadable)?;
        let mut fields = Fields(descriptor);
        let mut read = || {
            if signed {
                fields.signature(DESCRIPTOR_SIGNATURE)?;
            }
            let crc = fields.u32()?;
            let mut size = || if self.wide { fields.u64() } else { fields.u32().map(u64::from) };
            Some((crc, size()?, size()?))
        };
        if read() != Some((entry.crc, entry.packed, entry.size)) {
            return Err(lies().into());
        }
        // Readers look for the signature first, and a checksum may look like one.
        if !signed && entry.crc.to_le_bytes() == DESCRIPTOR_SIGNATURE {
            return Err(lies().into());
        }
        if entry.method == STORED && entry.size > 0 {
            self.check_stored(reader, entry, signed)?;
        }
        Ok(next)
    }

    /// Stored data have no end of their own: who reads from the front looks for the descriptor's signature, and has to find
    /// the true one.
    fn check_stored<R: Read + Seek>(
        &self,
        reader: &mut R,
        entry: &Central,
        signed: bool,
    ) -> Result<(), BundleError> {
        let guess = || ArchiveError::StoredDescriptor { entry: entry.number, name: entry.shown() };
        if !signed {
            return Err(guess().into());
        }
        reader.seek(SeekFrom::Start(self.data)).map_err(unreadable)?;
        let mut data = reader.by_ref().take(self.end - self.data);
        let mut buffer = vec![0; 64 * 1024];
        let mut kept = 0;
        loop {
            let count = data.read(buffer.get_mut(kept..).unwrap_or_default()).map_err(unreadable)?;
            let seen = buffer.get(..kept + count).unwrap_or_default();
            if seen.windows(4).any(|window| window == DESCRIPTOR_SIGNATURE) {
                return Err(guess().into());
            }
            if count == 0 {
                return Ok(());
            }
            // The signature may go on in what is read next.
            let from = seen.len().saturating_sub(3);
            kept = seen.len() - from;
            buffer.copy_within(from..from + kept, 0);
        }
    }
}

/// What the header says, with or without a descriptor to come.
struct Said {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
}

impl Said {
    /// Takes both sizes from the extra field with 64 bits, if there is one; then both are all ones (APPNOTE 4.5.3).
    fn widen(&mut self, entry: &Central, wide: Option<&[u8]>) -> Result<(), ArchiveError> {
        let Some(wide) = wide else { return Ok(()) };
        let mut fields = Fields(wide);
        match (fields.u64(), fields.u64()) {
            (Some(size), Some(packed))
                if fields.0.is_empty() && (self.size, self.packed) == (SATURATED, SATURATED) =>
            {
                (self.size, self.packed) = (size, packed);
                Ok(())
            }
            _ => Err(entry.zip64_conflict()),
        }
    }

    fn check(&self, entry: &Central, name: &[u8]) -> Result<(), ArchiveError> {
        let later = entry.flags & DESCRIPTOR != 0;
        let same = |here: u64, listed: u64| here == listed || (later && here == 0);
        let differing = [
            ("the name", name == entry.name),
            ("the flags", self.flags == entry.flags),
            ("the method", self.method == entry.method),
            ("the checksum", same(self.crc.into(), entry.crc.into())),
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
