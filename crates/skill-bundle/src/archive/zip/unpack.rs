use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use super::central::{Central, STORED};
use super::unreadable;
use crate::{ArchiveError, BundleError};

/// Most packed bytes that are held at a time. The content of most files is unpacked in one call, into its place.
const PACKED: usize = 256 * 1024;
/// What is left out is unpacked so many bytes at a time.
const DROPPED: usize = 64 * 1024;

/// Unpacks entries, one after the other, with the same buffers.
pub(super) struct Unpacker {
    decoder: Decompress,
    packed: Vec<u8>,
}

impl Default for Unpacker {
    fn default() -> Self {
        Self { decoder: Decompress::new(false), packed: Vec::new() }
    }
}

impl Unpacker {
    /// Unpacks `source`, the packed bytes of an entry, and holds what comes out against what the entry announces.
    pub(super) fn unpack(
        &mut self,
        source: impl Read,
        entry: &Central,
        into: &mut Output,
    ) -> Result<(), BundleError> {
        match entry.method {
            STORED => into.copy(source, entry.size)?,
            _ => self.inflate(source.take(entry.packed), entry, into)?,
        }
        if into.crc.clone().finalize() != entry.crc {
            return Err(ArchiveError::Checksum { entry: entry.number, name: entry.shown() }.into());
        }
        Ok(())
    }

    fn inflate(
        &mut self,
        mut source: impl Read,
        entry: &Central,
        into: &mut Output,
    ) -> Result<(), BundleError> {
        let differs = |field| ArchiveError::HeadersDiffer { entry: entry.number, name: entry.shown(), field };
        self.decoder.reset(false);
        let mut ended = false;
        while !ended {
            self.packed.clear();
            source.by_ref().take(PACKED as u64).read_to_end(&mut self.packed).map_err(unreadable)?;
            if self.packed.is_empty() {
                return Err(ArchiveError::Truncated { what: "the packed data of an entry" }.into());
            }
            ended = self.inflate_held(entry, into)?;
        }
        if self.decoder.total_in() < entry.packed {
            return Err(differs("the packed size").into());
        }
        if into.made < entry.size {
            return Err(differs("the size").into());
        }
        Ok(())
    }

    /// Inflates what is held; tells whether the stream ended in it.
    fn inflate_held(&mut self, entry: &Central, into: &mut Output) -> Result<bool, BundleError> {
        let mut ahead = self.packed.as_slice();
        // The decoder keeps no window of its own where it knows that there is no next call.
        let last = self.decoder.total_in() + ahead.len() as u64 == entry.packed;
        let flush = if last { FlushDecompress::Finish } else { FlushDecompress::None };
        loop {
            let (read, made) = (self.decoder.total_in(), into.made);
            let status = into.take(|room| self.decoder.decompress_vec(ahead, room, flush));
            let status = status.map_err(|_| ArchiveError::Malformed {
                entry: Some(entry.number),
                what: "the packed data",
            })?;
            if into.made > entry.size {
                return Err(BundleError::Bomb { stopped_at: into.made });
            }
            let read = (self.decoder.total_in() - read) as usize;
            ahead = ahead.get(read..).unwrap_or_default();
            let stuck = read == 0 && into.made == made;
            match status {
                Status::StreamEnd => return Ok(true),
                Status::Ok | Status::BufError if stuck => return Ok(false),
                Status::Ok | Status::BufError => {}
            }
        }
    }
}

/// Where unpacked bytes go: into memory, or nowhere but into their checksum.
pub(super) struct Output {
    bytes: Vec<u8>,
    keeps: bool,
    made: u64,
    crc: crc32fast::Hasher,
}

impl Output {
    /// For the content of a file, which has room for one byte more than it may have.
    pub(super) fn kept(size: u64) -> Self {
        Self { keeps: true, ..Self::with_room(size as usize + 1) }
    }

    pub(super) fn dropped() -> Self {
        Self::with_room(DROPPED)
    }

    fn with_room(room: usize) -> Self {
        let bytes = Vec::with_capacity(room);
        Self { bytes, keeps: false, made: 0, crc: crc32fast::Hasher::new() }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Takes what `fill` puts behind what is there.
    fn take<T>(&mut self, fill: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let from = self.bytes.len();
        let filled = fill(&mut self.bytes);
        let new = self.bytes.get(from..).unwrap_or_default();
        self.crc.update(new);
        self.made += new.len() as u64;
        if !self.keeps {
            self.bytes.clear();
        }
        filled
    }

    /// Takes `size` bytes as they are.
    fn copy(&mut self, mut source: impl Read, size: u64) -> Result<(), BundleError> {
        let piece = if self.keeps { size } else { DROPPED as u64 };
        while self.made < size {
            let wanted = piece.min(size - self.made);
            let read = self.take(|bytes| source.by_ref().take(wanted).read_to_end(bytes));
            if read.map_err(unreadable)? == 0 {
                return Err(unreadable(io::ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(())
    }
}
