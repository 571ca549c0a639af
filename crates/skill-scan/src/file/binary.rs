use super::Kind;

mod media;

/// Tells programs and media from other binaries, by their first bytes; a medium by its ending and
/// its structure as well, as two letters make nothing a picture.
pub(super) fn kind(ending: &str, bytes: &[u8]) -> Kind {
    if PROGRAMS.iter().any(|magic| bytes.starts_with(magic)) || is_byte_code(bytes) {
        return Kind::Program;
    }
    if media::is_whole(ending, bytes) {
        return Kind::Media;
    }
    match bytes {
        // Bit 0 of a zip's flags: encrypted (APPNOTE 4.4.4). The first entry stands for all.
        [b'P', b'K', 3, 4, _, _, flags, ..] if flags & 1 == 1 => Kind::LockedArchive,
        // RAR 5 begins with an archive encryption header, type 4, after a checksum and a size.
        [b'R', b'a', b'r', b'!', 0x1A, 7, 1, 0, _, _, _, _, _, 4, ..] => Kind::LockedArchive,
        // Documents of office programs are archives that nobody unpacks.
        [b'P', b'K', 3, 4, ..] if DOCUMENTS.iter().any(|name| first_entry(bytes).starts_with(name)) => {
            Kind::Opaque
        }
        _ if ARCHIVES.iter().any(|magic| bytes.starts_with(magic)) => Kind::Archive,
        _ if bytes.get(257..262) == Some(b"ustar") => Kind::Archive,
        _ => Kind::Opaque,
    }
}

/// The name of a zip's first entry, and what follows it.
fn first_entry(bytes: &[u8]) -> &[u8] {
    bytes.get(30..).unwrap_or_default()
}

const DOCUMENTS: [&[u8]; 3] = [b"[Content_Types].xml", b"_rels/", b"mimetype"];

const ARCHIVES: [&[u8]; 8] = [
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"Rar!\x1A\x07",
    b"7z\xBC\xAF\x27\x1C",
    b"\xFD7zXZ\0",
    b"BZh",
    b"\x28\xB5\x2F\xFD",
];

const PROGRAMS: [&[u8]; 9] = [
    b"\x7FELF",
    b"MZ",
    // Mach-O, both byte orders and universal; the last is Java's class file too.
    b"\xFE\xED\xFA\xCE",
    b"\xFE\xED\xFA\xCF",
    b"\xCE\xFA\xED\xFE",
    b"\xCF\xFA\xED\xFE",
    b"\xCA\xFE\xBA\xBE",
    b"\0asm",
    b"dex\n",
];

/// CPython's `.pyc`: a version number, then CR LF.
fn is_byte_code(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0x0C..=0x0F, b'\r', b'\n', ..])
}
