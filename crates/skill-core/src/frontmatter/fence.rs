//! Finds the frontmatter in a text.

use super::FrontmatterError;
use super::lines::{Line, lines};

/// The most bytes of frontmatter that are looked at.
const LIMIT: usize = 256 * 1024;
/// How many lines of other text a forgotten opening fence may hide behind.
const TEXT_BEFORE: usize = 40;

/// The lines of the frontmatter and what surrounds them.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// Every line of the file up to and with the closing fence.
    pub(super) head: Vec<Line<'a>>,
    /// Index in `head` of the first line after the opening fence.
    pub(super) first: usize,
    /// Index in `head` after the last line of the frontmatter.
    pub(super) end: usize,
    /// Whether a closing fence was found.
    pub(super) closed: bool,
}

impl<'a> Block<'a> {
    /// The lines between the fences.
    pub(super) fn inner(&self) -> &[Line<'a>] {
        &self.head[self.first..self.end]
    }

    /// The text between the fences, as it stands in the file.
    pub(super) fn text(&self, of: &'a str) -> &'a str {
        match self.inner() {
            [first, .., last] => &of[first.start..last.next],
            [only] => &of[only.start..only.next],
            [] => "",
        }
    }

    /// Whether the closing fence is one of the text: there is running text, and headings or code.
    pub(super) fn runs_into_text(&self) -> bool {
        let inner = self.inner();
        let text = (0..inner.len()).any(|index| self.gap_before(index) && is_prose(&inner[index]));
        text && inner.iter().any(|line| is_comment(line.text) || line.text.starts_with("```"))
    }

    /// How many lines the fields take: up to the first running text after a gap, or the first
    /// heading after a gap that comes after a key.
    fn fields(&self) -> usize {
        let inner = self.inner();
        let mut any_key = false;
        let ends = |(index, line): (usize, &Line<'_>)| {
            any_key |= top_key(line.text).is_some();
            let heading = any_key && is_comment(line.text) && inner[index - 1].is_blank();
            heading || (self.gap_before(index) && is_prose(line))
        };
        let Some(mut end) = inner.iter().enumerate().position(ends) else { return inner.len() };
        while end > 0 && (inner[end - 1].is_blank() || is_comment(inner[end - 1].text)) {
            end -= 1;
        }
        end
    }

    /// Whether a line comes first or after a blank line or comment.
    fn gap_before(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| self.inner()[before]);
        before.is_none_or(|line| line.is_blank() || is_comment(line.text))
    }

    /// Ends the frontmatter where its fields end: the closing fence is missing, or the one that was
    /// found belongs to the text.
    pub(super) fn cut_to_fields(&mut self) {
        let end = self.first + self.fields();
        self.closed &= end == self.end;
        self.end = end;
    }

    /// The first line after the frontmatter, from 1, and its place in bytes.
    pub(super) fn body(&self) -> (u32, usize) {
        let last = if self.closed { self.end } else { self.end.saturating_sub(1) };
        let start = self.head.get(last).map_or(0, |line| line.next);
        (last as u32 + 2, start)
    }
}

/// Finds the frontmatter: `None` if the text has none.
pub(super) fn locate(text: &str) -> Result<Option<Block<'_>>, FrontmatterError> {
    let mut head = Vec::new();
    let mut first = None;
    let (mut closed, mut overlong) = (false, false);
    for line in lines(text) {
        let within = first.is_some();
        if line.start > LIMIT {
            overlong = true;
            break;
        }
        let fence = line.is_fence();
        head.push(line);
        match (within, fence) {
            (false, true) => first = Some(head.len()),
            (false, false) if !line.is_blank() => {
                return without_fence(text, line, head.len()).map(|()| None);
            }
            (true, true) => {
                closed = true;
                break;
            }
            _ => {}
        }
    }
    let Some(first) = first else { return Ok(None) };
    let end = if closed { head.len() - 1 } else { head.len() };
    let mut block = Block { head, first, end, closed };
    if !closed {
        block.cut_to_fields();
        if overlong && block.end == block.head.len() {
            return Err(too_long());
        }
    }
    // Two thematic breaks with prose between them are no frontmatter.
    let mut keys = block.inner().iter().filter_map(|line| top_key(line.text));
    let is_frontmatter = if block.closed {
        let empty = block.inner().iter().all(|line| line.is_blank() || is_comment(line.text));
        empty || keys.next().is_some()
    } else {
        keys.any(is_expected)
    };
    Ok(is_frontmatter.then_some(block))
}

fn too_long() -> FrontmatterError {
    FrontmatterError::Limit { limit: "262144 bytes" }
}

