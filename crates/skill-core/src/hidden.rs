//! Characters that steer or hide instead of showing: the one table of them.
//!
//! Who asks has its own purpose, and takes the kinds that it needs:
//!
//! | who | takes | why |
//! |---|---|---|
//! | paths of a bundle | all but [`Hidden::Annotation`], each kind with its own code | docs/FORMAT.md, "Paths" |
//! | text on a terminal or a page, and lint | all that hide by [`seen()`] | emoji, Persian and Hindi need some of them |
//! | JSON, and the evidence of a finding | all, without exception | a reader must see what was found |
//!
//! The scanner's rules about hidden text are another question: which of these characters, in which place,
//! are worth a finding. They stand as data beside the scanner, which knows of [`scripts`] what the others do.

mod pictures;
pub mod scripts;
mod seen;

pub use seen::{Seen, seen};

/// Why a character is not seen as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// C0, DEL, C1, and the line and paragraph separators.
    Control,
    /// Turns the direction of writing: Unicode's `Bidi_Control`.
    Bidi,
    /// The rest of Unicode's `Default_Ignorable_Code_Point`: zero-width, tags, variation selectors, fillers.
    Ignorable,
    /// Brackets of interlinear annotations (U+FFF9 to U+FFFB).
    Annotation,
}

impl Hidden {
    /// Whether `text` shows nothing: it is empty, or blanks and hidden characters are all of it.
    pub fn all_of(text: &str) -> bool {
        text.chars().all(|character| character.is_whitespace() || Self::of(character).is_some())
    }

    /// What hides `character`; none for one that shows (Unicode 16.0, `DerivedCoreProperties` and `PropList`).
    pub const fn of(character: char) -> Option<Self> {
        Some(match character {
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Self::Control,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                Self::Bidi
            }
            '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' => Self::Ignorable,
            '\u{fff9}'..='\u{fffb}' => Self::Annotation,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All of them, as ranges of the same kind.
    fn table() -> Vec<String> {
        let mut ranges: Vec<(u32, u32, Hidden)> = Vec::new();
        for character in '\0'..=char::MAX {
            let Some(hidden) = Hidden::of(character) else { continue };
            let point = character as u32;
            match ranges.last_mut() {
                Some((_, last, kind)) if *last + 1 == point && *kind == hidden => *last = point,
                _ => ranges.push((point, point, hidden)),
            }
        }
        ranges.iter().map(|(first, last, kind)| format!("{first:04X}-{last:04X} {kind:?}")).collect()
    }

    #[test]
    fn the_whole_table() {
        insta::assert_snapshot!(table().join("\n"), @r"
        0000-001F Control
        007F-009F Control
        00AD-00AD Ignorable
        034F-034F Ignorable
        061C-061C Bidi
        115F-1160 Ignorable
        17B4-17B5 Ignorable
        180B-180F Ignorable
        200B-200D Ignorable
        200E-200F Bidi
        2028-2029 Control
        202A-202E Bidi
        2060-2065 Ignorable
        2066-2069 Bidi
        206A-206F Ignorable
        3164-3164 Ignorable
        FE00-FE0F Ignorable
        FEFF-FEFF Ignorable
        FFA0-FFA0 Ignorable
        FFF0-FFF8 Ignorable
        FFF9-FFFB Annotation
        1BCA0-1BCA3 Ignorable
        1D173-1D17A Ignorable
        E0000-E0FFF Ignorable
        ");
    }
}
