//! The trust envelope: everything a reader needs about one release, in one file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dsse::Envelope;
use crate::leaf::Leaf;
use crate::predicate::Kind;

/// `schema` of a trust envelope, the first key of the file.
pub const SCHEMA: &str = "skill.trust-envelope.v1";

/// The statements about one release, with their places in the log.
///
/// JSON form, compact and in this order:
/// `{"schema":…,"statements":[{"kind":…,"logIndex":…,"dsse":{…}}]}`. Like the DSSE envelopes in
/// it, it has one spelling: a changed byte anywhere is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustEnvelope {
    schema: Schema,
    statements: Vec<LoggedStatement>,
    /// Kept for what proves a statement's place in the log; carried, not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proofs: Option<Value>,
    /// Kept for the log's checkpoint; carried, not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checkpoint: Option<Value>,
    /// Kept for the timestamp note; carried, not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Schema {
    #[serde(rename = "skill.trust-envelope.v1")]
    V1,
}

/// A signed statement and its place in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LoggedStatement {
    /// The kind, as the leaf says it.
    pub kind: Kind,
    /// Number of its leaf.
    pub log_index: u64,
    /// The signed statement.
    pub dsse: Envelope,
}

impl LoggedStatement {
    /// Its leaf.
    pub fn leaf(&self) -> Leaf {
        Leaf::of(self.kind, &self.dsse)
    }
}

/// Why bytes are no trust envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrustEnvelopeError {
    /// More bytes than an envelope may have.
    #[error("the envelope has {bytes} bytes, at most {limit} are read", limit = TrustEnvelope::MAX_BYTES)]
    TooLarge {
        /// How many there are.
        bytes: usize,
    },
    /// Not JSON of the envelope's shape.
    #[error("not a trust envelope: {0}")]
    Shape(String),
    /// A kind of statement that this version does not know.
    #[error("`{text}` is no kind of statement that this version knows")]
    UnknownKind {
        /// What was read.
        text: String,
    },
    /// The right shape, spelt otherwise than it must be.
    #[error("not the canonical spelling of a trust envelope")]
    NonCanonical,
    /// Leaves out of order, or one number twice.
    #[error("leaf {next} stands after leaf {before}")]
    LogOrder {
        /// The leaf that comes first.
        before: u64,
        /// The leaf that comes after it.
        next: u64,
    },
}

impl TrustEnvelope {
    /// The most bytes of an envelope: 8 KiB.
    pub const MAX_BYTES: usize = 8 * 1024;

    /// Joins statements, in ascending order of their leaves.
    pub fn new(statements: Vec<LoggedStatement>) -> Result<Self, TrustEnvelopeError> {
        let envelope =
            Self { schema: Schema::V1, statements, proofs: None, checkpoint: None, timestamp: None };
        envelope.check_order()?;
        let bytes = envelope.to_json().len();
        if bytes > Self::MAX_BYTES {
            return Err(TrustEnvelopeError::TooLarge { bytes });
        }
        Ok(envelope)
    }

    /// Reads the canonical JSON form; any other byte is an error.
    pub fn parse(json: &[u8]) -> Result<Self, TrustEnvelopeError> {
        if json.len() > Self::MAX_BYTES {
            return Err(TrustEnvelopeError::TooLarge { bytes: json.len() });
        }
        let envelope: Self = serde_json::from_slice(json).map_err(|error| {
            unknown_kind(json).unwrap_or_else(|| TrustEnvelopeError::Shape(error.to_string()))
        })?;
        envelope.check_order()?;
        if envelope.to_json() != json {
            return Err(TrustEnvelopeError::NonCanonical);
        }
        Ok(envelope)
    }

    /// The canonical JSON form.
    pub fn to_json(&self) -> Vec<u8> {
        crate::json(self)
    }

    /// The statements in ascending order of their leaves. Not yet checked.
    pub fn statements(&self) -> &[LoggedStatement] {
        &self.statements
    }

    fn check_order(&self) -> Result<(), TrustEnvelopeError> {
        self.statements.windows(2).try_for_each(|pair| match pair {
            [a, b] if a.log_index >= b.log_index => {
                Err(TrustEnvelopeError::LogOrder { before: a.log_index, next: b.log_index })
            }
            _ => Ok(()),
        })
    }
}

/// A newer registry's kind of statement is told from plain damage, so that the reader hears to
/// update.
fn unknown_kind(json: &[u8]) -> Option<TrustEnvelopeError> {
    #[derive(Deserialize)]
    struct Kinds {
        statements: Vec<KindOnly>,
    }
    #[derive(Deserialize)]
    struct KindOnly {
        kind: String,
    }
    let kinds: Kinds = serde_json::from_slice(json).ok()?;
    let text = kinds.statements.into_iter().map(|s| s.kind).find(|kind| kind.parse::<Kind>().is_err())?;
    Some(TrustEnvelopeError::UnknownKind { text })
}
