//! What of the statements about a release its trust envelope holds.

use skill_core::digest::Sha256;
use skill_trust::dsse::Envelope;
use skill_trust::{Kind, LoggedStatement};

use crate::problem::ApiError;
use crate::store::Conn;
use crate::store::log::{self, LoggedStatement as Logged};
use crate::store::restrictions::{self, Entry};

/// The statements that are in force, in the order of the log: what its owner took back is left out, with the taking
/// back. A quarantine or takedown that was lifted stays, with its restoration: it tells a false alarm from a verdict
/// that stands (docs/FORMAT.md, "Trust envelope").
pub(crate) async fn in_force(
    conn: &mut Conn,
    skill_id: &str,
    release_id: &str,
) -> Result<Vec<LoggedStatement>, ApiError> {
    let told: Vec<Sha256> = restrictions::of_skill(conn, skill_id)
        .await?
        .into_iter()
        .filter(|one| one.release_id == release_id)
        .filter(|one| one.is_open() || one.needs_restoration() || one.entry == Entry::Restoration)
        .map(|one| one.statement)
        .collect();
    let mut statements = Vec::new();
    for logged in log::of_release(conn, release_id).await? {
        let statement = self::logged(&logged)?;
        let counts = match statement.kind {
            Kind::Release | Kind::Scan => true,
            Kind::Restriction | Kind::Restoration => told.contains(&logged.sha256),
            _ => false,
        };
        if counts {
            statements.push(statement);
        }
    }
    Ok(statements)
}

/// A statement that is about to be logged, before so many others. Its leaf is not known yet; the number that stands
/// in for it is as long as any can be.
pub(crate) fn pending(kind: Kind, signed: &str, before: u64) -> Result<LoggedStatement, ApiError> {
    let dsse = Envelope::parse(signed.as_bytes()).map_err(ApiError::internal)?;
    Ok(LoggedStatement { kind, log_index: u64::MAX - before, dsse })
}

/// A statement as it is stored, as the trust envelope holds it. Nothing is verified.
pub(crate) fn logged(logged: &Logged) -> Result<LoggedStatement, ApiError> {
    let kind: Kind = logged.kind.parse().map_err(ApiError::internal)?;
    let dsse = Envelope::parse(logged.envelope.as_bytes()).map_err(ApiError::internal)?;
    Ok(LoggedStatement { kind, log_index: logged.log_index, dsse })
}
