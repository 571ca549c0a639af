//! Reads the frontmatter of a `SKILL.md` as people write it, and says what it had to forgive.
//!
//! Bytes come in and are never rewritten: a byte-order mark, CRLF line ends, blank lines before the
//! fence, blanks after a fence and a fence at the end of the file are all read. Broken YAML is
//! repaired in memory, entry by entry, with a [`Diagnostic`] that names line, column and fix.
//! The format is the Agent Skills specification's; docs/FORMAT.md says what is forgiven beyond it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde_json::{Map, Value};

use crate::diagnostic::{
    Diagnostic, Edit, FRONTMATTER_BLANK, FRONTMATTER_BOM, FRONTMATTER_DUPLICATE, FRONTMATTER_UNCLOSED,
};

mod encoding;
mod entries;
mod error;
mod fence;
pub(crate) mod json5;
pub(crate) mod lines;
pub(crate) mod node;
mod quote;
mod repair;
mod yaml;

pub use error::FrontmatterError;
use fence::Block;
use node::{Kind, Node, Pair, Place};
pub(crate) use quote::{double_quoted, spaced};

/// The fields in front of a skill's text.
#[derive(Debug, Clone, PartialEq)]
pub struct Frontmatter {
    /// Whether there is frontmatter at all.
    pub present: bool,
    /// Every field in the order of the file. Of a key that stands twice the last value counts, at
    /// any depth, as in PyYAML and in JSON readers; each such key is a finding.
    pub fields: Map<String, Value>,
    /// The line (from 1) on which the text after the frontmatter begins.
    pub body_line: u32,
    /// Where that text begins, in bytes of the file.
    pub body_start: usize,
    /// What had to be forgiven, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The fields with their places.
    pub(crate) tree: Vec<Pair>,
    /// The lines of the file up to the end of the frontmatter and where in it they begin.
    head: Vec<(usize, String)>,
}

impl Frontmatter {
    /// Reads the frontmatter of the bytes of a `SKILL.md`.
    ///
    /// A file without frontmatter is no error here: `present` is false and `fields` is empty.
    pub fn read(bytes: &[u8]) -> Result<Self, FrontmatterError> {
        let (text, mark) = encoding::decode(bytes)?;
        let mut found = Vec::new();
        let Some(mut block) = fence::locate(text)? else { return Ok(Self::absent(text, mark)) };
        conflicts(&block)?;
        let mut tree = read_tree(text, &mut block, &mut found)?;
        if !block.closed && tree.iter().all(|pair| pair.key != "name") {
            tree.extend(heading_name(&block, &mut found));
        }
        duplicates(&tree, &block, &mut found);
        before(&block, &mut found);
        let (body_line, body_start) = block.body();
        if !block.closed {
            found.push(unclosed(&block));
        }
        found.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        for diagnostic in &mut found {
            if let Some(edit) = &mut diagnostic.edit {
                edit.range = edit.range.start + mark..edit.range.end + mark;
            }
        }
        if mark > 0 {
            found.insert(0, byte_order_mark(text));
        }
        Ok(Self {
            present: true,
            fields: node::to_map(&tree),
            body_line,
            body_start: body_start + mark,
            diagnostics: found,
            tree,
            head: block.head.iter().map(|line| (line.start + mark, line.text.to_owned())).collect(),
        })
    }

    /// The text after the frontmatter. `bytes` are those that were read.
    pub fn body<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        String::from_utf8_lossy(bytes.get(self.body_start..).unwrap_or_default())
    }

    /// The pair of a top-level key; of keys that stand twice the last one.
    pub(crate) fn top(&self, key: &str) -> Option<&Pair> {
        self.tree.iter().rev().find(|pair| pair.key == key)
    }

    /// The text of a line of the head; empty beyond it.
    pub(crate) fn line(&self, number: u32) -> &str {
        let index = (number as usize).wrapping_sub(1);
        self.head.get(index).map_or("", |(_, text)| text)
    }

    /// The line of the opening fence; 1 if there is none.
    pub(crate) fn fence_line(&self) -> u32 {
        self.head.iter().position(|(_, text)| text.starts_with("---")).map_or(1, |index| index as u32 + 1)
    }

    /// The bytes of the file that a key takes, if it is spelled there as it was read.
    pub(crate) fn bytes_of(&self, pair: &Pair) -> Option<Range<usize>> {
        let (start, text) = self.head.get((pair.at.line as usize).checked_sub(1)?)?;
        let (at, _) = text.char_indices().nth((pair.at.column as usize).checked_sub(1)?)?;
        text[at..].starts_with(&pair.key).then(|| start + at..start + at + pair.key.len())
    }

    fn absent(text: &str, mark: usize) -> Self {
        Self {
            present: false,
            fields: Map::new(),
            body_line: 1,
            body_start: mark,
            diagnostics: if mark > 0 { vec![byte_order_mark(text)] } else { Vec::new() },
            tree: Vec::new(),
            head: lines::lines(text).take(1).map(|line| (mark, line.text.to_owned())).collect(),
        }
    }
}

