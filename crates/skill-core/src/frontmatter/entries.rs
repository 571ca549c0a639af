//! Cuts broken frontmatter into its top-level entries, so that one of them cannot spoil the others.

use std::ops::Range;

use super::fence::{is_comment, top_key};
use super::lines::Line;

/// One top-level key and the lines that belong to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The key, without quotes.
    pub(super) key: &'a str,
    /// Its lines, as indices.
    pub(super) lines: Range<usize>,
}

/// The entries of the lines between the fences, and the lines before the first that belong to none.
///
/// An entry goes on over everything that begins no other: indented lines, list items and brackets
/// at the margin, and running text that somebody wrapped without indenting it. `name:a`, without
/// the blank, begins one too.
pub(super) fn entries<'a>(lines: &[Line<'a>]) -> (Vec<Entry<'a>>, Vec<usize>) {
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut stray = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let key = top_key(line.text).or_else(|| key_without_blank(line.text));
        let within_json =
            line.text.starts_with('"') && entries.last().is_some_and(|entry| holds_json(lines, entry));
        if let (Some(key), false) = (key, within_json) {
            entries.push(Entry { key, lines: index..index + 1 });
        } else if let Some(entry) = entries.last_mut() {
            entry.lines.end = index + 1;
        } else if !line.is_blank() && !is_comment(line.text) {
            stray.push(index);
        }
    }
    (entries, stray)
}

/// Whether an entry's value begins as JSON does: then a quoted key at the margin is part of it.
fn holds_json(lines: &[Line<'_>], entry: &Entry<'_>) -> bool {
    let first = lines[entry.lines.start].text;
    first.split_once(':').is_some_and(|(_, value)| value.trim_start().starts_with(['{', '[']))
}

/// `name:a`: only for the two keys every skill has, since `http://x` and `Note:x` are text.
fn key_without_blank(line: &str) -> Option<&'static str> {
    ["name", "description"]
        .into_iter()
        .find(|key| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')))
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    #[test]
    fn every_line_belongs_to_the_key_above() {
        let text = "oops\n# c\nname: a\nitems:\n- x\n- y: z\ndescription: long\ntext that goes on\n  more: here\nmeta: {\n\"k\": 1\n}\n";
        let all: Vec<Line<'_>> = lines(text).collect();
        let (entries, stray) = entries(&all);
        let shape: Vec<(&str, Range<usize>)> = entries.into_iter().map(|e| (e.key, e.lines)).collect();
        assert_eq!(shape, [("name", 2..3), ("items", 3..6), ("description", 6..9), ("meta", 9..12)]);
        assert_eq!(stray, [0]);
    }
}
