use std::io;
use std::path::PathBuf;

/// Why a bundle could not be written to disk, or a folder not be read from it.
///
/// A write that fails takes away again what it wrote.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// No room left, or the user's quota is used up.
    #[error("no room left on the disk while writing {}", path.display())]
    Full {
        /// What was written.
        path: PathBuf,
    },
    /// The system does not allow it.
    #[error("no permission for {}", path.display())]
    Denied {
        /// What was written or read.
        path: PathBuf,
    },
    /// There is nothing at this path.
    #[error("there is nothing at {}", path.display())]
    Absent {
        /// What was to be read.
        path: PathBuf,
    },
    /// The folder of a skill is a file or a link.
    #[error("{} is {kind}, not a folder", path.display())]
    NotAFolder {
        /// Which.
        path: PathBuf,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// Anything else that the system says.
    #[error("cannot access {}: {error}", path.display())]
    Io {
        /// What was written or read.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl DiskError {
    /// Sorts what the system said.
    pub(super) fn new(path: impl Into<PathBuf>, error: impl Into<io::Error>) -> Self {
        let (path, error) = (path.into(), error.into());
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::Denied { path },
            io::ErrorKind::NotFound => Self::Absent { path },
            _ => Self::Io { path, error },
        }
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Full { .. } => "disk-full",
            Self::Denied { .. } => "disk-denied",
            Self::Absent { .. } | Self::NotAFolder { .. } => "disk-absent",
            Self::Io { .. } => "disk-io",
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn what_the_system_says_has_a_code() {
        for (errno, code) in [
            (Errno::NOSPC, "disk-full"),
            (Errno::DQUOT, "disk-full"),
            (Errno::ACCESS, "disk-denied"),
            (Errno::PERM, "disk-denied"),
            (Errno::ROFS, "disk-denied"),
            (Errno::NOENT, "disk-absent"),
            (Errno::IO, "disk-io"),
        ] {
            assert_eq!(DiskError::new("x", errno).code(), code, "{errno}");
        }
    }
}
