//! Leaves of the transparency log (RFC 6962 section 2.1).

use skill_core::digest::Sha256;

use crate::dsse::Envelope;
use crate::predicate::Kind;

/// What one entry of the log says: which kind of statement, and which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// The kind of the statement.
    pub kind: Kind,
    /// SHA-256 of the statement's DSSE envelope.
    pub statement: Sha256,
}

impl Leaf {
    /// The leaf of a signed statement.
    pub fn of(kind: Kind, envelope: &Envelope) -> Self {
        Self { kind, statement: envelope.digest() }
    }

    /// The leaf's data: the kind, a blank, 64 hexadecimal digits, a line feed.
    pub fn data(&self) -> String {
        format!("{} {}\n", self.kind, self.statement)
    }

    /// The leaf's hash in the tree: SHA-256 over a zero byte and the data.
    pub fn hash(&self) -> Sha256 {
        let mut bytes = vec![0];
        bytes.extend_from_slice(self.data().as_bytes());
        Sha256::of(bytes)
    }
}
