use skill_core::digest::RegistryId;
use skill_trust::RootError;

use super::{Expectation, PinsError};
use crate::client::ClientError;
use crate::workdir::io_code;

/// Why a registry could not be met.
#[derive(Debug, thiserror::Error)]
pub enum ContactError {
    /// Another registry answers at the address.
    #[error("{url} is another registry now")]
    Changed {
        /// Where.
        url: String,
        /// Which one was expected.
        expected: Expectation,
        /// Which one answers.
        found: RegistryId,
    },
    /// The root that is served is not the one that the registry names itself by.
    #[error("the root of {url} is not the one that it names itself by")]
    OtherRoot {
        /// Where.
        url: String,
        /// The id it claims.
        says: RegistryId,
        /// The id of what it serves.
        found: RegistryId,
    },
    /// Nobody knows it, and this command may not make its acquaintance.
    #[error("nothing here names the registry at {url}")]
    Unknown {
        /// Where.
        url: String,
    },
    /// The root chain does not hold.
    #[error(transparent)]
    Root(#[from] RootError),
    /// No usable answer.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The pins cannot be read or written.
    #[error(transparent)]
    Pins(#[from] PinsError),
}

impl ContactError {
    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::Changed { .. } => "registry-id-changed",
            Self::OtherRoot { .. } => "root-chain-broken",
            Self::Unknown { .. } => "lock-registry-unknown",
            Self::Root(error) => error.code(),
            Self::Client(error) => error.code(),
            Self::Pins(error) => io_code(&error.error),
        }
    }
}
