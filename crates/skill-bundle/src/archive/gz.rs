//! Gzip (RFC 1952) around a tar: one member, its checksum and length right, nothing behind it.
//!
//! The library inflates. The header and the trailer are read here: its errors about them differ from those about
//! the stream between them by their English wording alone.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::DeflateDecoder;

use super::{Intake, tarball};
use crate::{ArchiveError, BundleError};

pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];
const DEFLATE: u8 = 8;
/// Flags of the header (RFC 1952, 2.3.1).
const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;
/// Most bytes of a name or a comment, as many as an extra field can have.
const MAX_TEXT: u64 = 64 * 1024;

/// Reads a gzipped tar. What comes out is counted: more than a tar within the limits can hold is a bomb.
pub(super) fn read_tar<R: Read>(reader: &mut R, intake: &mut Intake) -> Result<(), BundleError> {
    let mut reader = BufReader::with_capacity(64 * 1024, reader);
    Header { reader: &mut reader, crc: crc32fast::Hasher::new() }.pass()?;
    let mut member = Member::new(reader);
    tarball::read_from(&mut member, intake).map_err(|failure| match failure {
        tarball::Failure::Refused(error) => error,
        tarball::Failure::Io(_) if member.lies => ArchiveError::GzipChecksum.into(),
        tarball::Failure::Io(error) => sort(error),
    })?;
    let mut rest = member.inflate.into_inner();
    let behind = rest.fill_buf().map_err(|error| BundleError::io("the archive", error))?;
    match behind {
        [] => Ok(()),
        _ if behind.starts_with(&MAGIC) => Err(ArchiveError::GzipMembers.into()),
        _ => Err(ArchiveError::TrailingBytes.into()),
    }
}

/// The header, of which nothing is kept.
struct Header<'a, R> {
    reader: &'a mut R,
    /// Of what was read.
    crc: crc32fast::Hasher,
}

impl<R: BufRead> Header<'_, R> {
    /// Reads past it.
    fn pass(mut self) -> Result<(), BundleError> {
        let [one, two, method, flags, ..] = self.take::<10>()?;
        if ([one, two], method) != (MAGIC, DEFLATE) || flags & RESERVED != 0 {
            return Err(malformed());
        }
        if flags & EXTRA != 0 {
            let length = u16::from_le_bytes(self.take()?);
            let mut extra = vec![0; length.into()];
            self.reader.read_exact(&mut extra).map_err(sort)?;
            self.crc.update(&extra);
        }
        for text in [NAME, COMMENT] {
            if flags & text != 0 {
                self.pass_text()?;
            }
        }
        if flags & HEADER_CRC != 0 {
            let counted = self.crc.clone().finalize() as u16;
            if u16::from_le_bytes(self.take()?) != counted {
                return Err(ArchiveError::GzipChecksum.into());
            }
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], BundleError> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).map_err(sort)?;
        self.crc.update(&bytes);
        Ok(bytes)
    }

    /// Reads past a text and the NUL behind it.
    fn pass_text(&mut self) -> Result<(), BundleError> {
        let mut text = Vec::new();
        self.reader.by_ref().take(MAX_TEXT).read_until(0, &mut text).map_err(sort)?;
        self.crc.update(&text);
        match text.last() {
            Some(0) => Ok(()),
            _ if text.len() as u64 == MAX_TEXT => Err(malformed()),
            _ => Err(sort(io::ErrorKind::UnexpectedEof.into())),
        }
    }
}

/// What a member holds, held against the trailer where it ends.
struct Member<R> {
    inflate: DeflateDecoder<R>,
    crc: crc32fast::Hasher,
    /// Bytes that came out, modulo 2^32.
    length: u32,
    ended: bool,
    /// The trailer says something else.
    lies: bool,
}

impl<R: BufRead> Member<R> {
    fn new(reader: R) -> Self {
        let inflate = DeflateDecoder::new(reader);
        Self { inflate, crc: crc32fast::Hasher::new(), length: 0, ended: false, lies: false }
    }

    /// Reads the trailer (RFC 1952, 2.3.1: CRC32 and ISIZE). It is not there, either, where the stream is cut off.
    fn check_trailer(&mut self) -> io::Result<()> {
        let mut trailer = [0; 8];
        self.inflate.get_mut().read_exact(&mut trailer)?;
        let counted = [self.crc.clone().finalize().to_le_bytes(), self.length.to_le_bytes()].concat();
        self.lies = trailer != *counted;
        if self.lies { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
    }
}

impl<R: BufRead> Read for Member<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inflate.read(bytes)?;
        self.crc.update(bytes.get(..count).unwrap_or_default());
        self.length = self.length.wrapping_add(count as u32);
        if count == 0 && !bytes.is_empty() && !self.ended {
            self.check_trailer()?;
            self.ended = true;
        }
        Ok(count)
    }
}

fn malformed() -> BundleError {
    ArchiveError::Malformed { entry: None, what: "the gzip stream" }.into()
}

/// What errors of the reader and of the library mean.
fn sort(error: io::Error) -> BundleError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::Truncated { what: "the gzip stream" }.into(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => malformed(),
        _ => BundleError::io("the archive", error),
    }
}
