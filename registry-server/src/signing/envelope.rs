//! What of the statements about a release its trust envelope holds.

use skill_core::digest::Sha256;
use skill_trust::dsse::Envelope;
use skill_trust::{Kind, LoggedStatement};

use crate::problem::ApiError;
use crate::store::log::{self, LoggedStatement as Logged};
use crate::store::{Conn, restrictions};

/// The statements that are in force, in the order of the log: restrictions that were lifted are left out, with
/// what lifted them.
pub(crate) async fn in_force(
    conn: &mut Conn,
    skill_id: &str,
    release_id: &str,
) -> Result<Vec<LoggedStatement>, ApiError> {
    let open: Vec<Sha256> = restrictions::of_skill(conn, skill_id)
        .await?
        .into_iter()
        .filter(|restriction| restriction.release_id == release_id && restriction.is_open())
        .map(|restriction| restriction.statement)
        .collect();
    let mut statements = Vec::new();
    for logged in log::of_release(conn, release_id).await? {
        let statement = self::logged(&logged)?;
        let counts = match statement.kind {
            Kind::Release | Kind::Scan => true,
            Kind::Restriction => open.contains(&logged.sha256),
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
