//! ClawHub fingerprints, by which `/api/v1/resolve` finds the release that a folder came from.

use skill_core::digest::Sha256;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Over which paths a fingerprint was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FingerprintKind {
    /// The paths that were uploaded, without dotfiles and the skill card.
    Uploaded,
    /// The tree as it is stored.
    Stored,
}

impl FingerprintKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Uploaded => "uploaded",
            Self::Stored => "stored",
        }
    }
}

/// Keeps a fingerprint of a release.
pub async fn insert(
    conn: &mut Conn,
    release_id: &str,
    kind: FingerprintKind,
    sha256: Sha256,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO fingerprints (release_id, kind, sha256) VALUES ($1, $2, $3)")
        .bind(release_id)
        .bind(kind.as_str())
        .bind(sha256.to_hex())
        .execute(conn)
        .await?;
    Ok(())
}

/// The ids of a skill's releases with this fingerprint.
pub async fn releases_with(
    conn: &mut Conn,
    skill_id: &str,
    sha256: Sha256,
) -> Result<Vec<String>, StoreError> {
    sqlx::query(
        "SELECT DISTINCT r.id FROM fingerprints f JOIN releases r ON r.id = f.release_id
         WHERE f.sha256 = $1 AND r.skill_id = $2 ORDER BY r.id",
    )
    .bind(sha256.to_hex())
    .bind(skill_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| row.text("id"))
    .collect()
}
