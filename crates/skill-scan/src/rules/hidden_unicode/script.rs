//! What the engine knows of scripts and emoji: enough to tell a joiner that is needed.

/// The black flag, which tags make a region's.
const FLAG: char = '\u{1F3F4}';
const CANCEL: char = '\u{E007F}';

/// Whether these tags make a flag of a region: two letters, one to three letters or digits, and
/// the end (Unicode Technical Standard 51, ED-14a).
pub(super) fn is_flag(before: Option<char>, tags: &str) -> bool {
    let Some(region) = tags.strip_suffix(CANCEL).filter(|_| before == Some(FLAG)) else { return false };
    let letters: Option<Vec<char>> = region.chars().map(tag_letter).collect();
    letters.is_some_and(|letters| {
        (3..=5).contains(&letters.len())
            && letters
                .iter()
                .enumerate()
                .all(|(i, c)| c.is_ascii_lowercase() || (i >= 2 && c.is_ascii_digit()))
    })
}

/// The letter that a tag stands for.
pub(super) fn tag_letter(tag: char) -> Option<char> {
    let letter = u8::try_from(u32::from(tag).checked_sub(0xE0000)?).ok()?;
    matches!(letter, b' '..=b'~').then_some(char::from(letter))
}

/// The byte that a variation selector stands for: its number among the 256.
pub(super) fn variation_byte(selector: char) -> Option<u8> {
    match u32::from(selector) {
        point @ 0xFE00..=0xFE0F => u8::try_from(point - 0xFE00).ok(),
        point @ 0xE0100..=0xE01EF => u8::try_from(point - 0xE0100 + 16).ok(),
        _ => None,
    }
}

/// Whether a single zero-width character is part of how the text around it is written.
pub(super) fn needs_joiner(before: Option<char>, joiner: &str, after: Option<char>) -> bool {
    let near = |is: fn(char) -> bool| [before, after].into_iter().flatten().any(is);
    match joiner {
        "\u{200D}" => (before.is_some_and(ends_emoji) && after.is_some_and(is_emoji)) || near(joins),
        "\u{200C}" => near(joins),
        "\u{200B}" | "\u{2060}" => near(writes_without_blanks),
        // Combines with the letters around it in Biblical Hebrew and in German sorting.
        "\u{34F}" => near(runs_right_to_left),
        _ => false,
    }
}

fn ends_emoji(c: char) -> bool {
    is_emoji(c) || matches!(c, '\u{FE0F}' | '\u{20E3}' | CANCEL)
}

fn is_emoji(c: char) -> bool {
    matches!(u32::from(c),
        0xA9 | 0xAE | 0x203C | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x2BFF | 0x3030 | 0x303D
        | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF)
}

/// Scripts with joining or stacking letters: Hebrew to Myanmar, Khmer, Mongolian, and the
/// presentation forms of Arabic.
fn joins(c: char) -> bool {
    matches!(u32::from(c),
        0x590..=0x109F | 0x1780..=0x18AF | 0x1A20..=0x1BFF | 0xA8E0..=0xA9FF
        | 0xAA00..=0xAAFF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE | 0x10A00..=0x11FFF)
}

/// Thai, Lao, Tibetan, Myanmar, Khmer, and the scripts of East Asia.
fn writes_without_blanks(c: char) -> bool {
    matches!(u32::from(c),
        0xE00..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours.
pub(super) fn runs_right_to_left(c: char) -> bool {
    matches!(u32::from(c),
        0x590..=0x61B | 0x61D..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

pub(super) fn is_korean(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115E | 0x1161..=0x11FF | 0x3130..=0x3163 | 0x3165..=0x318F | 0xAC00..=0xD7FF)
}

/// Whether every passage that the line opens is closed on it, in order (Unicode Standard Annex
/// 9, section 2).
pub(super) fn is_closed(line: &str) -> bool {
    let (mut embeddings, mut isolates) = (0i32, 0i32);
    for c in line.chars() {
        match c {
            '\u{202A}' | '\u{202B}' => embeddings += 1,
            '\u{202C}' => embeddings -= 1,
            '\u{2066}'..='\u{2068}' => isolates += 1,
            '\u{2069}' => isolates -= 1,
            _ => {}
        }
        if embeddings < 0 || isolates < 0 {
            return false;
        }
    }
    embeddings == 0 && isolates == 0
}
