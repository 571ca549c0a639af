use crate::entropy::EntropyError;

/// Why a query did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No room to write; reading goes on.
    #[error("the disk of the database is full")]
    Full,
    /// Another writer held the database for too long, or two transactions met.
    #[error("the database is busy")]
    Busy(#[source] sqlx::Error),
    /// A row holds what this program never writes.
    #[error("column {column} holds `{text}`, which is not what is kept there")]
    Unreadable {
        /// The column.
        column: &'static str,
        /// What it holds.
        text: String,
    },
    /// The machine gave no random bytes for a new row's id.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// Everything else: lost connections, broken constraints.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        match code.as_deref() {
            // SQLite: FULL, IOERR_SHMSIZE; Postgres: disk_full
            Some("13" | "4874" | "53100") => Self::Full,
            // SQLite: BUSY, BUSY_RECOVERY, BUSY_SNAPSHOT; Postgres: serialization_failure, deadlock_detected
            Some("5" | "261" | "517" | "40001" | "40P01") => Self::Busy(error),
            _ if matches!(error, sqlx::Error::PoolTimedOut) => Self::Busy(error),
            _ => Self::Database(error),
        }
    }
}
