//! What holds for everything that is signed: only the one spelling of a document is read, and it is written
//! back to the byte.

use skill_trust::dsse::Envelope;
use skill_trust::{Root, Statement, TrustEnvelope};

pub(crate) fn check(data: &[u8]) {
    if let Ok(envelope) = Envelope::parse(data) {
        assert_eq!(envelope.to_json(), data);
        // A payload is a document of its own.
        parts(envelope.payload());
    }
    parts(data);
}

fn parts(data: &[u8]) {
    if let Ok(statement) = Statement::parse(data) {
        assert_eq!(Statement::parse(&statement.to_json()).as_ref(), Ok(&statement));
    }
    if let Ok(root) = Root::parse(data) {
        assert_eq!(Root::parse(&root.to_json()).as_ref(), Ok(&root));
    }
    if let Ok(envelope) = TrustEnvelope::parse(data) {
        assert_eq!(envelope.to_json(), data);
        assert!(data.len() <= TrustEnvelope::MAX_BYTES);
    }
}
