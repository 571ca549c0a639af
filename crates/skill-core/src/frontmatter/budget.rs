//! How much one frontmatter may hold. What an alias stands for counts as if written out, so that neither
//! nine lines of aliases nor one long text with many of them grow beyond it.

use super::node::{Kind, Node, Pair};

/// That a limit is passed; which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit(pub(crate) &'static str);

/// What is left.
#[derive(Debug)]
pub(crate) struct Budget {
    values: usize,
    bytes: usize,
    aliases: usize,
    anchors: usize,
    /// Values that aliases and anchors may copy.
    copied: usize,
}

impl Budget {
    /// How deep lists and maps may stand in each other.
    pub(super) const DEPTH: usize = 32;

    pub(crate) fn new() -> Self {
        Self { values: 10_000, bytes: 1 << 20, aliases: 200, anchors: 200, copied: 5_000 }
    }

    /// One value more, at a depth.
    pub(super) fn value(&mut self, depth: usize) -> Result<(), &'static str> {
        if depth > Self::DEPTH {
            return Err("depth of nesting");
        }
        spend(&mut self.values, 1, "number of values")
    }

    /// The bytes of one text more.
    pub(super) fn bytes(&mut self, bytes: usize) -> Result<(), &'static str> {
        spend(&mut self.bytes, bytes, "bytes of text")
    }

    /// Everything in a map, read before: by the YAML parser within limits of its own, or as JSON.
    pub(crate) fn pairs(&mut self, pairs: &[Pair]) -> Result<(), Limit> {
        self.map(pairs, 1).map_err(Limit)
    }

    fn map(&mut self, pairs: &[Pair], depth: usize) -> Result<(), &'static str> {
        for pair in pairs {
            self.value(depth)?;
            self.bytes(pair.key.len())?;
            self.node(&pair.value, depth)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node, depth: usize) -> Result<(), &'static str> {
        self.value(depth)?;
        match &node.kind {
            Kind::Scalar(value) => self.bytes(value.as_str().map_or(0, str::len)),
            Kind::List(items) => items.iter().try_for_each(|item| self.node(item, depth + 1)),
            Kind::Map(pairs) => self.map(pairs, depth + 1),
        }
    }

    /// One alias more, and a copy of what it stands for.
    pub(super) fn alias(&mut self, target: &Node) -> Result<(), &'static str> {
        spend(&mut self.aliases, 1, "aliases")?;
        self.copy(target, "aliases")
    }

    /// One anchor more, and a copy of what it marks.
    pub(super) fn anchor(&mut self, target: &Node) -> Result<(), &'static str> {
        spend(&mut self.anchors, 1, "anchors")?;
        self.copy(target, "anchors")
    }

    fn copy(&mut self, target: &Node, limit: &'static str) -> Result<(), &'static str> {
        let (values, bytes) = weight(target);
        spend(&mut self.copied, values, limit)?;
        spend(&mut self.bytes, bytes, "bytes of text")
    }
}

fn spend(left: &mut usize, amount: usize, limit: &'static str) -> Result<(), &'static str> {
    *left = left.checked_sub(amount).ok_or(limit)?;
    Ok(())
}

/// How many bytes all attempts at a repair together may still copy and parse.
#[derive(Debug)]
pub(super) struct Work(usize);

impl Work {
    pub(super) fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Takes an attempt of so many lines and bytes into account. That the work is done is an error and no
    /// failed attempt: the next one would be as dear.
    pub(super) fn attempt(&mut self, lines: usize, bytes: usize) -> Result<(), Limit> {
        /// What a line costs beyond its bytes.
        const LINE: usize = 16;
        spend(&mut self.0, (bytes + LINE * lines).max(64), "work of repairing it").map_err(Limit)
    }
}

/// How many values a value is, and how many bytes of text.
fn weight(node: &Node) -> (usize, usize) {
    let sum = |one: (usize, usize), other: (usize, usize)| (one.0 + other.0, one.1 + other.1);
    match &node.kind {
        Kind::Scalar(value) => (1, value.as_str().map_or(0, str::len)),
        Kind::List(items) => items.iter().map(weight).fold((1, 0), sum),
        Kind::Map(pairs) => {
            pairs.iter().map(|pair| sum(weight(&pair.value), (1, pair.key.len()))).fold((1, 0), sum)
        }
    }
}
