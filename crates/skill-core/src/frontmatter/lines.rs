//! Lines of a text with their place in bytes; LF, CRLF and CR all end one, as in YAML.

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Its text without the end.
    pub(crate) text: &'a str,
    /// Its end: `\n`, `\r\n`, `\r`, or nothing at the end of the text.
    pub(crate) end: &'a str,
    /// Where it begins in the text.
    pub(crate) start: usize,
    /// Where the next one begins.
    pub(crate) next: usize,
}

impl Line<'_> {
    /// Whether it holds blanks and tabs only.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// Whether it is `---`, blanks and tabs after it allowed.
    pub(crate) fn is_fence(&self) -> bool {
        self.text.trim_end_matches([' ', '\t']) == "---"
    }

    /// Whether it is `...`, which ends a YAML document.
    pub(crate) fn is_end_mark(&self) -> bool {
        self.text.trim_end_matches([' ', '\t']) == "..."
    }
}

/// The lines of a text. A text that ends in a line end has no empty last line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let end = match &rest.as_bytes()[length..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        let (text, end) = (&rest[..length], &rest[length..length + end]);
        let line = Line { text, end, start, next: start + text.len() + end.len() };
        start = line.next;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let found: Vec<(&str, usize)> = lines("a\r\nb\rc\n\nd").map(|line| (line.text, line.start)).collect();
        assert_eq!(found, [("a", 0), ("b", 3), ("c", 5), ("", 7), ("d", 8)]);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("a\n").count(), 1);
    }
}
