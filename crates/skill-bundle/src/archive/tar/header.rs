use tar::Header;

use super::BLOCK;
use crate::ArchiveError;

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
    /// Reads the header of entry `number`. The library would also take numbers in GNU's binary form, which hold
    /// what is larger than any limit, numbers with a sign, and a magic that it does not know.
    pub(super) fn of(header: &Header, number: u64) -> Result<Self, ArchiveError> {
        let malformed = |what| ArchiveError::Malformed { entry: Some(number), what };
        let old = header.as_old();
        if !has_checksum(header) {
            return Err(malformed("the header's checksum"));
        }
        let nameless = header.as_bytes()[257..265].iter().all(|byte| *byte == 0);
        if header.as_ustar().is_none() && header.as_gnu().is_none() && !nameless {
            return Err(malformed("the header's format"));
        }
        let size = octal(&old.size).then(|| header.entry_size().ok()).flatten();
        let mode = match old.mode.iter().all(|byte| matches!(byte, b' ' | 0)) {
            true => None,
            false if octal(&old.mode) => Some(header.mode().map_err(|_| malformed("the mode"))?),
            false => return Err(malformed("the mode")),
        };
        Ok(Self {
            name: header.path_bytes().into_owned(),
            link: header.link_name_bytes().unwrap_or_default().into_owned(),
            size: size.ok_or_else(|| malformed("the size"))?,
            executable: mode.map(|mode| mode & 0o100 != 0),
        })
    }
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

/// Whether a field holds a number and nothing else: blanks, octal digits, blanks or NULs.
fn octal(field: &[u8]) -> bool {
    let blanks = field.iter().take_while(|byte| **byte == b' ').count();
    let (_, number) = field.split_at(blanks);
    let digits = number.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let (digits, rest) = number.split_at(digits);
    !digits.is_empty() && rest.iter().all(|byte| matches!(byte, b' ' | 0))
}