/// The fields: in one go if the YAML is sound, else repaired.
fn read_tree<'a>(
    text: &'a str,
    block: &mut Block<'a>,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<Pair>, FrontmatterError> {
    let above = block.first as u32;
    let mut outcome = yaml::parse_map(block.text(text));
    if let Err(trouble) = &outcome
        && trouble.limit.is_none()
        && block.runs_into_text()
    {
        block.cut_to_fields();
        outcome = yaml::parse_map(block.text(text));
    }
    let trouble = match outcome {
        Ok(mut pairs) => {
            node::move_down(&mut pairs, above);
            return Ok(pairs);
        }
        Err(yaml::Trouble { limit: Some(limit), .. }) => return Err(FrontmatterError::Limit { limit }),
        Err(trouble) => trouble,
    };
    let mut rescued = repair::rescue(block.inner())?;
    node::move_down(&mut rescued.pairs, above);
    found.extend(rescued.found.into_iter().map(|mut diagnostic| {
        diagnostic.line += above;
        diagnostic
    }));
    let usable = rescued.pairs.iter().any(|pair| matches!(&*pair.key, "name" | "description"));
    if !usable && (rescued.unrepaired.is_some() || !rescued.pairs.is_empty()) {
        let yaml::Trouble { line, column, reason, .. } = rescued.unrepaired.unwrap_or(trouble);
        let line = line + above;
        let excerpt = block.head.get(line as usize - 1).map_or("", |line| line.text).to_owned();
        return Err(FrontmatterError::Yaml { reason, line, column, excerpt });
    }
    Ok(rescued.pairs)
}

/// `name: a` above a closing `---` is a heading to Markdown, and some formatters write it as one:
/// `## name: a`, without the fence.
fn heading_name(block: &Block<'_>, found: &mut Vec<Diagnostic>) -> Option<Pair> {
    let (index, name) = block.inner().iter().enumerate().find_map(|(index, line)| {
        let name = line.text.trim_start_matches('#').trim_start().strip_prefix("name:")?;
        (line.text.starts_with('#') && !name.trim().is_empty()).then(|| (index, name.trim()))
    })?;
    let line = block.inner()[index];
    let marks = line.text.find("name:")?;
    let at = Place { line: (block.first + index) as u32 + 1, column: marks as u32 + 1, length: 4 };
    let message = "the name is a heading; a formatter took --- for an underline";
    found.push(
        Diagnostic::new(&FRONTMATTER_UNCLOSED, message)
            .at(at.line, 1, at.column, line.text)
            .fix(&line.text[marks..])
            .edit(Edit { range: line.start..line.start + marks, text: String::new() }),
    );
    Some(Pair { key: "name".to_owned(), at, value: Node::from_value(name.into(), at) })
}

/// Conflict markers between the fences: which side is meant is not ours to say.
fn conflicts(block: &Block<'_>) -> Result<(), FrontmatterError> {
    for (index, line) in block.head.iter().enumerate() {
        if let Some(marker) = fence::conflict_marker(line.text) {
            return Err(FrontmatterError::Conflict { line: index as u32 + 1, marker });
        }
    }
    Ok(())
}

/// Blank lines before the opening fence.
fn before(block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    let blank = block.first - 1;
    if blank > 0 {
        let lines = if blank == 1 { "a blank line".to_owned() } else { format!("{blank} blank lines") };
        let message = format!("{lines} before the opening ---");
        let edit = Edit { range: 0..block.head[blank].start, text: String::new() };
        found.push(Diagnostic::new(&FRONTMATTER_BLANK, message).at(1, 1, 1, block.head[0].text).edit(edit));
    }
}

fn byte_order_mark(text: &str) -> Diagnostic {
    let first = lines::lines(text).next().map_or("", |line| line.text);
    Diagnostic::new(&FRONTMATTER_BOM, "a byte-order mark before the text")
        .at(1, 1, 1, first)
        .edit(Edit { range: 0..3, text: String::new() })
}

fn unclosed(block: &Block<'_>) -> Diagnostic {
    let last = block.end.max(1) - 1;
    let line = block.head[last];
    let column = line.text.chars().count() as u32 + 1;
    let lacks_end = line.next == line.start + line.text.len();
    Diagnostic::new(&FRONTMATTER_UNCLOSED, "the closing --- is missing after this line")
        .at(last as u32 + 1, column, column, line.text)
        .fix("---")
        .edit(Edit {
            range: line.next..line.next,
            text: if lacks_end { "\n---\n".to_owned() } else { "---\n".to_owned() },
        })
}

/// Keys that stand twice in one map, at any depth.
fn duplicates(pairs: &[Pair], block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    let mut lines = HashMap::with_capacity(pairs.len());
    for pair in pairs {
        if let Some(first) = lines.insert(pair.key.as_str(), pair.at.line) {
            let message = format!("{} stands on line {first} already; this one counts", pair.key);
            let excerpt = block.head.get(pair.at.line as usize - 1).map_or("", |line| line.text);
            let end = pair.at.column + pair.at.length;
            let said = Diagnostic::new(&FRONTMATTER_DUPLICATE, message);
            found.push(said.at(pair.at.line, pair.at.column, end, excerpt));
        }
        duplicates_below(&pair.value, block, found);
    }
}

fn duplicates_below(node: &Node, block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    match &node.kind {
        Kind::Scalar(_) => {}
        Kind::List(items) => items.iter().for_each(|item| duplicates_below(item, block, found)),
        Kind::Map(pairs) => duplicates(pairs, block, found),
    }
}
