use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::moves::Move;
use super::{Workdir, WorkdirError};

const SCHEMA: &str = "skill.journal.v1";

/// How far a transaction has come. Paths are relative to the work directory when inside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Journal {
    schema: String,
    /// What is to be done with it if the command does not come back.
    pub stage: Stage,
    /// Folders with everything that is made ready or no longer needed.
    pub staging: Vec<PathBuf>,
    /// Folders that were missing; they go again if nothing comes of it.
    pub made: Vec<PathBuf>,
    /// The change itself.
    pub moves: Vec<Move>,
}

/// Which way recovery goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stage {
    /// Back: nothing in its place was touched yet.
    Preparing,
    /// Forward: everything is ready, the decision is made.
    Committing,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            stage: Stage::Preparing,
            staging: Vec::new(),
            made: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl Journal {
    pub(super) fn path(workdir: &Workdir) -> PathBuf {
        workdir.state().join("journal")
    }

    pub(super) fn unfinished(workdir: &Workdir) -> PathBuf {
        workdir.state().join("journal.tmp")
    }

    pub(super) fn read(workdir: &Workdir) -> Result<Option<Self>, WorkdirError> {
        let path = Self::path(workdir);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let wrong = |why: String| WorkdirError::Journal { path: path.clone(), why };
        let journal: Self = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if journal.schema != SCHEMA {
            return Err(wrong(format!("its schema is {}, this build knows {SCHEMA}", journal.schema)));
        }
        Ok(Some(journal))
    }

    pub(super) fn write(&self, disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        let bytes = serde_json::to_vec(self).map_err(io::Error::other)?;
        disk.replace(&Self::path(workdir), &bytes)
    }

    pub(super) fn remove(disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        disk.remove(&Self::unfinished(workdir))?;
        disk.remove(&Self::path(workdir))
    }

    /// Takes away what was made ready and what is no longer needed, then the journal itself.
    pub(super) fn clean(&self, disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        for staging in &self.staging {
            disk.remove(&workdir.root().join(staging))?;
        }
        if self.stage == Stage::Preparing {
            for folder in self.made.iter().rev() {
                disk.remove_if_empty(&workdir.root().join(folder))?;
            }
        }
        Self::remove(disk, workdir)
    }

    /// Does what was decided; done moves are found done.
    pub(super) fn finish(&self, disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        for folder in &self.made {
            disk.make_dirs(&workdir.root().join(folder))?;
        }
        self.moves.iter().try_for_each(|change| change.apply(disk, workdir.root()))
    }

    /// The same for the next command. What somebody took away meanwhile is left to `verify`, so that
    /// it does not hold back all that follows.
    pub(super) fn finish_later(&self, disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        for folder in &self.made {
            disk.make_dirs(&workdir.root().join(folder))?;
        }
        self.moves.iter().try_for_each(|change| match change.apply(disk, workdir.root()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        })
    }
}

/// `path` as the journal names it.
pub(super) fn named(workdir: &Workdir, path: &Path) -> PathBuf {
    path.strip_prefix(workdir.root()).unwrap_or(path).to_owned()
}
