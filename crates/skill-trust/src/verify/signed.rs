use super::TrustError;
use crate::dsse::Envelope;
use crate::envelope::LoggedStatement;
use crate::predicate::Signer;
use crate::role::Role;
use crate::root::{RootKeyError, TrustedRoot};
use crate::statement::{PAYLOAD_TYPE, Statement, StatementError};

/// Checks one statement by itself: its signatures, the role that made them, the range of each
/// key, and that the content is what its leaf says. The signatures are checked before the
/// content is read.
pub fn open_statement(logged: &LoggedStatement, root: &TrustedRoot) -> Result<Statement, TrustError> {
    let &LoggedStatement { kind, log_index, ref dsse } = logged;
    if dsse.payload_type() != PAYLOAD_TYPE {
        return Err(TrustError::PayloadType { kind, found: dsse.payload_type().to_owned() });
    }
    match kind.signer() {
        Signer::Role(role) => check_role(logged, role, root)?,
        // The author's keys are no part of the root, so there is nothing to hold this against.
        Signer::Author => return Err(TrustError::Unexpected { kind, log_index }),
    }
    let statement = Statement::parse(dsse.payload()).map_err(|error| match error {
        StatementError::Unknown { text } => TrustError::UnknownKind { text },
        error => TrustError::Statement { kind, error },
    })?;
    if statement.kind() != kind {
        return Err(TrustError::OtherKind { listed: kind, actual: statement.kind() });
    }
    Ok(statement)
}

/// Every signature must be right and by a key of `role` in range, and there must be as many as
/// the role's threshold.
fn check_role(logged: &LoggedStatement, role: Role, root: &TrustedRoot) -> Result<(), TrustError> {
    let &LoggedStatement { kind, log_index, ref dsse } = logged;
    for signature in dsse.signatures() {
        let key = root.key(role, signature.key_id, log_index).map_err(|error| match error {
            RootKeyError::Unknown { key } => TrustError::UnknownKey { kind, key },
            RootKeyError::OtherRole { needed, actual, .. } => TrustError::Role { kind, needed, actual },
            RootKeyError::OutOfRange { key, log_index, from, until } => {
                TrustError::KeyOutOfRange { kind, key, log_index, from, until }
            }
        })?;
        dsse.verify(key).map_err(|error| TrustError::Signature { kind, error })?;
    }
    check_threshold(logged, dsse, root.threshold(role))
}

fn check_threshold(logged: &LoggedStatement, dsse: &Envelope, threshold: u32) -> Result<(), TrustError> {
    let found = dsse.signatures().len() as u32;
    if found < threshold {
        return Err(TrustError::Threshold { kind: logged.kind, found, threshold });
    }
    Ok(())
}
