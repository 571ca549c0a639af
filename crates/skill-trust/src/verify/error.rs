use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::version::Version;

use crate::dsse::SignatureError;
use crate::envelope::TrustEnvelopeError;
use crate::key::KeyId;
use crate::predicate::{Kind, Restriction};
use crate::role::Role;
use crate::statement::StatementError;

/// Why a trust envelope does not prove the release that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// The bytes are no trust envelope.
    #[error(transparent)]
    Envelope(#[from] TrustEnvelopeError),
    /// It, or the root at hand, is of another registry.
    #[error("registry {expected} was expected, this is about registry {found}")]
    Registry {
        /// What was expected.
        expected: RegistryId,
        /// What it is about.
        found: RegistryId,
    },
    /// A statement is about another skill.
    #[error("the {kind} statement is about `{found}`, which no signed alias ties to `{expected}`")]
    NameUnrelated {
        /// Which statement.
        kind: Kind,
        /// What was expected.
        expected: SkillName,
        /// What it is about.
        found: SkillName,
    },
    /// One name is claimed, or leads on, twice.
    #[error("two name statements say what `{name}` is, leaves {first} and {second}")]
    NameTwice {
        /// Which name.
        name: SkillName,
        /// The first one's leaf.
        first: u64,
        /// The second one's leaf.
        second: u64,
    },
    /// Aliases that lead in a circle.
    #[error("the aliases from `{name}` lead in a circle")]
    NameCycle {
        /// Where it was begun.
        name: SkillName,
    },
    /// An alias that leads to a name which leads on.
    #[error("`{name}` leads to `{via}`, which leads on: an alias leads straight to the end")]
    NameHops {
        /// From where.
        name: SkillName,
        /// What the alias says.
        via: SkillName,
    },
    /// An alias from one owner to another that the first did not agree to.
    #[error("`{name}` leads to `{target}`, and no signed transfer gives it from the one to the other")]
    NameUnconsented {
        /// From where.
        name: SkillName,
        /// Where to.
        target: SkillName,
    },
    /// A merge, which carries no release to the name that it leads to.
    #[error("`{name}` was merged into `{target}`, whose releases are others")]
    NameMerged {
        /// From where.
        name: SkillName,
        /// Where to.
        target: SkillName,
    },
    /// A statement about an older name, from a time when the skill was no longer called so.
    #[error(
        "the {kind} statement, leaf {log_index}, is about `{name}`, which leads elsewhere since leaf {since}"
    )]
    NameLate {
        /// Which statement.
        kind: Kind,
        /// Its leaf.
        log_index: u64,
        /// The older name.
        name: SkillName,
        /// Leaf of the alias.
        since: u64,
    },
    /// A statement is about another version.
    #[error("the {kind} statement is about version {found}, not {expected}")]
    Version {
        /// Which statement.
        kind: Kind,
        /// What was expected.
        expected: Version,
        /// What it is about.
        found: Version,
    },
    /// Two statements speak of different archives.
    #[error("the {first} statement is about archive {expected}, the {second} statement about {found}")]
    SubjectArchive {
        /// The statement that came first.
        first: Kind,
        /// Its archive.
        expected: Sha256,
        /// The statement that differs.
        second: Kind,
        /// Its archive.
        found: Sha256,
    },
    /// Two statements speak of different trees.
    #[error("the {first} statement is about tree {expected}, the {second} statement about {found}")]
    SubjectTree {
        /// The statement that came first.
        first: Kind,
        /// Its tree.
        expected: TreeDigest,
        /// The statement that differs.
        second: Kind,
        /// Its tree.
        found: TreeDigest,
    },
    /// A statement that is needed is missing.
    #[error("the {kind} statement is missing")]
    Missing {
        /// Which.
        kind: Kind,
    },
    /// A kind of statement that this version does not know.
    #[error("`{text}` is no kind of statement that this version knows")]
    UnknownKind {
        /// What was read.
        text: String,
    },
    /// A known kind of statement that says nothing about a release.
    #[error("a {kind} statement, leaf {log_index}, does not belong into the envelope of a release")]
    Unexpected {
        /// Which kind.
        kind: Kind,
        /// Its leaf.
        log_index: u64,
    },
    /// The envelope says one kind, the signed statement is of another.
    #[error("a {actual} statement is listed as {listed}")]
    OtherKind {
        /// What the envelope says.
        listed: Kind,
        /// What was signed.
        actual: Kind,
    },
    /// What was signed is no in-toto statement.
    #[error("the payload type of the {kind} statement is `{found}`")]
    PayloadType {
        /// Which statement.
        kind: Kind,
        /// What was read.
        found: String,
    },
    /// What was signed breaks a rule of its kind.
    #[error("the {kind} statement: {error}")]
    Statement {
        /// Which statement.
        kind: Kind,
        /// What is wrong.
        error: StatementError,
    },
    /// Two release statements for one version.
    #[error("two release statements for one version, leaves {first} and {second}")]
    ReleaseTwice {
        /// The first one's leaf.
        first: u64,
        /// The second one's leaf.
        second: u64,
    },
    /// No root knows the key.
    #[error("the {kind} statement is signed by key {key}, which is not in the root")]
    UnknownKey {
        /// Which statement.
        kind: Kind,
        /// Which key.
        key: KeyId,
    },
    /// Another role signed.
    #[error("the {kind} statement is signed by role {actual}, it needs role {needed}")]
    Role {
        /// Which statement.
        kind: Kind,
        /// Whose word it is.
        needed: Role,
        /// Who signed.
        actual: Role,
    },
    /// The leaf lies outside the range of the key that signed.
    #[error("the {kind} statement is leaf {log_index}, outside the range of key {key}")]
    KeyOutOfRange {
        /// Which statement.
        kind: Kind,
        /// Which key.
        key: KeyId,
        /// The statement's leaf.
        log_index: u64,
        /// First leaf of the range.
        from: u64,
        /// Last leaf of the range.
        until: Option<u64>,
    },
    /// A signature is wrong.
    #[error("the {kind} statement: {error}")]
    Signature {
        /// Which statement.
        kind: Kind,
        /// What is wrong.
        error: SignatureError,
    },
    /// Too few keys signed.
    #[error("the {kind} statement has {found} of {threshold} signatures")]
    Threshold {
        /// Which statement.
        kind: Kind,
        /// How many signed.
        found: u32,
        /// How many must.
        threshold: u32,
    },
    /// Restrictions do not count upwards.
    #[error("restriction {found} stands after restriction {before}")]
    RestrictionOrder {
        /// The sequence that comes first.
        before: u64,
        /// The sequence that comes after it.
        found: u64,
    },
    /// A restoration lifts what is not in force.
    #[error("restoration {sequence} lifts restriction {lifts}, and none with that number is in force")]
    RestorationTarget {
        /// Sequence of the restoration.
        sequence: u64,
        /// Sequence of what it says that it lifts.
        lifts: u64,
    },
    /// A restoration lifts what only its owner takes back.
    #[error(
        "restoration {sequence} lifts restriction {lifts}, a {action}, which is its owner's to take back"
    )]
    RestorationAction {
        /// Sequence of the restoration.
        sequence: u64,
        /// Sequence of what it says that it lifts.
        lifts: u64,
        /// What that is.
        action: Restriction,
    },
}

