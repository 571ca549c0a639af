use super::Kind;

/// Tells programs and media from other binaries, by their first bytes.
pub(super) fn kind(bytes: &[u8]) -> Kind {
    if PROGRAMS.iter().any(|magic| bytes.starts_with(magic)) || is_byte_code(bytes) {
        return Kind::Program;
    }
    let riff = bytes.starts_with(b"RIFF");
    let base_media = bytes.get(4..8) == Some(b"ftyp");
    if riff || base_media || MEDIA.iter().any(|magic| bytes.starts_with(magic)) {
        return Kind::Media;
    }
    Kind::Opaque
}

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

const MEDIA: [&[u8]; 14] = [
    b"\x89PNG\r\n",
    b"\xFF\xD8\xFF",
    b"GIF8",
    b"BM",
    b"\0\0\x01\0",
    b"II*\0",
    b"MM\0*",
    b"wOFF",
    b"wOF2",
    b"OTTO",
    b"\0\x01\0\0",
    b"ID3",
    b"OggS",
    b"fLaC",
];

/// CPython's `.pyc`: a version number, then CR LF.
fn is_byte_code(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0x0C..=0x0F, b'\r', b'\n', ..])
}
