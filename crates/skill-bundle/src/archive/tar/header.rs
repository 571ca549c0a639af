use tar::Header;

use super::BLOCK;
use crate::ArchiveError;

/// Where ustar has the prefix of a name and other formats have something else, or nothing.
const PREFIX: usize = 345;

/// The fields of a header as the library reads them, from bytes that every other reader reads the same.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) name: Vec<u8>,
    pub(super) link: Vec<u8>,
    pub(super) size: u64,
    /// `None` if the field is empty.
    pub(super) executable: Option<bool>,
}

impl Fields {
    /// Reads the header of entry `number`. The library would also take sizes in GNU's binary form, which hold
    /// what is larger than any limit, numbers with a sign, and a magic that it does not know.
    pub(super) fn of(header: &Header, number: u64) -> Result<Self, ArchiveError> {
        let bad = |field| ArchiveError::Number { entry: number, field };
        let old = header.as_old();
        if !has_checksum(header) {
            return Err(ArchiveError::HeaderChecksum { entry: number });
        }
        check_format(header, number)?;
        // Not read here, but some readers end the archive at one that they cannot read.
        for (field, what) in [(&old.uid[..], "owner"), (&old.gid, "group"), (&old.mtime, "time")] {
            if !blank(field) && !octal(field) && !binary(field) {
                return Err(bad(what));
            }
        }
        let size = octal(&old.size).then(|| header.entry_size().ok()).flatten();
        let mode = match blank(&old.mode) {
            true => None,
            false if octal(&old.mode) => Some(header.mode().map_err(|_| bad("mode"))?),
            false => return Err(bad("mode")),
        };
        Ok(Self {
            name: header.path_bytes().into_owned(),
            link: header.link_name_bytes().unwrap_or_default().into_owned(),
            size: size.ok_or_else(|| bad("size"))?,
            executable: mode.map(|mode| mode & 0o100 != 0),
        })
    }
}

/// The magic is ustar's, GNU's or none. What stands in the place of ustar's prefix counts in ustar alone; some readers take it
/// for one everywhere.
fn check_format(header: &Header, number: u64) -> Result<(), ArchiveError> {
    let bytes = header.as_bytes();
    let nameless = bytes[257..265].iter().all(|byte| *byte == 0);
    for device in [&bytes[329..337], &bytes[337..345]] {
        if !blank(device) && !octal(device) && !binary(device) {
            return Err(ArchiveError::Number { entry: number, field: "device" });
        }
    }
    if header.as_ustar().is_some() {
        return Ok(());
    }
    if header.as_gnu().is_none() && !nameless {
        return Err(ArchiveError::Malformed { entry: Some(number), what: "the header's format" });
    }
    if bytes[PREFIX] != 0 { Err(ArchiveError::Prefix { entry: number }) } else { Ok(()) }
}

/// Whether the first block of a file is a header.
pub(in crate::archive) fn looks_like(first: &[u8]) -> bool {
    first.len() == BLOCK && has_checksum(Header::from_byte_slice(first))
}

/// Whether a header's bytes sum up to the number in it. The sum of signed bytes, which some old writers made, is
/// refused: readers differ in whether they take it.
pub(super) fn has_checksum(header: &Header) -> bool {
    let mut right = header.clone();
    right.set_cksum();
    octal(&header.as_old().cksum) && header.cksum().ok() == right.cksum().ok()
}

/// Whether a field is empty.
fn blank(field: &[u8]) -> bool {
    field.iter().all(|byte| matches!(byte, b' ' | 0))
}

/// Whether a field holds a number in GNU's binary form: as time and owners that octal digits cannot hold are written.
fn binary(field: &[u8]) -> bool {
    matches!(field, [0x80 | 0xff, ..])
}

/// Whether a field holds a number and nothing else: blanks, octal digits, blanks or NULs.
fn octal(field: &[u8]) -> bool {
    let blanks = field.iter().take_while(|byte| **byte == b' ').count();
    let (_, number) = field.split_at(blanks);
    let digits = number.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let (digits, rest) = number.split_at(digits);
    !digits.is_empty() && rest.iter().all(|byte| matches!(byte, b' ' | 0))
}
