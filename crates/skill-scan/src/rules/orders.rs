//! Sentences of a page that send the agent to a block of code elsewhere on it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use regex::Regex;

use super::mention::{head, shows};
use crate::comments::Comments;
use crate::file::SourceFile;
use crate::layout::{Place, lines};
use crate::units::{Unit, units};
use crate::work::Work;

/// A sentence that has something run, up to its end; with what turns it round.
#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static RUNS: LazyLock<Regex> = LazyLock::new(|| {
    let verb = "(?:run|execut(?:e|ing)|paste|perform|carry out|launch|follow|enter|type)";
    let not = "(?:never|not|don['’]t|avoid|refuse to|without)(?:\\s+(?:ever|just|blindly|simply))?\\s+";
    Regex::new(&format!(r"(?i)(?P<not>{not})?\b{verb}\b(?P<what>[^.!?]{{0,160}})"))
        .expect("the expression reads")
});

#[expect(clippy::expect_used, reason = "the expression is part of the program, and tests use it")]
static ABOVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:above|preceding|previous|earlier)\b").expect("the expression reads")
});

/// The shortest heading that a sentence can name.
const SHORTEST_TITLE: usize = 4;
/// How much of a heading is read.
const LONGEST_TITLE: usize = 160;

/// What the sentences of a page send the agent to.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// The last line that sends back to what is above it.
    back_from: u32,
    /// Headings, of those that show what not to do, that are named.
    titles: BTreeSet<String>,
}

impl Orders {
    pub(super) fn of(file: &SourceFile<'_>, work: &mut Work) -> Self {
        let mut orders = Self::default();
        let text = file.text();
        if !file.is_page() || !work.take(text.len()) {
            return orders;
        }
        let titles: BTreeSet<String> = lines(file.manner(), text)
            .filter(|line| line.place == Place::Prose && shows(line.text))
            .map(|line| title(line.text))
            .filter(|title| title.len() >= SHORTEST_TITLE)
            .collect();
        if titles.is_empty() {
            return orders;
        }
        let named = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(&titles)
            .ok();
        let titles: Vec<String> = titles.into_iter().collect();
        for unit in units(lines(file.manner(), text), &Comments::default()) {
            let prose = unit.place != Place::Code && !unit.raw.trim_start().starts_with('#');
            for order in RUNS.captures_iter(&unit.raw).filter(|order| prose && order.name("not").is_none()) {
                let Some(what) = order.name("what") else { continue };
                if ABOVE.is_match(what.as_str()) {
                    orders.back_from = unit.line_at(what.start());
                }
                let found = named.iter().flat_map(|named| named.find_iter(what.as_str()));
                orders.titles.extend(found.map(|found| titles[found.pattern().as_usize()].clone()));
            }
        }
        orders
    }

    /// Whether a sentence sends to the block that `unit` is in.
    pub(super) fn reach(&self, unit: &Unit<'_>) -> bool {
        let named = || [unit.heading, unit.above].iter().any(|heading| self.titles.contains(&title(heading)));
        self.back_from > unit.line_at(0) || (!self.titles.is_empty() && named())
    }
}

/// The words of a heading.
fn title(heading: &str) -> String {
    let marks: &[char] = &['#', ' ', '\t', '*', '_', '`', ':', '"'];
    head(heading, LONGEST_TITLE).trim_matches(marks).to_lowercase()
}
