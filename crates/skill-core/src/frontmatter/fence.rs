//! Finds the frontmatter in a text.

use super::FrontmatterError;
use super::budget::Limit;
use super::lines::{Line, lines};
use super::yaml::parse_map;

/// The most bytes of frontmatter that are looked at.
const LIMIT: usize = 256 * 1024;
/// The longest line that may be meant as a fence, in bytes.
const FENCE: usize = 200;
/// How many lines of other text a forgotten opening fence may hide behind.
const TEXT_BEFORE: usize = 40;

/// The lines of the frontmatter and what surrounds them.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// Every line of the file up to and with the closing fence.
    pub(super) head: Vec<Line<'a>>,
    /// How many blank lines stand before everything else.
    pub(super) blank: usize,
    /// Index in `head` of the first line after the opening fence.
    pub(super) first: usize,
    /// Index in `head` after the last line of the frontmatter.
    pub(super) end: usize,
    /// Whether a closing fence was found.
    pub(super) closed: bool,
    /// Fences that are none, as indices in `head`.
    pub(super) odd: Vec<(usize, Odd)>,
}

/// What is wrong with a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    /// It is spelled otherwise: `----`, an em dash, `...`, blanks or a comment around it.
    Spelling,
    /// It stands a second time.
    Doubled,
    /// There is none above this line.
    Missing,
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
        let mut any_field = false;
        let ends = |(index, line): (usize, &Line<'_>)| {
            any_field |= any_key(line.text).is_some();
            let heading = any_field && is_comment(line.text) && inner[index - 1].is_blank();
            heading || (self.gap_before(index) && is_prose(line))
        };
        let Some(mut end) = inner.iter().enumerate().position(ends) else { return inner.len() };
        while end > 0 && (inner[end - 1].is_blank() || is_comment(inner[end - 1].text)) {
            end -= 1;
        }
        end
    }

    /// The line (from 1) of the fence that ends the frontmatter for who takes the first that comes.
    pub(super) fn ends_early(&self) -> Option<u32> {
        let doubled = self.odd.iter().find(|(_, odd)| *odd == Odd::Doubled);
        doubled.map(|&(index, _)| if index < self.first { self.first } else { index + 1 } as u32)
    }

    /// The error that this frontmatter passes a limit.
    pub(super) fn passes(&self, Limit(limit): Limit) -> FrontmatterError {
        let excerpt = self.head.get(self.blank).map_or("", |line| line.text).to_owned();
        FrontmatterError::Limit { limit, line: self.blank as u32 + 1, excerpt }
    }

    /// Whether fields without a closing fence surely end where they seem to: none of their lines may be the text
    /// that follows, and a gap, a heading or nothing comes next. `of` is the text of the file.
    pub(super) fn ends_surely(&self, of: &'a str) -> bool {
        let after = self.inner().last().map_or("", |last| &of[last.next..]);
        let next = lines(after).next();
        !self.inner().iter().any(is_prose) && next.is_none_or(|line| line.is_blank() || is_comment(line.text))
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
        self.odd.retain(|(index, _)| *index <= end);
    }

    /// The first line after the frontmatter, from 1, and its place in bytes.
    pub(super) fn body(&self) -> (u32, usize) {
        let last = if self.closed { self.end } else { self.end.saturating_sub(1) };
        let start = self.head.get(last).map_or(0, |line| line.next);
        (last as u32 + 2, start)
    }

    /// Whether lines without an opening fence are frontmatter all the same: there is a closing one and nothing
    /// but fields before it, or both keys every skill has stand in the first lines.
    fn surely_fields(&self) -> bool {
        let start = self.inner().iter().take_while(|line| !line.is_blank());
        let mut keys: Vec<&str> = start.filter_map(|line| top_key(line.text)).collect();
        keys.retain(|key| is_expected(key));
        keys.sort_unstable();
        keys.dedup();
        keys.len() == 2 || (self.closed && self.fields() == self.inner().len())
    }

    /// Two thematic breaks with prose between them are no frontmatter.
    fn is_frontmatter(&self) -> bool {
        let inner = self.inner();
        if !self.closed || !self.odd.is_empty() {
            return inner.iter().any(|line| is_field(line.text));
        }
        let written = |line: &&Line<'_>| !line.is_blank() && !is_comment(line.text);
        let Some(first) = inner.iter().find(written) else { return true };
        let indented = first.text.trim_start();
        any_key(indented).is_some()
            || indented.starts_with('{')
            || inner.iter().any(|line| any_key(line.text).is_some())
            || is_map(inner)
    }
}