impl TrustError {
    /// The stable code of the error (cli-style part 3).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Envelope(TrustEnvelopeError::UnknownKind { .. }) => "statement-unknown",
            Self::Envelope(_) => "envelope-unreadable",
            Self::Registry { .. }
            | Self::NameUnrelated { .. }
            | Self::NameTwice { .. }
            | Self::NameCycle { .. }
            | Self::NameHops { .. }
            | Self::NameUnconsented { .. }
            | Self::NameMerged { .. }
            | Self::NameLate { .. }
            | Self::Version { .. } => "envelope-other",
            Self::SubjectArchive { .. } => "archive-digest",
            Self::SubjectTree { .. } => "tree-digest",
            Self::Missing { .. } => "statement-missing",
            Self::UnknownKind { .. } | Self::Unexpected { .. } => "statement-unknown",
            Self::OtherKind { .. } | Self::PayloadType { .. } | Self::Statement { .. } => {
                "envelope-unreadable"
            }
            Self::ReleaseTwice { .. } => "release-twice",
            Self::UnknownKey { .. } | Self::Signature { .. } | Self::Threshold { .. } => "signature-mismatch",
            Self::Role { .. } => "signature-role",
            Self::KeyOutOfRange { .. } => "key-out-of-range",
            Self::RestrictionOrder { .. } => "restriction-rollback",
            Self::RestorationTarget { .. } | Self::RestorationAction { .. } => "restriction-list",
        }
    }

    /// The check of `verify` that it fails (cli-style part 4).
    pub const fn check(&self) -> &'static str {
        match self {
            Self::Envelope(TrustEnvelopeError::UnknownKind { .. })
            | Self::UnknownKind { .. }
            | Self::Unexpected { .. } => "envelope-unknown-statement",
            Self::Envelope(_)
            | Self::OtherKind { .. }
            | Self::PayloadType { .. }
            | Self::Statement { .. } => "envelope-unreadable",
            Self::NameTwice { .. }
            | Self::NameCycle { .. }
            | Self::NameHops { .. }
            | Self::NameUnconsented { .. }
            | Self::NameMerged { .. }
            | Self::NameLate { .. } => "signature-name",
            Self::Registry { .. }
            | Self::NameUnrelated { .. }
            | Self::Version { .. }
            | Self::SubjectArchive { .. }
            | Self::SubjectTree { .. } => "envelope-subject",
            Self::ReleaseTwice { .. } => "log-release-twice",
            Self::Missing { kind }
            | Self::UnknownKey { kind, .. }
            | Self::Signature { kind, .. }
            | Self::Threshold { kind, .. } => signature_check(*kind),
            Self::Role { .. } => "signature-role",
            Self::KeyOutOfRange { .. } => "signature-key-range",
            Self::RestrictionOrder { .. } => "restriction-rollback",
            Self::RestorationTarget { .. } | Self::RestorationAction { .. } => "restriction-list",
        }
    }
}

/// The row of a signature, by the kind of its statement.
const fn signature_check(kind: Kind) -> &'static str {
    match kind {
        Kind::Release => "signature-release",
        Kind::Scan => "signature-scan",
        Kind::Name => "signature-name",
        Kind::Restriction => "signature-restriction",
        Kind::Restoration => "signature-restoration",
        Kind::Publisher | Kind::PublisherReset => "publisher-signature",
    }
}
