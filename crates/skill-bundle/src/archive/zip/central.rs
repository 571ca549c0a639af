use super::bytes::Fields;
use super::extra;
use crate::ArchiveError;

const SIGNATURE: [u8; 4] = *b"PK\x01\x02";

/// General purpose flags (APPNOTE 4.4.4): encrypted, strongly encrypted, encrypted list.
const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// Sizes and CRC follow the data.
pub(super) const DESCRIPTOR: u16 = 1 << 3;
/// Level hints of deflate, descriptor, UTF-8 name: what may be set without changing how an entry is read here.
const KNOWN_FLAGS: u16 = 1 << 1 | 1 << 2 | DESCRIPTOR | UTF8_NAME;
const UTF8_NAME: u16 = 1 << 11;

/// Internal attributes (APPNOTE 4.4.14): text, and records with lengths. Info-ZIP's reader ignores the mode of
/// an entry with the third.
const KNOWN_ATTRIBUTES: u16 = 1 | 1 << 1;

pub(super) const STORED: u16 = 0;
const DEFLATE: u16 = 8;

/// A field of 32 bits that says: see the extra field with 64.
pub(super) const SATURATED: u64 = u32::MAX as u64;

/// Version 4.5, that of zip64: what is read here needs no newer one (APPNOTE 4.4.3.2).
const NEWEST: u16 = 45;

/// Systems whose attributes hold a unix mode and whose names are UTF-8 (APPNOTE 4.4.2): UNIX, and OS X. Finder's
/// archives, which are of the first, never mark a name as UTF-8.
const UNIX_SYSTEMS: [u8; 2] = [3, 19];
/// Attributes of DOS and Windows. Readers obey them whatever the unix mode beside them says: unzip leaves out a volume
/// label, 7z makes a folder, and does not write what Windows would look for elsewhere.
const DOS_LABEL: u32 = 0x08;
const DOS_FOLDER: u32 = 0x10;
const REPARSE_POINT: u32 = 0x400;

