use std::io;
use std::path::{Path, PathBuf};

use skill_core::name::Slug;

use super::Workdir;

/// A folder that skills are put into. A link in its place is followed once, here, so that
/// everything after works in the real folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRoot {
    named: PathBuf,
    real: PathBuf,
}

impl TargetRoot {
    /// The usual one: `skills` below the work directory.
    pub fn usual(workdir: &Workdir) -> io::Result<Self> {
        Self::at(workdir.root().join("skills"))
    }

    /// Any other folder, given as an absolute path; it need not exist yet.
    pub fn at(named: PathBuf) -> io::Result<Self> {
        let real = match fs_err::canonicalize(&named) {
            Ok(real) if real.is_dir() => real,
            Ok(real) => {
                let text = format!("{} is not a folder", real.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
            }
            // A link that points nowhere is not replaced behind the user's back.
            Err(error) if named.is_symlink() => return Err(error),
            Err(error) if error.kind() == io::ErrorKind::NotFound => named.clone(),
            Err(error) => return Err(error),
        };
        Ok(Self { named, real })
    }

    /// The folder as it was named: what documents and messages show.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// The folder itself.
    pub fn real(&self) -> &Path {
        &self.real
    }

    /// Where a skill lies, as it is shown. A slug is always exactly one ordinary path component.
    pub fn shown(&self, name: &Slug) -> PathBuf {
        self.named.join(name.as_str())
    }

    /// Where a skill lies, in the real folder.
    pub fn place(&self, name: &Slug) -> PathBuf {
        self.real.join(name.as_str())
    }
}