/// A text that does not begin with a fence: is there frontmatter further down that was meant?
fn without_fence(text: &str, line: Line<'_>, number: usize) -> Result<(), FrontmatterError> {
    if let Some(marker) = conflict_marker(line.text) {
        return Err(FrontmatterError::Conflict { line: number as u32, marker });
    }
    let mut rest = lines(&text[line.next..]).take(TEXT_BEFORE);
    while let Some(next) = rest.next() {
        if next.text.starts_with("```") {
            return Ok(());
        }
        if next.is_fence() {
            let fields = rest
                .find(|line| !line.is_blank())
                .and_then(|line| top_key(line.text))
                .is_some_and(is_expected);
            if fields && rest.any(|line| line.is_fence()) {
                let excerpt = line.text.chars().take(200).collect();
                return Err(FrontmatterError::TextBefore { line: number as u32, excerpt });
            }
            return Ok(());
        }
    }
    Ok(())
}

/// The conflict marker that a line begins with.
pub(super) fn conflict_marker(line: &str) -> Option<&'static str> {
    ["<<<<<<<", ">>>>>>>", "|||||||"]
        .into_iter()
        .find(|marker| line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

/// The key that a line at the left margin begins with: `key:`, then a blank or the end.
pub(super) fn top_key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end();
    let bare = key.trim_matches(['"', '\'']);
    let fits =
        !bare.is_empty() && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    (fits && (value.is_empty() || value.starts_with([' ', '\t']))).then_some(bare)
}

/// Whether a key is one of the two that every skill has.
fn is_expected(key: &str) -> bool {
    matches!(key, "name" | "description")
}

pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with('#')
}

/// Whether a line at the left margin can only be running text: no key, item, bracket or comment.
fn is_prose(line: &Line<'_>) -> bool {
    let text = line.text;
    !line.is_blank()
        && !text.starts_with([' ', '\t', '#', '}', ']', '{', '[', '"', '\'', '?'])
        && !text.starts_with("- ")
        && top_key(text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inner(text: &str) -> Option<(Vec<&str>, bool, (u32, usize))> {
        let block = locate(text).unwrap()?;
        Some((block.inner().iter().map(|line| line.text).collect(), block.closed, block.body()))
    }

    #[test]
    fn fences() {
        assert_eq!(inner("---\na: b\n---\nText"), Some((vec!["a: b"], true, (4, 13))));
        assert_eq!(inner("--- \t\r\na: b\r\n---\t\r\n"), Some((vec!["a: b"], true, (4, 19))));
        assert_eq!(inner("---\na: b\n---"), Some((vec!["a: b"], true, (4, 12))));
        assert_eq!(inner("\n\n---\na: x---y\n---\n"), Some((vec!["a: x---y"], true, (6, 19))));
        assert_eq!(inner("---\n---\n# T"), Some((vec![], true, (3, 8))));
    }

    #[test]
    fn no_frontmatter() {
        for text in [
            "",
            "\n\n",
            "# Title\n\n---\n\nText",
            "---\n\nText\n\n---\n",
            "---",
            "---\n# T\nText: of a\nbook",
        ] {
            assert_eq!(inner(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_unclosed_block_ends_with_its_fields() {
        let text = "---\nname: a\ndescription: b\n\n# Title\n\nText here\n";
        assert_eq!(inner(text), Some((vec!["name: a", "description: b"], false, (4, 27))));
        let wrapped = "---\nname: a\ndescription: b\nc d\n\nText\n";
        assert_eq!(inner(wrapped), Some((vec!["name: a", "description: b", "c d"], false, (5, 31))));
    }

    #[test]
    fn text_before_is_an_error_only_if_frontmatter_follows() {
        let error = locate("<!-- x -->\n---\nname: a\n---\n").unwrap_err();
        assert_eq!(error, FrontmatterError::TextBefore { line: 1, excerpt: "<!-- x -->".to_owned() });
        assert!(locate("```markdown\n---\nname: a\n---\n").is_err());
        assert!(locate("Say this:\n\n```yaml\n---\nname: a\n---\n```\n").is_ok());
        assert!(locate("# T\n\n---\n\nname it\n").is_ok());
    }

    #[test]
    fn more_than_the_limit_is_an_error() {
        let endless = format!("---\n{}", "a: b\n".repeat(60_000));
        assert_eq!(locate(&endless).unwrap_err(), too_long());
        let body = format!("---\nname: a\n\nText\n{}", "word\n".repeat(60_000));
        assert!(locate(&body).unwrap().is_some());
    }
}
