//! Why a text is no requirement.

/// A text that does not read as a requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` does not read as a requirement: {reason}")]
pub struct RequirementError {
    /// What was read.
    pub text: String,
    /// Where reading stopped: the column in characters, from 1.
    pub at: usize,
    /// Why it stopped there.
    pub reason: RequirementReason,
}

impl RequirementError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        "requirement-unreadable"
    }
}

/// Why reading a requirement stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequirementReason {
    /// Nothing but blanks.
    #[error("it is empty, and `*` stands for any release")]
    Empty,
    /// `||` is not part of the grammar.
    #[error("`||` is not supported, one range is written like `>=1.2 <2`")]
    Alternative,
    /// `1.2 - 1.4` is not part of the grammar.
    #[error("a range with a hyphen is not supported, it is written like `>=1.2 <=1.4`")]
    HyphenRange,
    /// Something that begins no comparator.
    #[error("what is accepted here is a number, `^`, `~`, `=`, a range like `>=1.2 <2`, or `*`")]
    Start,
    /// Something else than a digit where a number has to stand.
    #[error("a number has to stand here")]
    Number,
    /// `01`: semver has no leading zeros.
    #[error("a number has no leading zero")]
    LeadingZero,
    /// A number above 2^64 - 1.
    #[error("the number is too large")]
    TooLarge,
    /// `^3.x`, `>=1.x`: a place holder after an operator.
    #[error("`x` and `*` take no operator")]
    WildcardOperator,
    /// `1.x.3`: a number after a place holder.
    #[error("after `x` or `*` only further ones can stand")]
    AfterWildcard,
    /// `* <2`: any release, and a further condition.
    #[error("`*` stands alone")]
    StarNotAlone,
    /// `1.2-beta`: a pre-release of a number that is not whole.
    #[error("a pre-release follows a whole MAJOR.MINOR.PATCH only")]
    PartialPrerelease,
    /// A pre-release part that semver does not know.
    #[error("a pre-release is made of parts of 0-9, A-Z, a-z and -, with dots between")]
    Prerelease,
    /// `1.2.3+build`.
    #[error("versions have no +build part")]
    Build,
    /// A comma with nothing after or before it.
    #[error("a comparator is missing beside the comma")]
    Comma,
    /// More comparators than anybody needs.
    #[error("more than {} comparators", super::parse::MAX_COMPARATORS)]
    TooMany,
    /// A longer text than anybody needs.
    #[error("longer than {} characters", super::parse::MAX_LENGTH)]
    TooLong,
}
