//! Where a page shows its source as it is: in blocks of code and in code spans.

use crate::file::SourceFile;
use crate::layout::{Line, Place, lines};

/// The passages of a page that are shown as they are written, in order, in bytes.
#[derive(Debug, Default)]
pub(super) struct Shown(Vec<(usize, usize)>);

impl Shown {
    pub(super) fn of(file: &SourceFile<'_>, text: &str) -> Self {
        let mut shown = Self::default();
        if !file.is_page() {
            return shown;
        }
        let start = |line: &Line<'_>| line.text.as_ptr() as usize - text.as_ptr() as usize;
        // Where the paragraph that is read began, and whether a comment that takes whole lines is open.
        let (mut paragraph, mut in_comment) = (0, false);
        for line in lines(file.manner(), text) {
            let at = start(&line);
            let end = at + line.text.len();
            let opens = line.text.trim_start().starts_with("<!--");
            // Where an indent ends, readers of Markdown differ; a fence is seen by all of them.
            if line.place == Place::Code && !line.indented {
                shown.spans(text, paragraph, at);
                shown.0.push((at, end));
                (paragraph, in_comment) = (end, false);
            } else if in_comment || opens || line.text.trim().is_empty() {
                // Such a comment interrupts a paragraph (CommonMark 0.31, 4.6), and no span goes into it.
                shown.spans(text, paragraph, at);
                in_comment = (in_comment || opens) && !line.text.contains("-->");
                paragraph = end;
            }
        }
        shown.spans(text, paragraph, text.len());
        shown
    }

    /// Whether the byte at `offset` is shown.
    pub(super) fn holds(&self, offset: usize) -> bool {
        let after = self.0.partition_point(|&(start, _)| start <= offset);
        after.checked_sub(1).is_some_and(|before| offset < self.0[before].1)
    }

    /// Adds the code spans of a paragraph: from a run of backticks to the next one that is as long
    /// (CommonMark 0.31, 6.1). One that is never closed opens nothing.
    fn spans(&mut self, text: &str, from: usize, to: usize) {
        let Some(paragraph) = text.get(from..to).filter(|paragraph| paragraph.contains('`')) else { return };
        let runs = runs(paragraph);
        let mut closing = vec![None; runs.len()];
        let mut next = std::collections::BTreeMap::new();
        for (number, run) in runs.iter().enumerate().rev() {
            closing[number] = next.insert(run.length, number);
        }
        let mut number = 0;
        while let Some(run) = runs.get(number) {
            let close = closing[number].filter(|_| !run.escaped);
            if let Some(close) = close {
                self.0.push((from + run.at, from + runs[close].at + run.length));
            }
            number = close.unwrap_or(number) + 1;
        }
    }
}

/// Backticks in a row.
struct Run {
    at: usize,
    length: usize,
    /// A backslash before it takes its first one away, so that it opens nothing.
    escaped: bool,
}

fn runs(paragraph: &str) -> Vec<Run> {
    let bytes = paragraph.as_bytes();
    let mut runs: Vec<Run> = Vec::new();
    let mut backslashes = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        match runs.last_mut().filter(|run| byte == b'`' && run.at + run.length == at) {
            Some(run) => run.length += 1,
            None if byte == b'`' => runs.push(Run { at, length: 1, escaped: backslashes % 2 == 1 }),
            None => {}
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What of a page is shown as it is written.
    fn shown(text: &str) -> Vec<&str> {
        let file = SourceFile::read("a.md", text.as_bytes(), None);
        Shown::of(&file, text).0.into_iter().map(|(from, to)| &text[from..to]).collect()
    }

    #[test]
    fn spans_that_are_closed() {
        assert_eq!(shown("a `b` ``c ` d`` e\n"), ["`b`", "``c ` d``"]);
        assert_eq!(shown("a `b\nc` d\n"), ["`b\nc`"]);
        assert_eq!(shown("```\nx\n```\n"), ["```", "x", "```"]);
    }

    #[test]
    fn what_is_no_span() {
        assert!(shown("the ` key\n\nthe ` key\n").is_empty());
        assert!(shown("the \\` key, the ` key\n").is_empty());
        assert!(shown("the ` key\n<!-- a ` -->\nthe ` key\n").is_empty());
        assert!(shown("`` a ` b\n").is_empty());
    }
}
