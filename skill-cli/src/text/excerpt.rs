//! A line of a file with a caret under what is meant.

use unicode_segmentation::UnicodeSegmentation as _;

use super::{clean, width};
use crate::report::{Line, Marked, Role};

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

/// Characters before what is meant that stay where the line is cut.
const LEAD: usize = 16;
/// Columns of a line beside its text and its number: indentation, bar and blanks.
const GUTTER: usize = 5;

/// The two lines of an excerpt, in at most `room` columns as long as what is meant and its label fit.
pub fn cropped(marked: &Marked, room: usize, ellipsis: &str) -> [Line; 2] {
    let room = room.saturating_sub(GUTTER + marked.line.to_string().len());
    let text = marked.text.trim_start_matches('\u{feff}');
    let characters: Vec<char> = text.chars().collect();
    let end = (marked.end_column.max(marked.column + 1) as usize - 1).min(characters.len());
    let label = marked.label.as_deref();
    let shown = |range: std::ops::Range<usize>| columns(&characters[range].iter().collect::<String>());
    let until_caret = shown(0..end) + label.map_or(0, |label| columns(label) + 1);
    let fits = columns(text) <= room && until_caret <= room;
    let start = if fits || until_caret + ellipsis.len() <= room {
        0
    } else {
        (marked.column.max(1) as usize - 1).min(characters.len()).saturating_sub(LEAD)
    };
    let mut stop = characters.len();
    if !fits && shown(start..stop) + 2 > room {
        let left = room.saturating_sub(2 * columns(ellipsis));
        stop =
            (start..=characters.len()).take_while(|&stop| shown(start..stop) <= left).last().unwrap_or(start);
    }
    let before = if start > 0 { ellipsis } else { "" };
    let after = if stop < characters.len() { ellipsis } else { "" };
    let text = format!("{before}{}{after}", characters[start..stop].iter().collect::<String>());
    let moved = |column: u32| (column as usize).saturating_sub(start) + before.chars().count();
    let column = moved(marked.column) as u32;
    let end_column = moved(marked.end_column).min(stop - start + before.chars().count() + 1) as u32;
    Excerpt { line: marked.line, column, end_column, text: &text, label }.lines()
}

fn columns(text: &str) -> usize {
    text.graphemes(true).map(|cluster| width::of(&clean::line(cluster, true))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(excerpt: Excerpt<'_>) -> Vec<String> {
        excerpt.lines().iter().map(drawn_line).collect()
    }

    fn drawn_line(line: &Line) -> String {
        line.spans.iter().map(|span| span.text.as_str()).collect()
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
    fn a_long_line_is_cut_around_what_is_meant() {
        let text = format!("{}天气 is meant here{}", "before ".repeat(20), " and after".repeat(20));
        let mut marked = Marked { line: 3, column: 141, end_column: 143, text, label: None };
        let lines = |marked: &Marked, room| cropped(marked, room, "…").map(|line| drawn_line(&line));
        assert_eq!(
            lines(&marked, 60),
            ["3 | …e before before 天气 is meant here and after and aft…", "  |                  ^^^^",]
        );
        marked.label = Some("why".to_owned());
        marked.column = 1;
        marked.end_column = 7;
        assert_eq!(lines(&marked, 40), ["3 | before before before before befo…", "  | ^^^^^^ why"]);
        marked.end_column = 400;
        for room in [0, 10, 40, usize::MAX] {
            lines(&marked, room);
        }
        assert!(lines(&marked, usize::MAX)[0].ends_with("and after"));
    }
}
