//! What is wrong, and what was looked at.

use std::collections::BTreeMap;
use std::fmt;

use crate::store::StoreError;

/// A kind of thing that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Every row of every table can be read.
    Rows,
    /// Counters, and numbers without gaps.
    Numbers,
    /// Each leaf of the log has its statement, of that digest.
    Log,
    /// The chain of root metadata, the keys of the folder, and the signature of every statement.
    Signatures,
    /// The audit log follows from itself.
    Audit,
    /// Users, publishers and their members, tokens.
    Accounts,
    /// Bound, kept and former names.
    Names,
    /// States of releases follow from facts, and `latest` from states.
    States,
    /// Every release has its archive, which is what its digest says.
    Archives,
    /// What the archives hold is what the releases list.
    Contents,
}

impl Family {
    /// Every family, in the order in which they are told.
    pub const ALL: [Self; 10] = [
        Self::Rows,
        Self::Numbers,
        Self::Log,
        Self::Signatures,
        Self::Audit,
        Self::Accounts,
        Self::Names,
        Self::States,
        Self::Archives,
        Self::Contents,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Numbers => "numbers",
            Self::Log => "log",
            Self::Signatures => "signatures",
            Self::Audit => "audit",
            Self::Accounts => "accounts",
            Self::Names => "names",
            Self::States => "states",
            Self::Archives => "archives",
            Self::Contents => "contents",
        }
    }

    /// What is counted in it, one and several.
    pub const fn counted(self) -> [&'static str; 2] {
        match self {
            Self::Rows => ["row read", "rows read"],
            Self::Numbers => ["counter", "counters"],
            Self::Log => ["leaf with its statement", "leaves, each with its statement"],
            Self::Signatures => ["signed statement", "signed statements"],
            Self::Audit => ["row that follows", "rows that follow from each other"],
            Self::Accounts => ["publisher", "publishers"],
            Self::Names => ["name", "names"],
            Self::States => ["release", "releases"],
            Self::Archives => ["archive read whole", "archives read whole"],
            Self::Contents => {
                ["release with the files that it lists", "releases with the files that they list"]
            }
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where it was found.
    pub family: Family,
    /// What it is, in words.
    pub detail: String,
}

/// What a check found.
#[derive(Debug, Default)]
pub struct Report {
    /// What is wrong, in the order in which it was met.
    pub findings: Vec<Finding>,
    /// What is not wrong and worth a word.
    pub notes: Vec<String>,
    /// How much was looked at, by family.
    pub seen: BTreeMap<Family, u64>,
}

impl Report {
    /// Notes that something is wrong.
    pub(super) fn wrong(&mut self, family: Family, detail: impl Into<String>) {
        self.findings.push(Finding { family, detail: detail.into() });
    }

    /// Counts what was looked at.
    pub(super) fn saw(&mut self, family: Family, count: u64) {
        *self.seen.entry(family).or_default() += count;
    }

    /// What was read, or a finding where a row holds what this program never writes. Other errors end the check.
    pub(super) fn readable<T>(
        &mut self,
        family: Family,
        what: &str,
        read: Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(error @ StoreError::Unreadable { .. }) => {
                self.wrong(family, format!("{what}: {error}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
