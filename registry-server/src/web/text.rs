//! Text on its way into a page: escaped, and what hides in it drawn.

use std::fmt::{self, Write};

use minijinja::Value;
use serde::{Serialize, Serializer};
use skill_core::hidden::Hidden;

/// HTML that this program wrote itself. A template prints it as it is; whatever else it prints is escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl Html {
    /// Text that goes into a page as it is. Only for writers that escape all that others wrote.
    pub(super) const fn written(html: String) -> Self {
        Self(html)
    }

    /// The HTML.
    #[cfg(test)]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Html {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from_safe_string(self.0.clone()).serialize(serializer)
    }
}

/// Writes text so that it stays text, between tags and in a quoted attribute. What hides or steers is drawn
/// as `⟦U+200B⟧`; a joiner or selector that makes an emoji stays.
pub(super) fn escape(out: &mut impl Write, text: &str) -> fmt::Result {
    for (before, character, after) in in_context(text) {
        match character {
            '&' => out.write_str("&amp;")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '"' => out.write_str("&quot;")?,
            '\'' => out.write_str("&#39;")?,
            '\r' if after == Some('\n') => {}
            _ if hides(before, character, after) => write!(out, "⟦U+{:04X}⟧", character as u32)?,
            _ => out.write_char(character)?,
        }
    }
    Ok(())
}

/// [`escape`] into a text of its own.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // Writing to a string cannot end in an error.
    let _ = escape(&mut out, text);
    out
}

/// Whether a text holds characters that [`escape`] draws.
pub(super) fn hides_something(text: &str) -> bool {
    in_context(text).any(|(before, character, after)| hides(before, character, after))
}

/// Every character with its neighbours.
fn in_context(text: &str) -> impl Iterator<Item = (Option<char>, char, Option<char>)> {
    let before = std::iter::once(None).chain(text.chars().map(Some));
    let after = text.chars().map(Some).skip(1).chain(std::iter::once(None));
    before.zip(text.chars()).zip(after).map(|((before, character), after)| (before, character, after))
}

fn hides(before: Option<char>, character: char, after: Option<char>) -> bool {
    match character {
        '\n' | '\t' => false,
        '\r' => after != Some('\n'),
        _ => Hidden::of(character).is_some() && !draws_an_emoji(before, character, after),
    }
}

/// A selector right behind a picture, or a joiner between two: it draws, it does not hide.
const fn draws_an_emoji(before: Option<char>, character: char, after: Option<char>) -> bool {
    match (before, character, after) {
        (Some(before), '\u{fe0f}', _) if is_picture(before) => true,
        (Some('0'..='9' | '#' | '*'), '\u{fe0f}', Some('\u{20e3}')) => true,
        (Some(before), '\u{200d}', Some(after)) => {
            (is_picture(before) || before == '\u{fe0f}') && is_picture(after)
        }
        _ => false,
    }
}

const fn is_picture(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2049}' | '\u{2122}'..='\u{21aa}' | '\u{231a}'..='\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escaped("<a b='c'>&\""), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
    }

    #[test]
    fn what_hides_is_drawn() {
        assert_eq!(escaped("a\u{200b}b\u{202e}c\u{e0041}"), "a⟦U+200B⟧b⟦U+202E⟧c⟦U+E0041⟧");
        assert_eq!(escaped("a\u{0}\u{1b}[2J"), "a⟦U+0000⟧⟦U+001B⟧[2J");
        assert_eq!(escaped("one\r\ntwo\r"), "one\ntwo⟦U+000D⟧");
        assert!(hides_something("a\u{200b}") && hides_something("\u{1b}"));
        assert!(hides_something("⟦U+200B⟧\u{200b}"), "a drawn one in the text hides no other");
        assert!(!hides_something("plain\r\n\ttext é 天气 👩‍💻"));
    }

    #[test]
    fn emoji_stay_whole_and_carry_nothing() {
        for whole in ["👩‍💻", "❤️", "1️⃣", "🏳️‍🌈"] {
            assert_eq!(escaped(whole), whole);
        }
        assert_eq!(escaped("😀\u{fe0f}\u{fe0f}"), "😀\u{fe0f}⟦U+FE0F⟧");
        assert_eq!(escaped("😀\u{e0101}"), "😀⟦U+E0101⟧");
        assert_eq!(escaped("a\u{200d}b"), "a⟦U+200D⟧b");
    }
}
