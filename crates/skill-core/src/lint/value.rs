//! Where a text stands inside the value of a key.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::frontmatter::node::Pair;
pub(super) use crate::frontmatter::node::folded;

use super::{Skill, words};

impl Skill<'_> {
    /// Puts a finding at the first place in a key's value that `find` finds (bytes of the line in lower case), at the
    /// key where there is none.
    pub(super) fn in_value(
        &self,
        said: Diagnostic,
        pair: &Pair,
        find: impl Fn(&str) -> Option<std::ops::Range<usize>>,
    ) -> Diagnostic {
        for number in pair.at.line..self.frontmatter.body_line {
            let line = self.frontmatter.line(number);
            let is_key = number > pair.at.line && !line.starts_with([' ', '\t', '-']) && line.contains(':');
            if is_key || number > pair.at.line && line.trim_end() == "---" {
                break;
            }
            let from = if number == pair.at.line { pair.at.column + pair.at.length } else { 1 };
            let lower = line.to_ascii_lowercase();
            let skipped: usize = line.chars().take(from as usize - 1).map(char::len_utf8).sum();
            // The mark of a folded text is none of it.
            let value = lower[skipped..].trim_start_matches([':', ' ']);
            let mark = usize::from(number == pair.at.line && value.starts_with('>'));
            let start = lower.len() - value.len() + mark;
            if let Some(range) = find(&lower[start..]) {
                let (from, to) = words::columns(line, start + range.start..start + range.end);
                return said.at(number, from, to, line);
            }
        }
        self.at_key(said, Some(pair))
    }
}

/// The first pair with a key, wherever in the frontmatter it stands; keys are compared without case, hyphens and
/// underscores.
pub(super) fn pair_named<'a>(pairs: &'a [Pair], name: &str) -> Option<&'a Pair> {
    let wanted = folded(name);
    let find = |pair: &'a Pair| {
        if folded(&pair.key) == wanted { Some(pair) } else { pair_named(pair.value.pairs(), name) }
    };
    pairs.iter().find_map(find)
}

/// Every pair by its key as `pair_named` compares keys, where many are looked for.
pub(super) fn by_name(pairs: &[Pair]) -> HashMap<String, &Pair> {
    let mut found = HashMap::new();
    let mut open: Vec<&Pair> = pairs.iter().rev().collect();
    while let Some(pair) = open.pop() {
        found.entry(folded(&pair.key)).or_insert(pair);
        open.extend(pair.value.pairs().iter().rev());
    }
    found
}
