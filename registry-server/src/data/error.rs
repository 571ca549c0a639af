use std::io;
use std::path::PathBuf;

use skill_core::digest::RegistryId;
use skill_trust::Role;
use skill_trust::key::KeyFileError;
use skill_trust::root::RootError;

use crate::entropy::EntropyError;
use crate::store::{OpenError, StoreError};
use crate::works::WorksError;

/// Why a data folder cannot be opened or made.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file or folder that cannot be read or written; the error names it.
    #[error("cannot use the data folder")]
    Io(#[from] io::Error),
    /// Blobs or search cannot be set up.
    #[error(transparent)]
    Works(#[from] WorksError),
    /// Another server runs on it.
    #[error("another skill-registry serves {}", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// Nothing was made here yet, and this command makes nothing.
    #[error("{} holds no registry", folder.display())]
    NotMade {
        /// The folder.
        folder: PathBuf,
    },
    /// A key that others on this machine may read.
    #[error("{} may be read by others (mode {mode:03o})", path.display())]
    KeyExposed {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A key file that is not one.
    #[error("{} is not a key", path.display())]
    KeyUnreadable {
        /// The key file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: KeyFileError,
    },
    /// The key of the pages, when it is not one.
    #[error("{} is not the key of the pages", path.display())]
    WebKeyUnreadable {
        /// The key file.
        path: PathBuf,
    },
    /// A key file under another role's name.
    #[error("{} holds the key of role {found}", path.display())]
    KeyMisplaced {
        /// The key file.
        path: PathBuf,
        /// Whose key it holds.
        found: Role,
    },
    /// An online key that is needed to serve.
    #[error("the key of role {role} is missing: {}", path.display())]
    KeyMissing {
        /// The role.
        role: Role,
        /// Where it should be.
        path: PathBuf,
    },
    /// A key that the root does not give this role.
    #[error("the key of role {role} is not the one that the root metadata names")]
    KeyNotInRoot {
        /// The role.
        role: Role,
    },
    /// The root metadata does not verify.
    #[error("the root metadata does not verify")]
    Root(#[from] RootError),
    /// The folder and the database belong to different registries.
    #[error("the folder belongs to registry {folder}, the database to {database}")]
    OtherRegistry {
        /// The folder's, by its root metadata.
        folder: RegistryId,
        /// The database's.
        database: RegistryId,
    },
    /// The database belongs to a registry whose keys are not in the folder.
    #[error("the database belongs to registry {database}, whose root metadata and keys are not in {}", folder.display())]
    RootLost {
        /// The database's.
        database: RegistryId,
        /// The folder.
        folder: PathBuf,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The machine gave no random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}
