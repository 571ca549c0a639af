use serde::Deserialize;

use super::expression::{Expression, Fragments};
use super::{About, RuleError};
use crate::fold::Folded;
use crate::work::Work;

/// A rule about passages that a page does not show.
#[derive(Debug)]
pub(crate) struct SpanRule {
    pub(crate) about: About,
    passages: Vec<Passage>,
    /// What a passage says that it must not.
    says: Vec<Expression>,
}

/// How one kind of passage begins and ends.
#[derive(Debug)]
struct Passage {
    opens: Expression,
    closes: Vec<String>,
}

/// Where a passage begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening<'a> {
    /// Where what opens it begins, in bytes.
    pub(crate) start: usize,
    /// Where the passage itself does.
    pub(crate) inside: usize,
    pub(crate) closes: &'a [String],
    /// The element whose end ends it.
    pub(crate) element: Option<&'a str>,
}

/// Such a rule as its file has it.
#[derive(Deserialize)]
pub(super) struct RawSpan {
    #[serde(flatten)]
    about: About,
    passages: Vec<RawPassage>,
    says: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPassage {
    opens: String,
    #[serde(default)]
    closes: Vec<String>,
}

impl SpanRule {
    pub(super) fn read(raw: RawSpan, fragments: &Fragments) -> Result<Self, RuleError> {
        let RawSpan { about, passages, says } = raw;
        let passage = |raw: RawPassage| {
            let opens = Expression::read(&about.id, &raw.opens, fragments)?;
            Ok(Passage { opens, closes: raw.closes })
        };
        let passages = passages.into_iter().map(passage).collect::<Result<_, RuleError>>()?;
        let says = Expression::all(&about.id, &says, fragments)?;
        Ok(Self { about, passages, says })
    }

    /// Where passages begin, in the order of the text.
    pub(crate) fn openings<'a>(&'a self, text: &'a str) -> Vec<Opening<'a>> {
        let mut openings: Vec<Opening<'a>> = Vec::new();
        for Passage { opens, closes } in &self.passages {
            openings.extend(opens.regex().captures_iter(text).map(|captures| {
                let whole = captures.get_match();
                let element = captures.name("element").map(|name| name.as_str());
                Opening { start: whole.start(), inside: whole.end(), closes, element }
            }));
        }
        openings.sort_by_key(|opening| (opening.start, opening.inside));
        openings
    }

    /// What in a passage gives an order.
    pub(crate) fn order<'p>(&self, passage: &'p str, work: &mut Work) -> Option<&'p str> {
        if !work.take(passage.len()) {
            return None;
        }
        let folded = Folded::of(passage);
        self.says.iter().find_map(|says| {
            let found = if work.take(folded.text.len()) { says.regex().find(&folded.text) } else { None };
            let (from, to) =
                found.map(|found| (folded.original(found.start()), folded.original(found.end())))?;
            passage.get(from..to.min(passage.len()))
        })
    }

    /// All of its expressions.
    #[cfg(test)]
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.passages.iter().map(|passage| &passage.opens).chain(&self.says)
    }
}