/// One entry as the list has it (APPNOTE 4.3.12).
#[derive(Debug)]
pub(super) struct Central {
    /// From 1, in the order of the list.
    pub(super) number: u64,
    pub(super) name: Vec<u8>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    pub(super) offset: u64,
    /// That made it (APPNOTE 4.4.2).
    pub(super) system: u8,
    /// Whether the content is text, and room for more.
    internal: u16,
    /// A unix mode in the upper half, attributes of DOS in the lower.
    pub(super) attributes: u32,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attributes {
    /// `None`: the archive has no mode for it.
    File {
        executable: Option<bool>,
    },
    Folder,
    Link,
    /// With its article.
    Special(&'static str),
}

/// Reads the whole list, which holds `entries` entries and nothing else.
pub(super) fn parse(list: &[u8], entries: u64) -> Result<Vec<Central>, ArchiveError> {
    let mut fields = Fields(list);
    let mut parsed = Vec::with_capacity(entries as usize);
    for number in 1..=entries {
        let entry = parse_one(&mut fields, number)
            .ok_or(ArchiveError::Malformed { entry: Some(number), what: "the list of entries" })??;
        entry.check()?;
        parsed.push(entry);
    }
    match fields.0 {
        [] => Ok(parsed),
        _ => Err(ArchiveError::Malformed { entry: None, what: "the end of the list of entries" }),
    }
}

fn parse_one(fields: &mut Fields<'_>, number: u64) -> Option<Result<Central, ArchiveError>> {
    fields.signature(SIGNATURE)?;
    let made_by = fields.u16()?;
    let needed = fields.u16()?;
    let (flags, method) = (fields.u16()?, fields.u16()?);
    let _time_and_date = fields.u32()?;
    let (crc, packed, size) = (fields.u32()?, fields.u32()?, fields.u32()?);
    let (name_bytes, extra_bytes, comment_bytes) = (fields.u16()?, fields.u16()?, fields.u16()?);
    let disk = fields.u16()?;
    let internal = fields.u16()?;
    let (attributes, offset) = (fields.u32()?, fields.u32()?);
    let name = fields.take(name_bytes.into())?.to_vec();
    let extra = fields.take(extra_bytes.into())?;
    fields.take(comment_bytes.into())?;
    if disk != 0 {
        return Some(Err(ArchiveError::MultiDisk));
    }
    let mut entry = Central {
        number,
        name,
        flags,
        method,
        crc,
        packed: packed.into(),
        size: size.into(),
        offset: offset.into(),
        system: (made_by >> 8) as u8,
        internal,
        attributes,
    };
    let judged = entry.check_version(needed).and_then(|()| extra::judge(&entry, extra));
    Some(judged.and_then(|wide| entry.widen(wide)).map(|()| entry))
}

impl Central {
    /// The name for a message.
    pub(super) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// What can be said without looking at the entry itself.
    fn check(&self) -> Result<(), ArchiveError> {
        let (entry, name) = (self.number, self.shown());
        if self.flags & ENCRYPTED != 0 {
            return Err(ArchiveError::Encrypted { entry, name });
        }
        if self.flags & !KNOWN_FLAGS != 0 {
            return Err(ArchiveError::Flags { entry, name, flags: self.flags });
        }
        if self.internal & !KNOWN_ATTRIBUTES != 0 {
            return Err(ArchiveError::Attributes { entry, name, attributes: self.internal });
        }
        // In the code page of whoever made it: what it says is a guess, even where it reads as UTF-8.
        let marked = self.flags & UTF8_NAME != 0 || UNIX_SYSTEMS.contains(&self.system);
        if !marked && !self.name.is_ascii() {
            return Err(ArchiveError::CodePage { entry, name });
        }
        match self.method {
            STORED if self.packed != self.size => {
                Err(ArchiveError::HeadersDiffer { entry, name, field: "their two sizes" })
            }
            STORED | DEFLATE => Ok(()),
            method => Err(ArchiveError::Method { entry, name, method }),
        }
    }

    /// The version that either header asks for; its high byte names a system and counts for nothing.
    pub(super) fn check_version(&self, needed: u16) -> Result<(), ArchiveError> {
        let version = needed & 0xff;
        if version > NEWEST {
            return Err(ArchiveError::Version { entry: self.number, name: self.shown(), version });
        }
        Ok(())
    }

    /// Puts 64-bit fields where they belong (APPNOTE 4.5.3): one for each field that is all ones, in this order, and
    /// no others, as readers differ in what they make of those.
    fn widen(&mut self, wide: Option<&[u8]>) -> Result<(), ArchiveError> {
        let mut fields = Fields(wide.unwrap_or_default());
        let mut asked = 0;
        for field in [&mut self.size, &mut self.packed, &mut self.offset] {
            if *field == SATURATED {
                asked += 1;
                *field = fields.u64().unwrap_or_default();
            }
        }
        let given = wide.map_or(0, <[u8]>::len);
        let alike = given == asked * size_of::<u64>() && wide.is_some() == (asked > 0);
        if alike { Ok(()) } else { Err(self.zip64_conflict()) }
    }

    pub(super) fn zip64_conflict(&self) -> ArchiveError {
        ArchiveError::Zip64Fields { entry: self.number, name: self.shown() }
    }

    /// What the entry is, by its name and its attributes, which have to agree.
    pub(super) fn attributes(&self) -> Result<Attributes, ArchiveError> {
        let mode = self.attributes >> 16;
        let named_folder = self.name.ends_with(b"/");
        let differs = || ArchiveError::FolderContent { entry: self.number, name: self.shown() };
        match mode & 0o170_000 {
            0 | 0o100_000 | 0o040_000 => {}
            0o120_000 => return Ok(Attributes::Link),
            0o010_000 => return Ok(Attributes::Special("a named pipe")),
            0o140_000 => return Ok(Attributes::Special("a socket")),
            0o020_000 | 0o060_000 => return Ok(Attributes::Special("a device")),
            _ => return Ok(Attributes::Special("of an unknown kind")),
        }
        if self.attributes & DOS_LABEL != 0 {
            return Ok(Attributes::Special("a volume label"));
        }
        if self.attributes & REPARSE_POINT != 0 {
            return Ok(Attributes::Special("a reparse point"));
        }
        if self.attributes & DOS_FOLDER != 0 && !named_folder {
            return Err(differs());
        }
        let said = match mode & 0o170_000 {
            0 if self.attributes & DOS_FOLDER != 0 => Some(true),
            0 => None,
            file_type => Some(file_type == 0o040_000),
        };
        if said.is_some_and(|folder| folder != named_folder) {
            return Err(differs());
        }
        if !named_folder {
            let has_mode = UNIX_SYSTEMS.contains(&self.system) && mode != 0;
            return Ok(Attributes::File { executable: has_mode.then_some(mode & 0o100 != 0) });
        }
        // Some writers deflate the nothing that a folder holds, into two bytes.
        match (self.size, self.crc, self.packed) {
            (0, 0, 0 | 2) => Ok(Attributes::Folder),
            _ => Err(differs()),
        }
    }
}
