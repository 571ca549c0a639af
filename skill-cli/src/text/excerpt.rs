//! A line of a file with a caret under what is meant.

use unicode_segmentation::UnicodeSegmentation as _;

use super::{clean, width};
use crate::report::{Line, Role};

/// Line and column of a byte in `text`, both from 1; columns count characters, and a byte order
/// mark counts as nothing.
pub fn place(text: &str, byte: usize) -> (u32, u32) {
    let mut end = byte.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    let column = before[start..].trim_start_matches('\u{feff}').chars().count() + 1;
    (line as u32, column as u32)
}

/// What to show of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// Number of the line.
    pub line: u32,
    /// First character meant, from 1.
    pub column: u32,
    /// The one after the last meant.
    pub end_column: u32,
    /// The line, without its end.
    pub text: &'a str,
    /// What stands behind the caret.
    pub label: Option<&'a str>,
}

impl Excerpt<'_> {
    /// The line with its number, and the line with the caret below it, placed by display width. A tab is
    /// shown as four blanks.
    pub fn lines(self) -> [Line; 2] {
        let number = self.line.to_string();
        let text = self.text.trim_start_matches('\u{feff}');
        let (before, meant) = (self.column.max(1) - 1, self.end_column.saturating_sub(self.column).max(1));
        let head: String = text.chars().take(before as usize).collect();
        let body: String = text.chars().skip(before as usize).take(meant as usize).collect();
        let carets = "^".repeat(columns(&body).max(1));
        let label = self.label.map(|label| format!(" {label}")).unwrap_or_default();
        let gutter = format!("{} |", width::blanks(number.len()));
        [
            Line::new().role(Role::Dim, format!("{number} |")).plain(format!(" {text}")).indent(2, 2),
            Line::new()
                .role(Role::Dim, gutter)
                .plain(format!(" {}", width::blanks(columns(&head))))
                .role(Role::Error, format!("{carets}{label}"))
                .indent(2, 2),
        ]
    }
}

fn columns(text: &str) -> usize {
    text.graphemes(true).map(|cluster| width::of(&clean::line(cluster, true))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(excerpt: Excerpt<'_>) -> Vec<String> {
        let text = |line: Line| line.spans.iter().map(|span| span.text.as_str()).collect::<String>();
        excerpt.lines().into_iter().map(text).collect()
    }

    #[test]
    fn the_caret_stands_by_display_width() {
        let excerpt = Excerpt {
            line: 4,
            column: 16,
            end_column: 17,
            text: "description: 天气: what to wear",
            label: Some("text with `: ` in it needs quotes"),
        };
        assert_eq!(
            drawn(excerpt),
            [
                "4 | description: 天气: what to wear",
                "  |                  ^ text with `: ` in it needs quotes",
            ]
        );
    }

    #[test]
    fn places() {
        assert_eq!(place("a\nbc\n", 3), (2, 2));
        assert_eq!(place("天气", 3), (1, 2));
        assert_eq!(place("\u{feff}a", 3), (1, 1));
        assert_eq!(place("a\r\nb", 3), (2, 1));
    }
}
