use super::bytes::Fields;
use super::central::Central;
use crate::ArchiveError;

/// Sizes of 64 bits (APPNOTE 4.5.3).
const ZIP64: u16 = 0x0001;
/// Strong encryption (APPNOTE 4.5.12), and the mark of AES that WinZip uses.
const ENCRYPTED: [u16; 2] = [0x0017, 0x9901];
/// Info-ZIP's Unicode path (APPNOTE 4.6.9): a version, the CRC of the first name, a second name.
const UNICODE_PATH: u16 = 0x7075;
/// ASi's Unix field (APPNOTE 4.6.5): a CRC, a mode, and for links a target.
const ASI_UNIX: u16 = 0x756e;
/// What libarchive puts into headers for readers that see no list.
const LIBARCHIVE: u16 = 0x6c78;

/// Reads the extra fields of either header of an entry (APPNOTE 4.5), and gives those with 64-bit sizes.
///
/// Most hold times and owners, or what nobody knows, and are read past. A field may not contradict the list, encrypt, or
/// end early.
pub(super) fn judge<'a>(entry: &Central, extra: &'a [u8]) -> Result<Option<&'a [u8]>, ArchiveError> {
    let malformed = || ArchiveError::Malformed { entry: Some(entry.number), what: "an extra field" };
    let mut fields = Fields(extra);
    let mut zip64 = None;
    while !fields.0.is_empty() {
        let (id, value) = next(&mut fields).ok_or_else(malformed)?;
        match id {
            ZIP64 if zip64.replace(value).is_some() => return Err(entry.zip64_conflict()),
            UNICODE_PATH if value.get(5..) != Some(entry.name.as_slice()) => {
                return Err(ArchiveError::UnicodeName { entry: entry.number, name: entry.shown() });
            }
            ASI_UNIX | LIBARCHIVE => {
                let same = if id == ASI_UNIX { asi_unix(value, entry) } else { libarchive(value, entry) };
                if !same.ok_or_else(malformed)? {
                    return Err(ArchiveError::SecondMode { entry: entry.number, name: entry.shown() });
                }
            }
            _ if ENCRYPTED.contains(&id) => {
                return Err(ArchiveError::Encrypted { entry: entry.number, name: entry.shown() });
            }
            _ => {}
        }
    }
    Ok(zip64)
}

fn next<'a>(fields: &mut Fields<'a>) -> Option<(u16, &'a [u8])> {
    let (id, length) = (fields.u16()?, fields.u16()?);
    Some((id, fields.take(length.into())?))
}

/// Whether the mode is the list's, and no link's target follows the owner.
fn asi_unix(value: &[u8], entry: &Central) -> Option<bool> {
    let mut fields = Fields(value);
    let _crc = fields.u32()?;
    let mode = fields.u16()?;
    let _size_and_owner = fields.take(8)?;
    Some(u32::from(mode) == entry.attributes >> 16 && fields.0.is_empty())
}

/// Whether the system and the attributes are the list's: one bit for each thing that is said, and the things.
fn libarchive(value: &[u8], entry: &Central) -> Option<bool> {
    let mut fields = Fields(value);
    let [said] = *fields.take(1)? else { return None };
    // Without a system of their own, attributes are read as those of DOS.
    let mut same = said & 0xf0 == 0 && said & 5 != 4;
    if said & 1 != 0 {
        same &= fields.u16()? >> 8 == u16::from(entry.system);
    }
    if said & 2 != 0 {
        let _internal = fields.u16()?;
    }
    if said & 4 != 0 {
        same &= fields.u32()? == entry.attributes;
    }
    Some(same)
}
