//! Prose in lines of a width.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::width;

/// Characters that no line begins with.
const NEVER_FIRST: &str = "，。、；：？！）」』】》〉…,.;:)]}";

/// Breaks `text` into lines of at most `columns` columns, the first one `first`; gives the range of each,
/// without the blanks at its end. It breaks at blanks and between wide characters, never inside a
/// command in backticks; what is longer than a line stands alone and is not cut.
pub fn ranges(text: &str, first: usize, columns: usize) -> Vec<Range<usize>> {
    let (mut lines, mut start, mut used, mut at) = (Vec::new(), 0, 0, 0);
    for piece in pieces(text) {
        let room = if lines.is_empty() { first } else { columns };
        if used > 0 && used + width::of(piece.trim_end()) > room {
            lines.push(start..start + text[start..at].trim_end().len());
            (start, used) = (at, 0);
        }
        used += width::of(piece);
        at += piece.len();
    }
    lines.push(start..start + text[start..].trim_end().len());
    lines
}

/// Cuts after every blank outside backticks and between wide characters.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut inside) = (Vec::new(), 0, false);
    let mut clusters = text.grapheme_indices(true).peekable();
    while let Some((at, cluster)) = clusters.next() {
        if cluster == "`" {
            inside = !inside;
        }
        let Some(&(next, following)) = clusters.peek() else { break };
        let at_blank = cluster == " " && following != " ";
        let wide = width::of_cluster(cluster) == 2 && !NEVER_FIRST.contains(following);
        // A backtick without a partner would glue all that follows.
        let inside = inside && text[at + cluster.len()..].contains('`');
        if !inside && (at_blank || wide) {
            pieces.push(&text[start..next]);
            start = next;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(text: &str, first: usize, columns: usize) -> Vec<&str> {
        ranges(text, first, columns).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn breaks_at_blanks() {
        assert_eq!(lines("one two three", 7, 7), ["one two", "three"]);
        assert_eq!(lines("unbreakable", 4, 4), ["unbreakable"]);
        assert_eq!(lines("", 4, 4), [""]);
    }

    #[test]
    fn a_command_stays_whole() {
        assert_eq!(lines("run `skill list -q` to see", 12, 12), ["run", "`skill list -q`", "to see"]);
    }

    #[test]
    fn wide_text_breaks_anywhere_but_before_a_comma() {
        assert_eq!(lines("查询天气，并给出", 8, 8), ["查询天", "气，并给", "出"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[a-z天气，` ]{0,80}", columns in 4_usize..40) {
            let squeeze = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(squeeze(&lines(&text, columns, columns).concat()), squeeze(&text));
        }
    }
}
