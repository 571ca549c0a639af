//! Finds fields in the three places where they may stand, and remembers which were taken.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, FRONTMATTER_COLON, FRONTMATTER_TYPE};
use crate::frontmatter::budget::Budget;
pub(super) use crate::frontmatter::node::folded;
use crate::frontmatter::node::{Kind, Node, Pair, Place, to_written_map};
use crate::frontmatter::{Frontmatter, json5, spaced};

/// The keys of `metadata` under which a block for agents stands, in the order of preference that
/// the ClawHub contract gives.
const BLOCKS: [&str; 4] = ["clawdbot", "clawdis", "openclaw", "moltbot"];

/// The fields of one frontmatter.
pub(super) struct Fields<'a> {
    frontmatter: &'a Frontmatter,
    /// `metadata.<block>` (or top-level `clawdis`), `metadata`, the top level.
    sources: [Vec<Pair>; 3],
    /// The block's key in `metadata`.
    block: Option<&'static str>,
    /// Keys that a field took, by source.
    taken: HashSet<(usize, String)>,
    /// Keys whose value was of no use.
    refused: HashSet<String>,
    /// What is wrong with the fields read so far.
    pub(super) found: Vec<Diagnostic>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(frontmatter: &'a Frontmatter) -> Self {
        let top = frontmatter.tree.clone();
        let mut fields = Self {
            frontmatter,
            sources: [const { Vec::new() }; 3],
            block: None,
            taken: HashSet::new(),
            refused: HashSet::new(),
            found: Vec::new(),
        };
        let metadata = top.iter().rev().find(|pair| pair.key == "metadata");
        if let Some(pair) = metadata {
            match unfolded(&pair.value) {
                Some(pairs) => fields.sources[1] = pairs,
                None if is_nothing(&pair.value) => {}
                None => fields.no_map(pair),
            }
        }
        for block in BLOCKS {
            let found = fields.sources[1].iter().rev().find(|pair| pair.key == block);
            if let Some(pairs) = found.and_then(|pair| unfolded(&pair.value)) {
                (fields.block, fields.sources[0]) = (Some(block), pairs);
                break;
            }
        }
        fields.sources[2] = top;
        fields
    }

    /// Whether there is frontmatter at all.
    pub(super) fn is_present(&self) -> bool {
        self.frontmatter.present
    }

    /// The pair of a field, from the block, `metadata` or the top level, in this order. Keys are
    /// compared without case, hyphens and underscores. A null is as good as nothing.
    pub(super) fn take(&mut self, names: &[&str]) -> Option<Pair> {
        self.take_from(&[0, 1, 2], names)
    }

    /// The same, the top level first: for what the Agent Skills spec puts there.
    pub(super) fn take_top(&mut self, names: &[&str]) -> Option<Pair> {
        self.take_from(&[2, 1, 0], names)
    }

    fn take_from(&mut self, order: &[usize], names: &[&str]) -> Option<Pair> {
        let mut taken = None;
        for &source in order {
            for name in names {
                let wanted = folded(name);
                for pair in self.sources[source].iter().rev().filter(|pair| folded(&pair.key) == wanted) {
                    self.taken.insert((source, pair.key.clone()));
                    taken = taken.or_else(|| (!is_null(&pair.value)).then(|| pair.clone()));
                }
            }
        }
        taken
    }

    /// A text, trimmed; a number or truth value as it is spelled in the file. Blank is nothing.
    pub(super) fn text(&mut self, names: &[&str]) -> Option<String> {
        let pair = self.take(names)?;
        self.as_text(&pair)
    }

    /// The text of a pair already taken.
    pub(super) fn as_text(&mut self, pair: &Pair) -> Option<String> {
        let Some(text) = pair.value.text() else {
            if !is_null(&pair.value) {
                self.mistyped(&pair.key, pair.at, "a text");
            }
            return None;
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// A truth value: `true`, `yes`, `on`, `1` and their opposites.
    pub(super) fn flag(&mut self, names: &[&str]) -> Option<bool> {
        let pair = self.take(names)?;
        let flag = truth(&pair.value.to_value());
        if flag.is_none() {
            self.mistyped(&pair.key, pair.at, "true or false");
        }
        flag
    }

    /// A list of texts: an array (of maps their `name`), or one text with commas.
    pub(super) fn list(&mut self, names: &[&str]) -> Vec<String> {
        self.take(names).map_or_else(Vec::new, |pair| self.as_list(&pair))
    }

    /// The list of a pair already taken.
    pub(super) fn as_list(&mut self, pair: &Pair) -> Vec<String> {
        match &pair.value.kind {
            Kind::List(items) => {
                let texts: Vec<String> = items.iter().filter_map(item_text).collect();
                if texts.len() < items.len() {
                    self.items_mistyped(&pair.key, pair.at, "a list of texts");
                }
                texts
            }
            Kind::Scalar(Value::String(text)) => {
                text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
            }
            Kind::Scalar(_) => pair.value.text().map(Cow::into_owned).into_iter().collect(),
            Kind::Map(_) => {
                self.mistyped(&pair.key, pair.at, "a list of texts");
                Vec::new()
            }
        }
    }

    /// The pairs of a map, or of a text that holds one as JSON.
    pub(super) fn as_map(&mut self, pair: &Pair) -> Vec<Pair> {
        unfolded(&pair.value).unwrap_or_else(|| {
            if is_nothing(&pair.value) {
                return Vec::new();
            }
            self.mistyped(&pair.key, pair.at, "a map");
            Vec::new()
        })
    }

    /// Says that a field holds something else than it should.
    pub(super) fn mistyped(&mut self, key: &str, at: Place, wanted: &str) {
        self.left_out(key, at, format!("{key} should be {wanted}; it was left out"));
    }

    /// Says that a list holds something else besides what it should.
    pub(super) fn items_mistyped(&mut self, key: &str, at: Place, wanted: &str) {
        self.left_out(key, at, format!("{key} should be {wanted}; items of another kind were left out"));
    }

    fn left_out(&mut self, key: &str, at: Place, message: String) {
        self.refused.insert(key.to_owned());
        let line = self.frontmatter.line(at.line);
        let said = Diagnostic::new(&FRONTMATTER_TYPE, message);
        self.found.push(said.at(at.line, at.column, at.column + at.length, line));
    }

    /// Says that `metadata` is no map; `GitHub:me` below it is a text to YAML, for want of a blank.
    fn no_map(&mut self, pair: &Pair) {
        let Place { line, column, length } = pair.value.at;
        let text = self.frontmatter.line(line);
        match spaced(text) {
            Some((colon, fixed)) if line > pair.at.line => {
                let at = text[..colon].chars().count() as u32 + 1;
                let said = Diagnostic::new(&FRONTMATTER_COLON, "no blank after the colon: a text, not a key");
                self.found.push(said.at(line, at, at + 1, text).fix(fixed));
            }
            _ => {
                let message = "metadata should be a map; it was left out";
                self.found.push(Diagnostic::new(&FRONTMATTER_TYPE, message).at(
                    line,
                    column,
                    column + length,
                    text,
                ));
            }
        }
    }

    /// Puts a finding at the opening fence.
    pub(super) fn at_fence(&self, said: Diagnostic) -> Diagnostic {
        let line = self.frontmatter.fence_line();
        said.at(line, 1, 1, self.frontmatter.line(line))
    }

    /// The text of a line of the file.
    pub(super) fn line(&self, number: u32) -> &'a str {
        self.frontmatter.line(number)
    }

    /// The pairs of the block and whether a field took each.
    pub(super) fn block(&self) -> impl Iterator<Item = (&Pair, bool)> {
        self.sources[0].iter().map(|pair| (pair, self.taken.contains(&(0, pair.key.clone()))))
    }

    /// The top-level pairs that no field took, `metadata` left aside.
    pub(super) fn unknown_at_top(&self) -> impl Iterator<Item = &Pair> {
        let unknown = |pair: &&Pair| pair.key != "metadata" && !self.taken.contains(&(2, pair.key.clone()));
        self.sources[2].iter().filter(unknown)
    }

    /// Everything that no field took or could use, in the order of the file.
    pub(super) fn unknown(&self) -> Map<String, Value> {
        let rest = |source: usize| -> Map<String, Value> {
            let mut map = to_written_map(&self.sources[source]);
            map.retain(|key, _| !self.taken.contains(&(source, key.clone())) || self.refused.contains(key));
            map
        };
        let mut unknown = rest(2);
        let mut metadata = rest(1);
        if let Some(block) = self.block {
            match rest(0) {
                rest if rest.is_empty() => _ = metadata.shift_remove(block),
                rest => _ = metadata.insert(block.to_owned(), Value::Object(rest)),
            }
        }
        if !metadata.is_empty() {
            unknown.insert("metadata".to_owned(), Value::Object(metadata));
        } else if !self.sources[1].is_empty() {
            unknown.shift_remove("metadata");
        }
        unknown
    }
}

