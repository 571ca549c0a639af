use std::io::{self, Read};

use tar::Header;

use super::header::{Fields, has_checksum};
use super::{BLOCK, Failure, PADDING};
use crate::{ArchiveError, BundleError};

/// What the library reads from: knows how far it came and what it read last, which the library does not tell.
pub(super) struct Stream<'a, R> {
    reader: &'a mut R,
    read: u64,
    /// The block that was read last.
    block: [u8; BLOCK],
    ended: bool,
}

impl<R: Read> Read for Stream<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        self.ended = count == 0 && !bytes.is_empty();
        let last = bytes.get(count.saturating_sub(BLOCK)..count).unwrap_or_default();
        let begin = (self.read as usize + count - last.len()) % BLOCK;
        for (byte, at) in last.iter().zip(begin..) {
            self.block[at % BLOCK] = *byte;
        }
        self.read += count as u64;
        Ok(count)
    }
}

impl<'a, R: Read> Stream<'a, R> {
    pub(super) fn new(reader: &'a mut R) -> Self {
        Self { reader, read: 0, block: [0; BLOCK], ended: false }
    }

    /// What it means that the library found no entry `number` at `next`, where one was to begin.
    pub(super) fn explain(&self, error: io::Error, number: u64, next: u64) -> Failure {
        if error.kind() != io::ErrorKind::Other {
            return Failure::Io(error);
        }
        // The first block of a tar that is not packed was judged before.
        let no_header = self.read < BLOCK as u64 && self.read > 0;
        if number == 1 && (no_header || !self.ended && !has_checksum(Header::from_byte_slice(&self.block))) {
            return ArchiveError::NoTar.into();
        }
        if self.ended {
            let what = if self.read < next { "an entry" } else { "its end" };
            return ArchiveError::Truncated { what }.into();
        }
        let header = Header::from_byte_slice(&self.block);
        let reason = Fields::of(header, number).err();
        reason.unwrap_or(ArchiveError::ReadersDiffer { entry: Some(number), what: "the header" }).into()
    }

    /// Where the library saw the end of the archive: a first block of zeros at `next`. An archive has to say
    /// where it ends, so there is a second one, and zeros only until the stream ends.
    pub(super) fn end(mut self, next: u64) -> Result<(), Failure> {
        let cut_off = || Failure::from(ArchiveError::Truncated { what: "its end" });
        if self.read < next + BLOCK as u64 {
            return Err(cut_off());
        }
        let mut second = [0; BLOCK];
        self.read_exact(&mut second).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof if self.ended => cut_off(),
            _ => Failure::Io(error),
        })?;
        let mut all_zero = second.iter().all(|byte| *byte == 0);
        let begin = self.read;
        let mut buffer = [0; 8 * 1024];
        while all_zero {
            let count = self.read(&mut buffer).map_err(Failure::Io)?;
            if count == 0 {
                return Ok(());
            }
            if self.read - begin > PADDING {
                return Err(BundleError::Bomb { stopped_at: self.read }.into());
            }
            all_zero = buffer.get(..count).unwrap_or_default().iter().all(|byte| *byte == 0);
        }
        Err(ArchiveError::TrailingBytes.into())
    }
}
