//! Gzip (RFC 1952) around a tar: one member, its checksum and length right, nothing behind it.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use super::{Intake, tarball};
use crate::{ArchiveError, BundleError};

pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Reads a gzipped tar. What comes out is counted: more than a tar within the limits can hold is a bomb.
pub(super) fn read_tar<R: Read>(reader: &mut R, intake: &mut Intake) -> Result<(), BundleError> {
    let mut decoder = GzDecoder::new(BufReader::with_capacity(64 * 1024, reader));
    tarball::read_from(&mut decoder, intake).map_err(|failure| match failure {
        tarball::Failure::Refused(error) => error,
        tarball::Failure::Io(error) => sort(error),
    })?;
    let mut rest = decoder.into_inner();
    let behind = rest.fill_buf().map_err(|error| BundleError::io("the archive", error))?;
    match behind {
        [] => Ok(()),
        _ if behind.starts_with(&MAGIC) => Err(ArchiveError::GzipMembers.into()),
        _ => Err(ArchiveError::TrailingBytes.into()),
    }
}

/// What the decoder's errors mean.
fn sort(error: io::Error) -> BundleError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::Truncated { what: "the gzip stream" }.into(),
        // The decoder says so of the member's trailer alone: the checksum and the length.
        io::ErrorKind::InvalidInput if error.to_string().contains("checksum") => {
            ArchiveError::GzipChecksum.into()
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            ArchiveError::Malformed { entry: None, what: "the gzip stream" }.into()
        }
        _ => BundleError::io("the archive", error),
    }
}
