use jiff::Timestamp;
use skill_core::digest::{RegistryId, Sha256};

use crate::dsse::{EnvelopeError, SignatureError};
use crate::key::KeyId;
use crate::role::Role;

/// Why a chain of root metadata is not believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// There is no root metadata at all.
    #[error("no root metadata")]
    Absent,
    /// Version 1 belongs to another registry.
    #[error("registry {expected} was expected, this is the root of {found}")]
    OtherRegistry {
        /// The pinned id.
        expected: RegistryId,
        /// The id of what was read.
        found: RegistryId,
    },
    /// More versions than anyone walks.
    #[error("{count} versions of root metadata, at most {limit} are read")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many are read.
        limit: usize,
    },
    /// One version is bigger than root metadata gets.
    #[error("root version {version} has {bytes} bytes, at most {limit} are read")]
    TooLarge {
        /// Which version, counted from 1 by its place.
        version: u64,
        /// Its size.
        bytes: usize,
        /// What is read.
        limit: usize,
    },
    /// One version is no signed root metadata.
    #[error("root version {version}: {error}")]
    Envelope {
        /// Which version, counted from 1 by its place.
        version: u64,
        /// What is wrong.
        error: EnvelopeError,
    },
    /// The envelope holds something else.
    #[error("root version {version}: the payload type is `{found}`")]
    PayloadType {
        /// Which version, counted from 1 by its place.
        version: u64,
        /// What was read.
        found: String,
    },
    /// The content breaks a rule of its own.
    #[error("root version {version}: {reason}")]
    Invalid {
        /// Which version, counted from 1 by its place.
        version: u64,
        /// Which rule.
        reason: InvalidRoot,
    },
    /// A version is missing, repeated or misplaced.
    #[error("root version {expected} was expected, version {found} stands there")]
    Sequence {
        /// What belongs there.
        expected: u64,
        /// What stands there.
        found: u64,
    },
    /// A version claims to be older than the one before it.
    #[error("root version {version} was made at {created_at}, before version {before} at {previous}")]
    Backdated {
        /// The younger version.
        version: u64,
        /// What it says.
        created_at: Timestamp,
        /// The version before it.
        before: u64,
        /// What that one says.
        previous: Timestamp,
    },
    /// A signature on a version is wrong.
    #[error("root version {version}: {error}")]
    Signature {
        /// Which version.
        version: u64,
        /// What is wrong.
        error: SignatureError,
    },
    /// A version carries a signature of a key that may not sign it.
    #[error("root version {version} is signed by {key}, which is no root key of it or of the version before")]
    Stranger {
        /// Which version.
        version: u64,
        /// The key.
        key: KeyId,
    },
    /// Too few of a version's own root keys signed it.
    #[error("root version {version} has {found} of {threshold} signatures by its own root keys")]
    OwnThreshold {
        /// Which version.
        version: u64,
        /// How many keys signed.
        found: u32,
        /// How many must.
        threshold: u32,
    },
    /// Too few of the previous version's root keys signed it.
    #[error("root version {version} has {found} of {threshold} signatures by the root keys before it")]
    PreviousThreshold {
        /// Which version.
        version: u64,
        /// How many keys signed.
        found: u32,
        /// How many must.
        threshold: u32,
    },
    /// Two different roots carry one number.
    #[error("two roots carry version {version}: {known} was seen before, now {found}")]
    Fork {
        /// Which version.
        version: u64,
        /// SHA-256 of the one that was seen before.
        known: Sha256,
        /// SHA-256 of the other.
        found: Sha256,
    },
    /// A chain ends before one that was seen.
    #[error("the chain ends at version {found}, version {known} was seen before")]
    Rollback {
        /// The newest version that was seen before.
        known: u64,
        /// The newest version now.
        found: u64,
    },
    /// The newest root has ended. Only what would install something new may say so.
    #[error("root version {version} expired at {expires_at}")]
    Expired {
        /// The newest version.
        version: u64,
        /// When it ended.
        expires_at: Timestamp,
    },
}

