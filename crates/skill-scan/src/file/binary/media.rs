//! Pictures, sounds and fonts whose structure can be followed to the last byte.

/// Whether a file with this ending is such a medium and nothing else. What has no length of its
/// own (TIFF, MP3, FLAC) cannot be told.
pub(super) fn is_whole(ending: &str, bytes: &[u8]) -> bool {
    match ending {
        "png" => bytes.strip_prefix(b"\x89PNG\r\n\x1A\n").is_some_and(is_png),
        "jpg" | "jpeg" => bytes.starts_with(b"\xFF\xD8\xFF") && bytes.ends_with(b"\xFF\xD9"),
        "gif" => {
            [b"GIF87a", b"GIF89a"].iter().any(|magic| bytes.starts_with(*magic)) && bytes.ends_with(b"\0;")
        }
        "bmp" => bytes.starts_with(b"BM") && little(bytes, 2) == Some(bytes.len()),
        "ico" => bytes.starts_with(b"\0\0\x01\0") && is_icon(bytes),
        "webp" | "wav" => {
            let form = if ending == "wav" { b"WAVE" } else { b"WEBP" };
            let whole = little(bytes, 4).map(|size| size + size % 2 + 8) == Some(bytes.len());
            bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(form) && whole
        }
        "woff" => bytes.starts_with(b"wOFF") && big(bytes, 8) == Some(bytes.len()),
        "woff2" => bytes.starts_with(b"wOF2") && big(bytes, 8) == Some(bytes.len()),
        "ttf" => bytes.starts_with(b"\0\x01\0\0") && is_font(bytes),
        "otf" => bytes.starts_with(b"OTTO") && is_font(bytes),
        "mp4" | "m4a" | "mov" => bytes.get(4..8) == Some(b"ftyp") && is_boxes(bytes),
        "ogg" | "opus" => is_pages(bytes),
        _ => false,
    }
}

fn big(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(word)).ok()
}

fn little(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(word)).ok()
}

/// Chunks up to `IEND`, which is the last one.
fn is_png(mut chunks: &[u8]) -> bool {
    let mut first = true;
    while let (Some(size), Some(name)) = (big(chunks, 0), chunks.get(4..8)) {
        if first != (name == b"IHDR") {
            return false;
        }
        first = false;
        // The length, the name and a checksum.
        let Some((chunk, rest)) = chunks.split_at_checked(size.saturating_add(12)) else { return false };
        if name == b"IEND" {
            return chunk.len() == 12 && rest.is_empty();
        }
        chunks = rest;
    }
    false
}

/// Pictures that end where the file does.
fn is_icon(bytes: &[u8]) -> bool {
    let count = bytes.get(4..6).map_or(0, |count| usize::from(u16::from_le_bytes([count[0], count[1]])));
    let ends = (0..count).map(|entry| {
        let at = 6 + entry * 16;
        Some(little(bytes, at + 8)? + little(bytes, at + 12)?)
    });
    let end: Option<Vec<usize>> = ends.collect();
    end.and_then(|ends| ends.into_iter().max()) == Some(bytes.len())
}

/// Tables that end where the file does, filled up to four bytes.
fn is_font(bytes: &[u8]) -> bool {
    let count = bytes.get(4..6).map_or(0, |count| usize::from(u16::from_be_bytes([count[0], count[1]])));
    let ends = (0..count).map(|table| {
        let at = 12 + table * 16;
        Some(big(bytes, at + 8)? + big(bytes, at + 12)?)
    });
    let ends: Option<Vec<usize>> = ends.collect();
    let end = ends.and_then(|ends| ends.into_iter().max());
    end.is_some_and(|end| end <= bytes.len() && bytes.len() - end < 4)
}

/// Boxes one behind the other; the last may go to the end (size 0).
fn is_boxes(mut bytes: &[u8]) -> bool {
    while let Some(size) = big(bytes, 0) {
        let size = match size {
            0 => bytes.len(),
            1 => {
                let Some((0, size)) = big(bytes, 8).zip(big(bytes, 12)) else { return false };
                size
            }
            size => size,
        };
        match bytes.get(size..) {
            Some(rest) if size >= 8 => bytes = rest,
            _ => return false,
        }
    }
    bytes.is_empty()
}

/// Pages of Ogg: a head of 27 bytes, the lengths of the segments, the segments.
fn is_pages(mut bytes: &[u8]) -> bool {
    let mut pages = 0u32;
    while let [b'O', b'g', b'g', b'S', 0, ..] = bytes {
        let Some(segments) = bytes.get(26).map(|&count| usize::from(count)) else { return false };
        let Some(lengths) = bytes.get(27..27 + segments) else { return false };
        let size = 27 + segments + lengths.iter().map(|&length| usize::from(length)).sum::<usize>();
        let Some(rest) = bytes.get(size..) else { return false };
        (bytes, pages) = (rest, pages.saturating_add(1));
    }
    pages > 0 && bytes.is_empty()
}