/// The truth value of a scalar.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        Value::Number(number) => match number.as_u64() {
            Some(1) => Some(true),
            Some(0) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The pairs of a map, or of a text that holds a map as JSON or JSON5.
pub(super) fn unfolded(node: &Node) -> Option<Vec<Pair>> {
    match node.to_value() {
        Value::Object(_) => Some(node.pairs().to_vec()),
        Value::String(text) if text.trim_start().starts_with('{') => {
            let map = json5::parse(&text).filter(Value::is_object)?;
            let pairs = Node::from_value(map, node.at).into_pairs();
            Budget::new().pairs(&pairs).ok()?;
            Some(pairs)
        }
        _ => None,
    }
}

fn is_null(node: &Node) -> bool {
    matches!(node.kind, Kind::Scalar(Value::Null))
}

/// Null, a blank text or an empty list: nobody meant to say anything by it.
fn is_nothing(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar(Value::String(text)) => text.trim().is_empty(),
        Kind::Scalar(value) => value.is_null(),
        Kind::List(items) => items.is_empty(),
        Kind::Map(_) => false,
    }
}

/// A list item as text: a scalar as it is written, or the `name` of a map.
fn item_text(item: &Node) -> Option<String> {
    let text = match &item.kind {
        Kind::Map(_) => item.get("name")?.value.text()?,
        _ => item.text()?,
    };
    Some(text.trim().to_owned())
}
