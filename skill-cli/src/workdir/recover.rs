use std::path::Path;

use super::disk::{Disk, inode};
use super::journal::{Journal, Stage};
use super::{Guard, Workdir, WorkdirError, links};

/// What an earlier command had left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovered {
    /// Nothing.
    Nothing,
    /// Something half made ready, which was taken away.
    TakenBack,
    /// A decided change, which was finished.
    Finished,
}

/// Finishes or takes back what a stopped command left. Every command calls it first; without a
/// journal it only looks. `home` is the user's own folder for what must last.
pub fn settle(workdir: &Workdir, home: &Path) -> Result<Recovered, WorkdirError> {
    links::refuse(workdir)?;
    if [Journal::path(workdir), Journal::unfinished(workdir)].iter().all(|path| inode(path).is_none()) {
        return Ok(Recovered::Nothing);
    }
    let guard = Guard::take(workdir, home)?;
    settle_with(&Disk::default(), workdir, &guard)
}

impl Guard {
    /// Takes the right to change `workdir`, with what a stopped command left settled first.
    /// `home` is the user's own folder for what must last.
    pub fn take_settled(workdir: &Workdir, home: &Path) -> Result<Self, WorkdirError> {
        let guard = Self::take(workdir, home)?;
        settle_with(&Disk::default(), workdir, &guard)?;
        Ok(guard)
    }
}

pub(super) fn settle_with(disk: &Disk, workdir: &Workdir, guard: &Guard) -> Result<Recovered, WorkdirError> {
    let failed = |error| WorkdirError::at(&workdir.state(), error);
    let Some((journal, ground)) = Journal::read(workdir, guard.seal())? else {
        disk.remove(&Journal::unfinished(workdir)).map_err(failed)?;
        return Ok(Recovered::Nothing);
    };
    match journal.stage {
        Stage::Preparing => {
            journal.clean(disk, &ground).map_err(failed)?;
            Ok(Recovered::TakenBack)
        }
        Stage::Committing => {
            journal.finish_later(disk, &ground).map_err(failed)?;
            journal.clean(disk, &ground).map_err(failed)?;
            Ok(Recovered::Finished)
        }
    }
}

#[cfg(test)]
mod tests;