/// Finds the frontmatter: `None` if the text has none.
pub(super) fn locate(text: &str) -> Result<Option<Block<'_>>, FrontmatterError> {
    let head: Vec<Line<'_>> = lines(text).take_while(|line| line.start <= LIMIT).collect();
    let overlong = head.last().is_some_and(|line| line.next < text.len());
    let Some(blank) = head.iter().position(|line| !line.is_blank()) else { return Ok(None) };
    let Some((first, odd)) = open(&head, blank) else {
        return without_fence(text, head[blank], blank + 1).map(|()| None);
    };
    let mut block = Block { end: head.len(), head, blank, first, closed: false, odd };
    close(&mut block);
    if !block.closed {
        block.cut_to_fields();
        // The last line may begin within the limit and end beyond it.
        let passes = block.inner().last().is_some_and(|line| line.next > LIMIT);
        if passes || (overlong && block.end == block.head.len()) {
            return Err(block.passes(Limit("262144 bytes")));
        }
    }
    if block.odd.contains(&(first, Odd::Missing)) && !block.surely_fields() {
        return Ok(None);
    }
    block.head.truncate(block.end + usize::from(block.closed));
    Ok(block.is_frontmatter().then_some(block))
}

/// Whether lines are a YAML map in another dress: `? name`, `&base {name: a}`.
fn is_map(lines: &[Line<'_>]) -> bool {
    let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    parse_map(&text).is_ok_and(|pairs| pairs.iter().any(|pair| is_expected(&pair.key)))
}

/// Where the fields begin if frontmatter does at the first line that is not blank, and what is wrong there.
fn open(head: &[Line<'_>], at: usize) -> Option<(usize, Vec<(usize, Odd)>)> {
    let written = |from: usize| (from..head.len()).find(|&index| !head[index].is_blank());
    let field = |index: usize| is_field(head[index].text);
    let fence_after = |index: usize| head[index..].iter().any(Line::is_fence);
    if head[at].is_fence() {
        let second = written(at + 1).filter(|&second| head[second].is_fence());
        let doubled = second
            .filter(|&second| written(second + 1).is_some_and(|first| field(first) && fence_after(first)));
        return Some(doubled.map_or((at + 1, Vec::new()), |second| (second + 1, vec![(at, Odd::Doubled)])));
    }
    if resembles_fence(head[at].text) && written(at + 1).is_some_and(field) {
        return Some((at + 1, vec![(at, Odd::Spelling)]));
    }
    field(at).then(|| (at, vec![(at, Odd::Missing)]))
}

/// Finds the closing fence.
fn close(block: &mut Block<'_>) {
    let mut any_field = false;
    for index in block.first..block.head.len() {
        let line = block.head[index];
        any_field |= is_field(line.text);
        if line.is_fence() {
            if any_field && goes_on(block, index) {
                block.odd.push((index, Odd::Doubled));
                continue;
            }
            (block.end, block.closed) = (index, true);
            return;
        }
        // `...` ends a YAML document. Right before the fence it does no harm.
        let before_fence = block.head.get(index + 1).is_some_and(Line::is_fence);
        if line.is_end_mark() && any_field && !before_fence {
            if goes_on(block, index) {
                block.odd.push((index, Odd::Doubled));
                continue;
            }
            (block.end, block.closed) = (index, true);
            block.odd.push((index, Odd::Spelling));
            return;
        }
    }
    let last = (block.first + block.fields()).min(block.head.len() - 1);
    let resembling = (block.first..=last).find(|&index| resembles_fence(block.head[index].text));
    if let (Some(index), true) = (resembling, any_field) {
        (block.end, block.closed) = (index, true);
        block.odd.push((index, Odd::Spelling));
    }
}

/// Whether fields go on after a fence: the next line is one that was not there yet, and nothing but fields
/// stands before another fence.
fn goes_on(block: &Block<'_>, fence: usize) -> bool {
    let after = &block.head[fence + 1..];
    let Some(key) = after.first().and_then(|line| top_key(line.text)).filter(|key| is_expected(key)) else {
        return false;
    };
    let before = &block.head[block.first..fence];
    let Some(end) = after.iter().position(Line::is_fence) else { return false };
    before.iter().all(|line| top_key(line.text) != Some(key))
        && after[..end].iter().all(|line| line.text.starts_with([' ', '\t']) || top_key(line.text).is_some())
}

/// Whether a line can only have been meant as a fence: other dashes, more of them, or something around them.
fn resembles_fence(line: &str) -> bool {
    if line.len() > FENCE {
        return false;
    }
    let dashes =
        line.split(" #").next().unwrap_or("").trim_matches(|c: char| c.is_whitespace() || is_zero_width(c));
    let dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FF0D}');
    !dashes.is_empty() && dashes.chars().all(dash) && (dashes.len() > 2)
}

/// A text that does not begin with a fence: is there frontmatter further down that was meant?
fn without_fence(text: &str, line: Line<'_>, number: usize) -> Result<(), FrontmatterError> {
    if let Some(marker) = conflict_marker(line.text) {
        let excerpt = line.text.to_owned();
        return Err(FrontmatterError::Conflict { line: number as u32, marker, excerpt });
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

/// The key that a line at the left margin begins with, also without the blank: `name:a`, `name：a`. That only
/// for the two keys every skill has, since `http://x` and `Note:x` are text.
pub(super) fn any_key(line: &str) -> Option<&str> {
    let unparted = |key: &&str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with([':', '：']));
    top_key(line).or_else(|| ["name", "description"].into_iter().find(unparted))
}

/// Whether a line begins with one of the two keys that every skill has.
fn is_field(line: &str) -> bool {
    any_key(line.trim_start_matches([' ', '\t'])).is_some_and(is_expected)
}

/// A character without width, as editors and web pages leave it behind.
pub(super) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
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
        && any_key(text).is_none()
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
        assert_eq!(locate(&endless).unwrap_err().to_string(), "the frontmatter passes a limit: 262144 bytes");
        let body = format!("---\nname: a\n\nText\n{}", "word\n".repeat(60_000));
        assert!(locate(&body).unwrap().is_some());
    }

    #[test]
    fn fences_that_are_none() {
        let odd = |text: &str| {
            let block = locate(text).unwrap().unwrap();
            let inner: Vec<&str> = block.inner().iter().map(|line| line.text).collect();
            (inner.join("|"), block.odd.clone())
        };
        let spelled = |first, last| vec![(first, Odd::Spelling), (last, Odd::Spelling)];
        assert_eq!(odd("----\nname: a\n----\n"), ("name: a".to_owned(), spelled(0, 2)));
        assert_eq!(odd("\n—\nname: a\n — \nText"), ("name: a".to_owned(), spelled(1, 3)));
        assert_eq!(odd("---\nname: a\n...\nText"), ("name: a".to_owned(), vec![(2, Odd::Spelling)]));
        assert_eq!(odd("---\nname: a\n...\n---\nText"), ("name: a|...".to_owned(), vec![]));
        assert_eq!(odd("---\n\n---\nname: a\n---\n"), ("name: a".to_owned(), vec![(0, Odd::Doubled)]));
        assert_eq!(odd("name: a\n---\nText"), ("name: a".to_owned(), vec![(0, Odd::Missing)]));
        let twice = "---\nname: a\n---\ndescription: b\n---\n";
        assert_eq!(odd(twice), ("name: a|---|description: b".to_owned(), vec![(2, Odd::Doubled)]));
    }

    #[test]
    fn a_fence_that_is_one_stays_one() {
        for text in [
            "---\nname: a\n---\ndescription of it\n---\n",
            "---\nname: a\n---\nname: b\n---\n",
            "---\nname: a\n---\n\ndescription: b\n---\n",
            "---\nname: a\n---\ndescription: b\ntext\n---\n",
            "---\nname: a\n---\ndescription: b\n",
            "---\nname: a\n---\n----\n",
        ] {
            assert_eq!(inner(text).unwrap().0, ["name: a"], "{text:?}");
        }
        assert_eq!(inner("----\nText\n----\n"), None);
        assert_eq!(inner("name: a book\n\nText\n\n---\n"), None);
    }
}
