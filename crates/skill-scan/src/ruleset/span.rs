use serde::Deserialize;

use super::expression::{Expression, Fragments};
use super::{About, RuleError};
use crate::work::Work;

/// A rule about passages that a page does not show.
#[derive(Debug)]
pub(crate) struct SpanRule {
    pub(crate) about: About,
    /// What a passage begins with, and what it says that it must not.
    opens: Vec<Expression>,
    pub(crate) closes: Vec<String>,
    says: Vec<Expression>,
}

/// Such a rule as its file has it.
#[derive(Deserialize)]
pub(super) struct RawSpan {
    #[serde(flatten)]
    about: About,
    opens: Vec<String>,
    closes: Vec<String>,
    says: Vec<String>,
}

impl SpanRule {
    pub(super) fn read(raw: RawSpan, fragments: &Fragments) -> Result<Self, RuleError> {
        let RawSpan { about, closes, opens, says } = raw;
        let opens = Expression::all(&about.id, &opens, fragments)?;
        let says = Expression::all(&about.id, &says, fragments)?;
        Ok(Self { about, opens, closes, says })
    }

    /// Where passages begin: start and end of what opens them.
    pub(crate) fn openings<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        let places = move |opens: &'a Expression| opens.regex().find_iter(text);
        self.opens.iter().flat_map(places).map(|found| (found.start(), found.end()))
    }

    /// What in a passage gives an order.
    pub(crate) fn order<'a>(&self, passage: &'a str, work: &mut Work) -> Option<&'a str> {
        self.says.iter().find_map(|says| {
            let found = if work.take(passage.len()) { says.regex().find(passage) } else { None };
            found.map(|found| found.as_str())
        })
    }

    /// All of its expressions.
    #[cfg(test)]
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.opens.iter().chain(&self.says)
    }
}
