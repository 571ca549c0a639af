use super::disk::{Disk, inode};
use super::journal::{Journal, Stage};
use super::{Guard, Workdir, WorkdirError};

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
/// journal it only looks.
pub fn settle(workdir: &Workdir) -> Result<Recovered, WorkdirError> {
    if [Journal::path(workdir), Journal::unfinished(workdir)].iter().all(|path| inode(path).is_none()) {
        return Ok(Recovered::Nothing);
    }
    let guard = Guard::take(workdir)?;
    settle_with(&Disk::default(), workdir, &guard)
}

impl Guard {
    /// Takes the right to change `workdir`, with what a stopped command left settled first.
    pub fn take_settled(workdir: &Workdir) -> Result<Self, WorkdirError> {
        let guard = Self::take(workdir)?;
        settle_with(&Disk::default(), workdir, &guard)?;
        Ok(guard)
    }
}

pub(super) fn settle_with(disk: &Disk, workdir: &Workdir, _guard: &Guard) -> Result<Recovered, WorkdirError> {
    let Some(journal) = Journal::read(workdir)? else {
        disk.remove(&Journal::unfinished(workdir))?;
        return Ok(Recovered::Nothing);
    };
    match journal.stage {
        Stage::Preparing => {
            journal.clean(disk, workdir)?;
            Ok(Recovered::TakenBack)
        }
        Stage::Committing => {
            journal.finish_later(disk, workdir)?;
            journal.clean(disk, workdir)?;
            Ok(Recovered::Finished)
        }
    }
}

#[cfg(test)]
mod tests;