impl RootError {
    /// The stable code of the error (cli-style part 3).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Absent => "root-chain-absent",
            Self::OtherRegistry { .. } => "registry-id-changed",
            Self::Fork { .. } => "root-fork",
            Self::Rollback { .. } => "root-rollback",
            Self::Expired { .. } => "root-expired",
            _ => "root-chain-broken",
        }
    }

    /// The check of `verify` that it fails (cli-style part 4).
    pub const fn check(&self) -> &'static str {
        match self {
            Self::Absent => "root-absent",
            Self::OtherRegistry { .. } => "root-id",
            Self::Fork { .. } => "root-fork",
            Self::Expired { .. } => "root-expired",
            _ => "root-chain",
        }
    }
}

/// Which rule the content of one root breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRoot {
    /// Not JSON of the root's shape; an unknown key, a key twice, a weak public key.
    #[error("not root metadata: {0}")]
    Shape(String),
    /// Another schema.
    #[error("the schema is `{found}`")]
    Schema {
        /// What was read.
        found: String,
    },
    /// It ends before it begins.
    #[error("it expires at {expires_at}, before it was made at {created_at}")]
    ExpiresBeforeCreated {
        /// When it was made.
        created_at: Timestamp,
        /// When it ends.
        expires_at: Timestamp,
    },
    /// It lives longer than its custody allows.
    #[error("it lives until {expires_at}, a root in this custody may live until {latest}")]
    LivesTooLong {
        /// When it ends.
        expires_at: Timestamp,
        /// The latest end.
        latest: Timestamp,
    },
    /// Timestamp notes would never, or practically never, lapse.
    #[error("a timestamp validity of {seconds} seconds is not within {least} and {most}")]
    TimestampValidity {
        /// What was read.
        seconds: u64,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A key stands under an id that is not its own.
    #[error("key {listed} has the id {actual}")]
    KeyId {
        /// Where it stands.
        listed: KeyId,
        /// Its id.
        actual: KeyId,
    },
    /// A role is missing.
    #[error("role {role} is missing")]
    RoleMissing {
        /// Which.
        role: Role,
    },
    /// A role names a key that is not listed.
    #[error("role {role} names key {key}, which is not listed")]
    KeyMissing {
        /// Which role.
        role: Role,
        /// Which key.
        key: KeyId,
    },
    /// A key is listed that no role uses.
    #[error("key {key} serves no role")]
    KeyUnused {
        /// Which key.
        key: KeyId,
    },
    /// A key serves two roles, or one role twice.
    #[error("key {key} serves {first} and {second}")]
    KeyShared {
        /// Which key.
        key: KeyId,
        /// The one role.
        first: Role,
        /// The other; the same if it is listed there twice.
        second: Role,
    },
    /// A range ends before it begins.
    #[error("role {role}: the range of key {key} is {from} to {until}")]
    RangeReversed {
        /// Which role.
        role: Role,
        /// Which key.
        key: KeyId,
        /// The first leaf.
        from: u64,
        /// The last leaf.
        until: u64,
    },
    /// A root key has a range. Root metadata is no leaf: its keys are listed or not.
    #[error("root key {key} has a range of leaves")]
    RootRange {
        /// Which key.
        key: KeyId,
    },
    /// An online role has no key in use, or several, or a threshold other than 1.
    #[error("role {role} has {open} keys in use and threshold {threshold}, an online role has one of each")]
    OnlineRole {
        /// Which role.
        role: Role,
        /// How many keys have an open range.
        open: usize,
        /// Its threshold.
        threshold: u32,
    },
    /// A threshold that is zero or that the keys in use cannot meet.
    #[error("role {role} asks for {threshold} of {open} keys")]
    Threshold {
        /// Which role.
        role: Role,
        /// Its threshold.
        threshold: u32,
        /// How many keys have an open range.
        open: usize,
    },
}

/// Why a key does not count for a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RootKeyError {
    /// No role has it.
    #[error("key {key} is not in the root")]
    Unknown {
        /// Which key.
        key: KeyId,
    },
    /// Another role has it.
    #[error("key {key} serves role {actual}, role {needed} is needed")]
    OtherRole {
        /// Which key.
        key: KeyId,
        /// The role that was needed.
        needed: Role,
        /// The role that it serves.
        actual: Role,
    },
    /// The leaf lies outside its range.
    #[error("leaf {log_index} is outside the range of key {key}")]
    OutOfRange {
        /// Which key.
        key: KeyId,
        /// The leaf.
        log_index: u64,
        /// The first leaf of the range.
        from: u64,
        /// The last leaf of the range.
        until: Option<u64>,
    },
}
