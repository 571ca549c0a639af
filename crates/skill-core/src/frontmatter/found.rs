//! What reading finds in fields and fences that it could read.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{
    Diagnostic, Edit, FRONTMATTER_BLANK, FRONTMATTER_BOM, FRONTMATTER_CUT, FRONTMATTER_DUPLICATE,
    FRONTMATTER_FENCE, FRONTMATTER_UNCLOSED, Rule,
};

use super::fence::{Block, Odd};
use super::lines::lines;
use super::node::{Kind, Node, Pair, Place, folded};
use super::quote;

/// What is wrong with the fences and before them.
pub(super) fn in_fences(text: &str, block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    before(block, found);
    for (index, odd) in &block.odd {
        // A fence between the fields was left out, and named, when they were repaired.
        if *index < block.first || *index == block.end || *odd == Odd::Missing {
            found.push(odd_fence(block, *index, *odd));
        }
    }
    if !block.closed {
        found.push(unclosed(text, block));
    }
}

fn odd_fence(block: &Block<'_>, index: usize, odd: Odd) -> Diagnostic {
    let line = block.head[index];
    let length = line.text.chars().count() as u32 + 1;
    let (message, fix, edit) = match odd {
        Odd::Spelling => {
            let range = line.start..line.start + line.text.len();
            let message = format!("{} in place of ---", line.text.trim());
            (message, Some("---"), Edit { range, text: "---".to_owned() })
        }
        Odd::Doubled => {
            // With the blank lines up to the one that stays.
            let range = line.start..block.head[block.first - 1].start;
            let edit = Edit { range, text: String::new() };
            ("a second --- before the fields".to_owned(), None, edit)
        }
        Odd::Missing => {
            let edit = Edit { range: line.start..line.start, text: "---\n".to_owned() };
            ("the opening --- is missing before this line".to_owned(), Some("---"), edit)
        }
    };
    let end = if odd == Odd::Missing { 1 } else { length };
    let said =
        Diagnostic::new(&FRONTMATTER_FENCE, message).at(index as u32 + 1, 1, end, line.text).edit(edit);
    Diagnostic { fix: fix.map(str::to_owned), ..said }
}

/// Blank lines before the opening fence.
fn before(block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    let blank = block.blank;
    if blank > 0 {
        let lines = if blank == 1 { "a blank line".to_owned() } else { format!("{blank} blank lines") };
        let message = format!("{lines} before the opening ---");
        let edit = Edit { range: 0..block.head[blank].start, text: String::new() };
        found.push(Diagnostic::new(&FRONTMATTER_BLANK, message).at(1, 1, 1, block.head[0].text).edit(edit));
    }
}

/// A byte-order mark of so many bytes before a text.
pub(super) fn byte_order_mark(text: &str, bytes: usize) -> Diagnostic {
    let first = lines(text).next().map_or("", |line| line.text);
    Diagnostic::new(&FRONTMATTER_BOM, "a byte-order mark before the text")
        .at(1, 1, 1, first)
        .edit(Edit { range: 0..bytes, text: String::new() })
}

fn unclosed(text: &str, block: &Block<'_>) -> Diagnostic {
    let last = block.end.max(1) - 1;
    let line = block.head[last];
    let column = line.text.chars().count() as u32 + 1;
    let lacks_end = line.next == line.start + line.text.len();
    let said = Diagnostic::new(&FRONTMATTER_UNCLOSED, "the closing --- is missing after this line")
        .at(last as u32 + 1, column, column, line.text)
        .fix("---");
    if !block.ends_surely(text) {
        return said;
    }
    said.edit(Edit {
        range: line.next..line.next,
        text: if lacks_end { "\n---\n".to_owned() } else { "---\n".to_owned() },
    })
}

/// Keys that stand twice in one map, at any depth, and texts of which YAML reads a part only. On a line beyond
/// [`LONG`] the first of either is named alone.
pub(super) fn in_fields(pairs: &[Pair], block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    let mut fields = Fields { block, found, crowded: HashSet::new() };
    fields.map(pairs, true);
}

struct Fields<'a, 'b> {
    block: &'a Block<'b>,
    found: &'a mut Vec<Diagnostic>,
    /// Codes and long lines that were named.
    crowded: HashSet<(&'static str, u32)>,
}

impl Fields<'_, '_> {
    fn map(&mut self, pairs: &[Pair], top: bool) {
        let mut lines = HashMap::with_capacity(pairs.len());
        for pair in pairs {
            let Place { line, column, length } = pair.at;
            if let Some(first) = lines.insert(pair.key.as_str(), line)
                && self.is_shown(&FRONTMATTER_DUPLICATE, line)
            {
                let message = format!("{} stands on line {first} already; this one counts", pair.key);
                let said = Diagnostic::new(&FRONTMATTER_DUPLICATE, message);
                self.found.push(said.at(line, column, column + length, text(self.block, line)));
            }
            let prose = top && PROSE.iter().any(|key| folded(&pair.key) == folded(key));
            self.node(&pair.value, prose);
        }
    }

    fn node(&mut self, node: &Node, prose: bool) {
        if let Some(cut) = node.cut.filter(|cut| self.is_shown(&FRONTMATTER_CUT, cut.line)) {
            self.found.extend(cut_text(node, cut, self.block, prose));
        }
        match &node.kind {
            Kind::Scalar(_) => {}
            Kind::List(items) => items.iter().for_each(|item| self.node(item, false)),
            Kind::Map(pairs) => self.map(pairs, false),
        }
    }

    fn is_shown(&mut self, rule: &Rule, line: u32) -> bool {
        text(self.block, line).len() <= LONG || self.crowded.insert((rule.code, line))
    }
}

/// The longest line that is shown as it should be and with all its findings, in bytes.
const LONG: usize = 4096;

/// Fields in which a comment is hardly ever meant.
const PROSE: [&str; 4] = ["description", "when_to_use", "when_not_to_use", "compatibility"];

/// A comment, an anchor or a tag that looks like part of a text: ` #12`, ` #general`, `&co`, `!note`. `# ` is
/// one in prose only.
fn cut_text(node: &Node, cut: Place, block: &Block<'_>, prose: bool) -> Option<Diagnostic> {
    let line = text(block, cut.line);
    let fixable = cut.line == node.at.line && line.len() <= LONG;
    let sign: String = line.chars().skip(cut.column as usize - 1).take(cut.length as usize).collect();
    let word = sign.split_whitespace().next().unwrap_or("");
    let message = match (sign.chars().next()?, &node.kind) {
        ('#', Kind::Scalar(value)) => {
            let meant = word.len() > 1 && !word[1..].starts_with(['#', '!', '-', '=', '*']);
            if !meant && (!prose || value.is_null()) {
                return None;
            }
            format!("{word} begins a comment; what follows is not read")
        }
        ('&', _) => format!("{word} is an anchor to YAML and no part of the text"),
        _ => format!("{word} is a tag to YAML and no part of the text"),
    };
    let said = Diagnostic::new(&FRONTMATTER_CUT, message)
        .at(cut.line, cut.column, cut.column + cut.length, line)
        .label("text with this in it needs quotes");
    let parts = fixable.then(|| quote::take_apart(line)).flatten();
    let fix = parts.map(|parts| format!("{}{}", parts.prefix, quote::double_quoted(parts.value)));
    Some(Diagnostic { fix, ..said })
}

fn text<'a>(block: &Block<'a>, line: u32) -> &'a str {
    (line as usize).checked_sub(1).and_then(|index| block.head.get(index)).map_or("", |line| line.text)
}
