//! What the rules ask of scripts and emoji. What a text needs of hidden characters is known in one place, for the scanner,
//! the pages and the terminal.

pub(super) use skill_core::hidden::scripts::{is_closed, is_flag, is_korean, runs_right_to_left, tag_letter};

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
    joiner
        .chars()
        .next()
        .is_some_and(|joiner| skill_core::hidden::scripts::needs_joiner(before, joiner, after))
}
