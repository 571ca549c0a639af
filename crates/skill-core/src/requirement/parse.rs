//! Reads the grammar of requirements, character by character, so that an error has a column.

use semver::{Comparator, Op, Prerelease};

use super::{RequirementError, RequirementReason as Reason};

/// The most comparators one requirement may have.
pub(super) const MAX_COMPARATORS: usize = 16;
/// The most characters a requirement may have.
pub(super) const MAX_LENGTH: usize = 256;

pub(super) struct Parsed {
    /// Empty means any.
    pub(super) comparators: Vec<Comparator>,
    /// Whether a `v` stood before a number.
    pub(super) leading_v: bool,
}

pub(super) fn requirement(text: &str) -> Result<Parsed, RequirementError> {
    let mut reader = Reader { text, at: 0, leading_v: false };
    match reader.comparators() {
        Ok(comparators) => Ok(Parsed { comparators, leading_v: reader.leading_v }),
        Err(reason) => {
            Err(RequirementError { text: text.to_owned(), at: text[..reader.at].chars().count() + 1, reason })
        }
    }
}

/// A text and the byte up to which it was read. After an error `at` is where it lies.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    leading_v: bool,
}

impl<'a> Reader<'a> {
    fn comparators(&mut self) -> Result<Vec<Comparator>, Reason> {
        if self.text.chars().count() > MAX_LENGTH {
            return Err(Reason::TooLong);
        }
        self.blanks();
        if self.rest().is_empty() {
            return Err(Reason::Empty);
        }
        let mut comparators = Vec::new();
        let mut star = None;
        loop {
            let start = self.at;
            match self.comparator()? {
                Some(comparator) => comparators.push(comparator),
                None => star = Some(start),
            }
            let more = self.separator()?;
            if let Some(star) = star
                && (more || !comparators.is_empty())
            {
                self.at = star;
                return Err(Reason::StarNotAlone);
            }
            if !more {
                return Ok(comparators);
            }
            if comparators.len() == MAX_COMPARATORS {
                return Err(Reason::TooMany);
            }
        }
    }

    /// One comparator, or `None` for `*`.
    fn comparator(&mut self) -> Result<Option<Comparator>, Reason> {
        let written = self.operator();
        if written.is_some() {
            self.blanks();
        } else if self.take("*") {
            return Ok(None);
        } else if self.rest().starts_with("||") {
            return Err(Reason::Alternative);
        }
        let marked = self.take("v");
        if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            if marked {
                self.at -= 1;
            }
            let placeholder = self.rest().starts_with(['x', 'X', '*']);
            return Err(match written {
                Some(_) if placeholder => Reason::WildcardOperator,
                Some(_) => Reason::Number,
                None => Reason::Start,
            });
        }
        self.leading_v |= marked;
        let major = self.number()?;
        let (minor, wild) = self.place(written.is_some(), false)?;
        let (patch, wild) = self.place(written.is_some(), wild)?;
        let pre = self.prerelease(patch.is_some())?;
        let op = match written {
            _ if wild => Op::Wildcard,
            // `=1.2` is `1.2.x`.
            Some(Op::Exact) | None if minor.is_some() && patch.is_some() => Op::Exact,
            Some(Op::Exact) => Op::Wildcard,
            Some(op) => op,
            None if minor.is_some() => Op::Tilde,
            None => Op::Caret,
        };
        Ok(Some(Comparator { op, major, minor, patch, pre }))
    }

    fn operator(&mut self) -> Option<Op> {
        [
            (">=", Op::GreaterEq),
            ("<=", Op::LessEq),
            (">", Op::Greater),
            ("<", Op::Less),
            ("=", Op::Exact),
            ("^", Op::Caret),
            ("~", Op::Tilde),
        ]
        .into_iter()
        .find_map(|(sign, op)| self.take(sign).then_some(op))
    }

    /// `.N`, `.x` or nothing. Gives the number, and whether a place holder was read so far.
    fn place(&mut self, operator: bool, wild: bool) -> Result<(Option<u64>, bool), Reason> {
        if !self.take(".") {
            return Ok((None, wild));
        }
        if self.rest().starts_with(['x', 'X', '*']) {
            if operator {
                return Err(Reason::WildcardOperator);
            }
            self.at += 1;
            return Ok((None, true));
        }
        if wild {
            return Err(Reason::AfterWildcard);
        }
        self.number().map(|number| (Some(number), false))
    }

    fn number(&mut self) -> Result<u64, Reason> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.is_empty() {
            return Err(Reason::Number);
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(Reason::LeadingZero);
        }
        let number = digits.parse().map_err(|_| Reason::TooLarge)?;
        self.at += digits.len();
        Ok(number)
    }

    fn prerelease(&mut self, whole: bool) -> Result<Prerelease, Reason> {
        if self.rest().starts_with('+') {
            return Err(Reason::Build);
        }
        if !self.rest().starts_with('-') {
            return Ok(Prerelease::EMPTY);
        }
        if !whole {
            return Err(Reason::PartialPrerelease);
        }
        self.at += 1;
        let rest = self.rest();
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let part = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
        if part.is_empty() {
            return Err(Reason::Prerelease);
        }
        let pre = Prerelease::new(part).map_err(|_| Reason::Prerelease)?;
        self.at += part.len();
        if self.rest().starts_with('+') { Err(Reason::Build) } else { Ok(pre) }
    }

    /// Blanks, one comma among them at most. Whether a further comparator follows.
    fn separator(&mut self) -> Result<bool, Reason> {
        let end = self.at;
        self.blanks();
        let comma = self.take(",");
        self.blanks();
        let rest = self.rest();
        if rest.is_empty() {
            return if comma { Err(Reason::Comma) } else { Ok(false) };
        }
        if rest.starts_with(',') {
            return Err(Reason::Comma);
        }
        if rest.starts_with("||") {
            return Err(Reason::Alternative);
        }
        if rest.starts_with("- ") {
            return Err(Reason::HyphenRange);
        }
        if self.at == end && !rest.starts_with(['<', '>', '=', '^', '~']) {
            return Err(Reason::Number);
        }
        Ok(true)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }
}
