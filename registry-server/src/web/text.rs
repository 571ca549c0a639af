//! Text on its way into a page: escaped, and what hides in it drawn.

use std::fmt::{self, Write};

use minijinja::Value;
use serde::{Serialize, Serializer};
use skill_core::hidden::{Seen, seen};

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
/// as `⟦U+200B⟧`; what the writing of the text needs stays.
pub(super) fn escape(out: &mut impl Write, text: &str) -> fmt::Result {
    let mut characters = seen(text).peekable();
    while let Some(Seen { character, hides, .. }) = characters.next() {
        match character {
            '&' => out.write_str("&amp;")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '"' => out.write_str("&quot;")?,
            '\'' => out.write_str("&#39;")?,
            '\r' if characters.peek().is_some_and(|next| next.character == '\n') => {}
            _ if hides => write!(out, "⟦U+{:04X}⟧", character as u32)?,
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
    seen(text).any(|seen| seen.hides)
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
    fn what_writing_needs_stays_and_carries_nothing() {
        for whole in ["👩‍💻", "❤️", "1️⃣", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می\u{200c}خواهم", "क्\u{200d}ष", "של\u{200f}"]
        {
            assert_eq!(escaped(whole), whole);
        }
        assert_eq!(escaped("😀\u{fe0f}\u{fe0f}"), "😀\u{fe0f}⟦U+FE0F⟧");
        assert_eq!(escaped("😀\u{e0101}"), "😀⟦U+E0101⟧");
        assert_eq!(escaped("a\u{200d}b"), "a⟦U+200D⟧b");
        assert_eq!(escaped("インス\u{200d}トール か\u{fe0f}な"), "インス⟦U+200D⟧トール か⟦U+FE0F⟧な");
    }
}
