//! Cuts broken frontmatter into its top-level entries, so that one of them cannot spoil the others.

use std::ops::Range;

use super::fence::{any_key, is_comment, is_zero_width, top_key};
use super::indent::indentation;
use super::json5;
use super::lines::Line;
use super::yaml::parse_map;

/// How many bytes may be looked at, and parsed, to find where values in quotes or brackets end.
const WORK: usize = 1 << 20;

/// One top-level key and the lines that belong to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The key, without quotes.
    pub(super) key: &'a str,
    /// Its lines, as indices.
    pub(super) lines: Range<usize>,
}

/// Entries, and the lines that belong to none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entries<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) stray: Vec<usize>,
}

/// The entries of the lines between the fences.
///
/// An entry goes on over everything that begins no other: indented lines, list items and brackets at the
/// margin, and running text that somebody wrapped without indenting it. `name:a`, without the blank, begins
/// one too. A value in quotes or brackets that is sound YAML up to a line further down goes on up to there,
/// whatever the lines between look like.
pub(super) fn entries<'a>(lines: &[Line<'a>]) -> Entries<'a> {
    let margin = margin(lines);
    let mut work = WORK;
    let mut cut = Entries { entries: Vec::new(), stray: Vec::new() };
    let mut index = 0;
    while index < lines.len() {
        let text = lines[index].text;
        let at_margin = text.get(margin..).filter(|_| text[..margin].trim().is_empty());
        let key = at_margin.map(|text| text.trim_start_matches(is_zero_width)).and_then(any_key);
        let within_json = text.starts_with(['"', '\''])
            && cut
                .entries
                .last()
                .is_some_and(|entry| begins_with(lines[entry.lines.start].text, &['{', '[']));
        if let (Some(key), false) = (key, within_json) {
            let end = sound_end(lines, index, &mut work).unwrap_or(index + 1);
            cut.entries.push(Entry { key, lines: index..end });
            index = end;
            continue;
        }
        if is_markup(text) || lines[index].is_fence() || lines[index].is_end_mark() {
            cut.stray.push(index);
        } else if let Some(entry) = cut.entries.last_mut().filter(|entry| entry.lines.end == index) {
            entry.lines.end = index + 1;
        } else if !lines[index].is_blank() && !is_comment(text) {
            cut.stray.push(index);
        }
        index += 1;
    }
    cut
}

/// How far all of it is indented.
fn margin(lines: &[Line<'_>]) -> usize {
    let written = lines.iter().filter(|line| !line.is_blank());
    written.clone().find(|line| top_key(line.text.trim_start()).is_some()).map_or(0, |first| {
        let least = written.map(|line| indentation(line.text)).min().unwrap_or(0);
        least.min(indentation(first.text))
    })
}

/// Whether a line is HTML or Markdown that is no text of a field.
fn is_markup(line: &str) -> bool {
    line.starts_with("<!--") || line.starts_with("```") || line.starts_with("~~~")
}

fn begins_with(line: &str, marks: &[char]) -> bool {
    line.split_once(':').is_some_and(|(_, value)| value.trim_start().starts_with(marks))
}

/// Where a value that begins with a quote or bracket and is sound YAML ends, if it goes on beyond its line.
fn sound_end(lines: &[Line<'_>], start: usize, work: &mut usize) -> Option<usize> {
    let (_, value) = lines[start].text.split_once(':')?;
    let close = match value.trim_start().chars().next()? {
        '"' => '"',
        '\'' => '\'',
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    let mut text = String::from(lines[start].text);
    for (index, line) in lines.iter().enumerate().skip(start + 1) {
        *work = work.checked_sub(line.text.len() + 1)?;
        text.push('\n');
        text.push_str(line.text);
        if !line.text.contains(close) {
            continue;
        }
        *work = work.checked_sub(text.len())?;
        let json5 = || text.split_once(':').and_then(|(_, value)| json5::parse(value)).is_some();
        let in_brackets = matches!(close, ']' | '}');
        if parse_map(&text).is_ok_and(|pairs| pairs.len() == 1) || (in_brackets && json5()) {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    fn shape(text: &str) -> (Vec<(&str, Range<usize>)>, Vec<usize>) {
        let all: Vec<Line<'_>> = lines(text).collect();
        let Entries { entries, stray } = entries(&all);
        (entries.into_iter().map(|entry| (entry.key, entry.lines)).collect(), stray)
    }

    #[test]
    fn every_line_belongs_to_the_key_above() {
        let text = "oops\n# c\nname: a\nitems:\n- x\n- y: z\ndescription: long\ntext that goes on\n  more: here\nmeta: {\n\"k\": 1,,\n}\n";
        let (entries, stray) = shape(text);
        assert_eq!(entries, [("name", 2..3), ("items", 3..6), ("description", 6..9), ("meta", 9..12)]);
        assert_eq!(stray, [0]);
    }

    #[test]
    fn sound_quotes_and_brackets_hold_their_lines_together() {
        let (entries, _) = shape("a: \"one\nnote: two\"\nb: [\nx: y,\n]\nc: 'open\nd: e\n");
        assert_eq!(entries, [("a", 0..2), ("b", 2..5), ("c", 5..6), ("d", 6..7)]);
    }

    #[test]
    fn markup_and_fences_belong_to_no_key() {
        assert_eq!(
            shape("name: a\n<!-- b -->\n---\nd: e\n"),
            (vec![("name", 0..1), ("d", 3..4)], vec![1, 2])
        );
    }

    #[test]
    fn the_margin_is_no_part_of_a_key() {
        assert_eq!(shape("  name: a\n  d: e: f\n    g\n").0, [("name", 0..1), ("d", 1..3)]);
    }
}
