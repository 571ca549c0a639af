//! Reads the frontmatter of a `SKILL.md` as people write it, and says what it had to forgive.
//!
//! Bytes come in and are never rewritten: a byte-order mark, CRLF line ends, blank lines before the
//! fence, blanks after a fence and a fence at the end of the file are all read. Broken YAML is
//! repaired in memory, entry by entry, with a [`Diagnostic`] that names line, column and fix.
//! The format is the Agent Skills specification's; docs/FORMAT.md says what is forgiven beyond it.
//!
//! The way of the bytes: `encoding` makes text of them, `fence` finds the lines of the frontmatter, `tree` makes
//! fields of these with `yaml` (values by `schema`, limits by `budget`). Only what `yaml` refuses goes through
//! `repair`: `entries` cuts it up, `draft` changes one entry with the means of `quote` and `indent`, and `patch`
//! leads every place back to the file. `found` adds what is odd about sound text.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;

pub(crate) mod budget;
mod draft;
mod encoding;
mod entries;
mod error;
mod fence;
mod found;
mod indent;
pub(crate) mod json5;
pub(crate) mod lines;
pub(crate) mod node;
mod patch;
mod quote;
mod reason;
mod repair;
mod schema;
mod tree;
mod yaml;

pub use error::FrontmatterError;
use fence::Block;
use node::Pair;
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
    /// The line (from 1) of a fence at which other readers end the frontmatter, although fields stand behind it:
    /// they see another skill than the one that is read here.
    pub ends_early: Option<u32>,
    /// What had to be forgiven, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The fields with their places.
    pub(crate) tree: Vec<Pair>,
    /// The lines of the file up to the end of the frontmatter.
    head: Vec<String>,
    /// The line of the opening fence, from 1; where it is missing, the one it should stand before.
    fence: u32,
}

impl Frontmatter {
    /// Reads the frontmatter of the bytes of a `SKILL.md`.
    ///
    /// A file without frontmatter is no error here: `present` is false and `fields` is empty.
    pub fn read(bytes: &[u8]) -> Result<Self, FrontmatterError> {
        let (text, mark) = encoding::decode(bytes)?;
        let mut found = Vec::new();
        let Some(mut block) = fence::locate(text)? else { return Ok(Self::absent(text, mark)) };
        refuse(&block)?;
        let tree = tree::read(text, &mut block, &mut found)?;
        found::in_fields(&tree, &block, &mut found);
        found::in_fences(text, &block, &mut found);
        found.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        for diagnostic in &mut found {
            if let Some(edit) = &mut diagnostic.edit {
                edit.range = edit.range.start + mark..edit.range.end + mark;
            }
        }
        if mark > 0 {
            found.insert(0, found::byte_order_mark(text, mark));
        }
        let (body_line, body_start) = block.body();
        Ok(Self {
            present: true,
            fields: node::to_map(&tree),
            body_line,
            body_start: body_start + mark,
            ends_early: block.ends_early(),
            diagnostics: found,
            tree,
            head: block.head.iter().map(|line| line.text.to_owned()).collect(),
            fence: block.blank as u32 + 1,
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
        self.head.get(index).map_or("", String::as_str)
    }

    /// The line of the opening fence; 1 if there is none.
    pub(crate) fn fence_line(&self) -> u32 {
        self.fence
    }

    fn absent(text: &str, mark: usize) -> Self {
        Self {
            present: false,
            fields: Map::new(),
            body_line: 1,
            body_start: mark,
            ends_early: None,
            diagnostics: if mark > 0 { vec![found::byte_order_mark(text, mark)] } else { Vec::new() },
            tree: Vec::new(),
            fence: 1,
            head: lines::lines(text).take(1).map(|line| line.text.to_owned()).collect(),
        }
    }
}

/// What makes the whole unreadable: conflict markers, since which side is meant is not ours to say, and U+0000.
fn refuse(block: &Block<'_>) -> Result<(), FrontmatterError> {
    for (index, line) in block.head.iter().enumerate() {
        let number = index as u32 + 1;
        if let Some(marker) = fence::conflict_marker(line.text) {
            return Err(FrontmatterError::Conflict { line: number, marker, excerpt: line.text.to_owned() });
        }
        if let Some(at) = line.text.find('\0') {
            let column = line.text[..at].chars().count() as u32 + 1;
            return Err(FrontmatterError::Nul { line: number, column, excerpt: line.text.to_owned() });
        }
    }
    Ok(())
}
