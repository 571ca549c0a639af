use std::io;
use std::path::{Path, PathBuf};

use skill_core::name::Slug;
use skill_runtime::agents;

use super::Workdir;

/// The usual target.
pub const USUAL: &str = "skills";

/// Why a folder is none that skills are put into.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// No agent that is known looks there.
    #[error("no agent looks in {0}")]
    Unknown(String),
    /// The system refused; its text names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A folder that skills are put into: `skills`, or one where an agent that is known looks. A link in
/// its place is followed once, here, so that everything after works in the real folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetRoot {
    target: String,
    named: PathBuf,
    real: PathBuf,
}

impl TargetRoot {
    /// The folder that a lock or a journal calls `target`; it need not exist yet. Both may come with
    /// files from elsewhere and must not say where on the disk to write, so that only folders are
    /// taken that this program would choose itself.
    pub fn of(workdir: &Workdir, target: &str) -> Result<Self, TargetError> {
        if !is_known(target, workdir.is_global()) {
            return Err(TargetError::Unknown(target.to_owned()));
        }
        let named = workdir.join(target);
        let real = match fs_err::canonicalize(&named) {
            Ok(real) if real.is_dir() => real,
            Ok(real) => {
                let text = format!("{} is not a folder", real.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, text).into());
            }
            // A link that points nowhere is not replaced behind the user's back.
            Err(error) if named.is_symlink() => return Err(error.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => named.clone(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { target: target.to_owned(), named, real })
    }

    /// What the lock calls it.
    pub fn target(&self) -> &str {
        &self.target
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

/// The targets of a work directory; of the user's own one they lie beside it, below the home.
pub(super) fn known(global: bool) -> impl Iterator<Item = String> {
    let agents = agents::AGENTS.iter().map(move |agent| {
        if global { format!("../{}", agent.global_dir) } else { agent.project_dir.to_owned() }
    });
    std::iter::once(USUAL.to_owned()).chain(agents)
}

fn is_known(target: &str, global: bool) -> bool {
    known(global).any(|known| known == target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_where_an_agent_looks() {
        let disk = tempfile::tempdir().unwrap();
        let project = Workdir::at(disk.path().join("project"), false);
        let own = Workdir::at(disk.path().join(".agents"), true);
        for target in ["skills", ".claude/skills", ".agents/skills"] {
            assert_eq!(TargetRoot::of(&project, target).unwrap().real(), project.root().join(target));
        }
        let root = TargetRoot::of(&own, "../.claude/skills").unwrap();
        assert_eq!(root.real(), disk.path().join(".claude/skills"));
        for target in ["", ".", "..", "/etc", "../.claude/skills", "skills/..", "skills/", "SKILLS", "src"] {
            assert!(TargetRoot::of(&project, target).is_err(), "{target}");
        }
        assert!(TargetRoot::of(&own, ".claude/skills").is_err());
    }
}
