//! Zstd (RFC 8878) around a tar: one frame without a dictionary, its checksum and size right if it has them, nothing
//! behind it.
//!
//! The frame's header is read here, before the decoder allocates anything, and so is every block's, to judge what the
//! decoder does not (see `literals`). What comes out is counted by the reader of the tar.

mod bits;
mod literals;

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use literals::Literals;

use super::{Intake, tarball};
use crate::{ArchiveError, BundleError};

pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// What every decoder has to be able to keep (RFC 8878, 3.1.1.1.2), and all that level 19 and below ask for.
const WINDOW: u64 = 8 * 1024 * 1024;

/// Most bytes of a block, before and after.
const BLOCK: u64 = 128 * 1024;
/// Two of the types of blocks.
const RLE: u32 = 1;
const COMPRESSED: u32 = 2;
/// Bytes of the checksum behind the last.
const CHECKSUM: u64 = 4;

/// Whether a frame that decoders skip begins here.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Reads a tar in a zstd frame; `first` are the bytes that the archive begins with.
pub(super) fn read_tar<R: Read>(
    reader: &mut R,
    first: &[u8],
    intake: &mut Intake,
) -> Result<(), BundleError> {
    let header = Header::parse(first)?;
    let source = Source { reader: BufReader::with_capacity(64 * 1024, reader), failed: None, ended: false };
    let mut frame = Frame::open(source, &header)?;
    match tarball::read_from(&mut frame, intake) {
        Ok(()) => frame.end(&header),
        Err(tarball::Failure::Refused(error)) => Err(error),
        Err(tarball::Failure::Io(_)) => Err(frame.source.explain()),
    }
}

/// What the header of a frame says (RFC 8878, 3.1.1.1).
struct Header {
    /// Bytes that come out, if it tells.
    content: Option<u64>,
    has_checksum: bool,
}

impl Header {
    fn parse(first: &[u8]) -> Result<Self, ArchiveError> {
        let cut_off = || ArchiveError::Truncated { what: "the zstd stream" };
        let rest = first.get(MAGIC.len()..).unwrap_or_default();
        let (descriptor, rest) = rest.split_first().ok_or_else(cut_off)?;
        let (reserved, single_segment) = (descriptor >> 3 & 1, descriptor >> 5 & 1 == 1);
        if reserved != 0 {
            return Err(ArchiveError::Malformed { entry: None, what: "the zstd stream" });
        }
        if descriptor & 3 != 0 {
            return Err(ArchiveError::ZstdDictionary);
        }
        let (window, rest) = if single_segment {
            (None, rest)
        } else {
            let (window, rest) = rest.split_first().ok_or_else(cut_off)?;
            let base = 1_u64 << (10 + (window >> 3));
            (Some(base + base / 8 * u64::from(window & 7)), rest)
        };
        let number = |count: usize| -> Result<u64, ArchiveError> {
            let bytes = rest.get(..count).ok_or_else(cut_off)?;
            Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        };
        let content = match (descriptor >> 6, single_segment) {
            (0, false) => None,
            (0, true) => Some(number(1)?),
            (1, _) => Some(number(2)? + 256),
            (2, _) => Some(number(4)?),
            _ => Some(number(8)?),
        };
        // A single segment is its own window.
        let window = window.or(content).unwrap_or_default();
        if window > WINDOW {
            return Err(ArchiveError::ZstdWindow { window, limit: WINDOW });
        }
        Ok(Self { content, has_checksum: descriptor & 4 != 0 })
    }
}

/// The decoder, with errors that the reader of the tar knows from its own library's.
struct Frame<R> {
    decoder: FrameDecoder,
    source: Source<R>,
    literals: Literals,
    has_checksum: bool,
    /// One block, and behind the last one the checksum.
    block: Vec<u8>,
    /// Bytes that came out.
    held: u64,
}

impl<R: Read> Frame<R> {
    fn open(mut source: Source<R>, header: &Header) -> Result<Self, BundleError> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        if decoder.init(&mut source).is_err() {
            return Err(source.explain());
        }
        Ok(Self {
            decoder,
            source,
            literals: Literals::default(),
            has_checksum: header.has_checksum,
            block: Vec::new(),
            held: 0,
        })
    }

    /// Reads the next block (RFC 8878, 3.1.1.2) and judges what the decoder does not.
    fn read_block(&mut self) -> io::Result<()> {
        let mut header = [0; 4];
        self.source.read_exact(header.get_mut(..3).unwrap_or_default())?;
        let number = u32::from_le_bytes(header);
        let (last, kind, size) = (number & 1 == 1, number >> 1 & 3, u64::from(number >> 3));
        let packed = if kind == RLE { 1 } else { size };
        let checksum = if last && self.has_checksum { CHECKSUM } else { 0 };
        if size > BLOCK {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.block.clear();
        self.block.extend_from_slice(header.get(..3).unwrap_or_default());
        let there = self.source.by_ref().take(packed + checksum).read_to_end(&mut self.block)?;
        if (there as u64) < packed + checksum {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let content = self.block.get(3..3 + packed as usize).unwrap_or_default();
        if kind == COMPRESSED && self.literals.check(content).is_none() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(())
    }

    /// Whether the frame was what it said, and is the last thing in the archive.
    fn end(mut self, header: &Header) -> Result<(), BundleError> {
        let checksum = self.decoder.get_checksum_from_data();
        if checksum.is_some() && checksum != self.decoder.get_calculated_checksum() {
            return Err(ArchiveError::ZstdChecksum.into());
        }
        if let Some(announced) = header.content
            && announced != self.held
        {
            return Err(ArchiveError::ZstdSize { announced, held: self.held }.into());
        }
        let behind = self.source.reader.fill_buf().map_err(|error| BundleError::io("the archive", error))?;
        match behind {
            [] => Ok(()),
            _ if behind.starts_with(&MAGIC) => Err(ArchiveError::ZstdFrames.into()),
            _ if is_skippable(behind) => Err(ArchiveError::ZstdSkippable.into()),
            _ => Err(ArchiveError::TrailingBytes.into()),
        }
    }
}

impl<R: Read> Read for Frame<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            self.read_block()?;
            self.decoder
                .decode_blocks(self.block.as_slice(), BlockDecodingStrategy::UptoBlocks(1))
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
        let count = self.decoder.read(bytes)?;
        self.held += count as u64;
        Ok(count)
    }
}

/// What the decoder reads from. Its errors are many and deep: this knows whether the bytes were at fault.
struct Source<R> {
    reader: BufReader<R>,
    failed: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Source<R> {
    /// What an error of the decoder means.
    fn explain(self) -> BundleError {
        match self.failed {
            Some(error) => BundleError::io("the archive", error),
            None if self.ended => ArchiveError::Truncated { what: "the zstd stream" }.into(),
            None => ArchiveError::Malformed { entry: None, what: "the zstd stream" }.into(),
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(bytes) {
            Ok(count) => {
                self.ended |= count == 0 && !bytes.is_empty();
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failed = Some(error);
                Err(kind.into())
            }
        }
    }
}
