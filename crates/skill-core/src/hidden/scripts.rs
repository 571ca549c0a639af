//! What is known of scripts: enough to tell a hidden character that a text needs.

use super::pictures::is_picture;

/// The black flag, which tags make a region's.
pub(super) const FLAG: char = '\u{1F3F4}';
const CANCEL: char = '\u{E007F}';

/// Whether these tags behind `before` make a flag of a region: two letters, one to three letters or
/// digits, and the end (Unicode Technical Standard 51, ED-14a).
pub fn is_flag(before: Option<char>, tags: &str) -> bool {
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
pub fn tag_letter(tag: char) -> Option<char> {
    let letter = u8::try_from(u32::from(tag).checked_sub(0xE0000)?).ok()?;
    matches!(letter, b' '..=b'~').then_some(char::from(letter))
}

/// Whether a single zero-width character is part of how the text around it is written.
pub fn needs_joiner(before: Option<char>, joiner: char, after: Option<char>) -> bool {
    let near = |is: fn(char) -> bool| [before, after].into_iter().flatten().any(is);
    match joiner {
        '\u{200D}' => joins_pictures(before, after) || near(joins),
        '\u{200C}' => near(joins),
        '\u{200B}' | '\u{2060}' => near(writes_without_blanks),
        // Combines with the letters around it in Biblical Hebrew and in German sorting.
        '\u{34F}' => near(runs_right_to_left),
        // Vowels of Khmer, and forms of Mongolian letters.
        '\u{17B4}' | '\u{17B5}' => near(joins),
        '\u{180B}'..='\u{180F}' => near(is_mongolian),
        // Controls of shorthand and of musical notation.
        '\u{1BCA0}'..='\u{1BCA3}' => near(|c| matches!(c, '\u{1BC00}'..='\u{1BC9F}')),
        '\u{1D173}'..='\u{1D17A}' => near(|c| matches!(c, '\u{1D100}'..='\u{1D1FF}')),
        _ => false,
    }
}

/// Whether what joins stands between two pictures.
pub(super) fn joins_pictures(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(ends_picture) && after.is_some_and(is_picture)
}

/// Whether a variation selector chooses a form that the character before it has (Unicode's
/// `StandardizedVariants.txt`, `emoji-variation-sequences.txt`, and the Ideographic Variation Database).
pub fn has_variant(before: char, selector: char, after: Option<char>) -> bool {
    match selector {
        '\u{FE0E}' => is_picture(before),
        '\u{FE0F}' if matches!(before, '0'..='9' | '#' | '*') => after == Some('\u{20E3}'),
        '\u{FE0F}' => is_picture(before),
        '\u{FE00}'..='\u{FE02}' if is_ideograph(before) => true,
        '\u{FE00}' | '\u{FE01}' => {
            matches!(before, '\u{2229}'..='\u{2AFF}' | '\u{3001}'..='\u{3002}' | '\u{FF01}'..='\u{FF1F}'
                | '\u{1000}'..='\u{109F}' | '\u{AA60}'..='\u{AA7F}' | '\u{A840}'..='\u{A87F}')
        }
        '\u{180B}'..='\u{180D}' | '\u{180F}' => is_mongolian(before),
        '\u{E0100}'..='\u{E01EF}' => is_ideograph(before),
        _ => false,
    }
}

fn ends_picture(c: char) -> bool {
    is_picture(c) || matches!(c, '\u{FE0F}' | '\u{20E3}' | CANCEL | '\u{1F3FB}'..='\u{1F3FF}')
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3005 | 0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn is_mongolian(c: char) -> bool {
    matches!(u32::from(c), 0x1820..=0x18AF)
}

/// Scripts with joining or stacking letters: Hebrew to Myanmar, Khmer, Mongolian, and the
/// presentation forms of Arabic.
fn joins(c: char) -> bool {
    matches!(u32::from(c),
        0x590..=0x109F | 0x1780..=0x180A | 0x1810..=0x18AF | 0x1A20..=0x1BFF | 0xA8E0..=0xA9FF
        | 0xAA00..=0xAAFF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE | 0x10A00..=0x11FFF)
}

/// Thai, Lao, Tibetan, Myanmar, Khmer, and the scripts of East Asia.
fn writes_without_blanks(c: char) -> bool {
    matches!(u32::from(c),
        0xE00..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours.
pub fn runs_right_to_left(c: char) -> bool {
    matches!(u32::from(c),
        0x590..=0x61B | 0x61D..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

/// Jamo and syllables, without the fillers.
pub fn is_korean(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115E | 0x1161..=0x11FF | 0x3130..=0x3163 | 0x3165..=0x318F | 0xAC00..=0xD7FF)
}

/// Whether every passage that the line opens is closed on it, in order (Unicode Standard Annex
/// 9, section 2).
pub fn is_closed(line: &str) -> bool {
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
