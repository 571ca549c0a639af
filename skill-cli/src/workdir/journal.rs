use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::disk::Disk;
use super::moves::{ChangeError, Move};
use super::seal::Seal;
use super::spot::{Ground, Kind, Spot};
use super::{TargetRoot, Workdir, WorkdirError};
use crate::files::{self, limit};

const SCHEMA: &str = "skill.journal.v1";

/// The file: the change as a text, sealed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed {
    schema: String,
    seal: String,
    change: String,
}

/// How far a transaction has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    /// What is to be done with it if the command does not come back.
    pub stage: Stage,
    /// Folders with everything that is made ready or no longer needed.
    pub staging: Vec<Spot>,
    /// Folders that were missing, by name; they go again if nothing comes of it.
    pub made: Vec<String>,
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
        Self { stage: Stage::Preparing, staging: Vec::new(), made: Vec::new(), moves: Vec::new() }
    }
}

impl Journal {
    pub(super) fn path(workdir: &Workdir) -> PathBuf {
        workdir.state().join("journal")
    }

    pub(super) fn unfinished(workdir: &Workdir) -> PathBuf {
        workdir.state().join("journal.tmp")
    }

    /// The journal that a stopped command of this user left in this folder, with the folders that it is
    /// about. Anything else of that name is an error, and nothing that it says is done.
    pub(super) fn read<'a>(
        workdir: &'a Workdir,
        seal: &Seal,
    ) -> Result<Option<(Self, Ground<'a>)>, WorkdirError> {
        let path = Self::path(workdir);
        let Some(bytes) = files::read(&path, limit::LOCK).map_err(|error| WorkdirError::at(&path, error))?
        else {
            return Ok(None);
        };
        let wrong = |why: String| WorkdirError::Journal { path: path.clone(), why };
        let sealed: Sealed = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if sealed.schema != SCHEMA {
            return Err(wrong(format!("its schema is {:?}, this build knows {SCHEMA}", sealed.schema)));
        }
        let held = seal.holds(&sealed.change, &sealed.seal);
        if !held.map_err(|error| WorkdirError::at(seal.key_file(), error))? {
            return Err(wrong("no `skill` of this user wrote it in this folder".to_owned()));
        }
        let journal: Self = serde_json::from_str(&sealed.change).map_err(|error| wrong(error.to_string()))?;
        journal.check().map_err(wrong)?;
        let mut ground = Ground::of(workdir);
        for target in journal.staging.iter().chain(journal.moves.iter().flat_map(Move::spots)) {
            if let Some(target) = target.target() {
                ground.add(&TargetRoot::of(workdir, target).map_err(|error| wrong(error.to_string()))?);
            }
        }
        Ok(Some((journal, ground)))
    }

    /// Whether each place has the part that it plays.
    fn check(&self) -> Result<(), String> {
        for staging in &self.staging {
            if staging.kind() != Kind::Staging {
                return Err(format!("{staging} is no folder to make things ready in"));
            }
        }
        for change in &self.moves {
            change.check(&self.staging)?;
        }
        let folders: Vec<String> = self
            .staging
            .iter()
            .chain(self.moves.iter().flat_map(Move::spots))
            .flat_map(Spot::folders)
            .collect();
        match self.made.iter().find(|made| !folders.contains(made)) {
            Some(stray) => Err(format!("no place of the change lies in {stray:?}")),
            None => Ok(()),
        }
    }

    pub(super) fn write(&self, disk: &Disk, workdir: &Workdir, seal: &Seal) -> io::Result<()> {
        let change = serde_json::to_string(self).map_err(io::Error::other)?;
        let sealed = Sealed { schema: SCHEMA.to_owned(), seal: seal.make(&change)?, change };
        let bytes = serde_json::to_vec(&sealed).map_err(io::Error::other)?;
        disk.replace(&Self::path(workdir), &Self::unfinished(workdir), &bytes)
    }

    pub(super) fn remove(disk: &Disk, workdir: &Workdir) -> io::Result<()> {
        disk.remove(&Self::unfinished(workdir))?;
        disk.remove(&Self::path(workdir))
    }

    /// Takes away what was made ready and what is no longer needed, then the journal itself.
    pub(super) fn clean(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        if self.stage == Stage::Committing {
            self.moves.iter().try_for_each(|change| change.let_go(disk, ground))?;
        }
        for staging in &self.staging {
            disk.remove(&ground.path(staging)?)?;
        }
        if self.stage == Stage::Preparing {
            for folder in self.made.iter().rev() {
                disk.remove_if_empty(&ground.workdir().join(folder))?;
            }
        }
        Self::remove(disk, ground.workdir())
    }

    fn make_folders(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        self.made.iter().try_for_each(|folder| disk.make_dirs(&ground.workdir().join(folder)))
    }

    /// Does what was decided; done moves are found done.
    pub(super) fn finish(&self, disk: &Disk, ground: &Ground<'_>) -> Result<(), ChangeError> {
        self.make_folders(disk, ground)?;
        self.moves.iter().try_for_each(|change| change.apply(disk, ground))
    }

    /// The same for the next command. What somebody took away, changed or put there meanwhile stays as
    /// it is and is left to `verify`, so that it does not hold back all that follows; a copy that is not
    /// the one that was to go is kept.
    pub(super) fn finish_later(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        self.make_folders(disk, ground)?;
        for change in &self.moves {
            match change.apply(disk, ground) {
                Err(ChangeError::Io(error)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => change.keep_other(disk, ground)?,
            }
        }
        Ok(())
    }
}
