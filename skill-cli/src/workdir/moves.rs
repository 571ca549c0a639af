use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skill_bundle::disk::DiskReport;
use skill_core::digest::Sha256;

use super::disk::{Disk, inode};
use super::fingerprint::{fingerprint, of_folder};
use super::spot::{Ground, Kind, Spot};

/// One place that changes. Each move can be repeated after it was done whole or in part, and taken
/// back: what lies where is told by inode numbers, which renames keep, as they stay in one file system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    /// The place.
    pub place: Spot,
    /// What comes there, made ready in a staging folder, and its inode number; none: the place
    /// becomes empty.
    pub new: Option<(Spot, u64)>,
    /// Where in a staging folder the old content waits for the end.
    pub aside: Spot,
    /// What was seen in the place when the change was decided on; none: it was empty.
    pub old: Option<Seen>,
    /// Where the old content is kept for good.
    pub backup: Option<Spot>,
}

/// What lies in a place, as it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Its inode number.
    pub(super) inode: u64,
    /// All of its content.
    pub(super) content: Sha256,
}

impl Seen {
    /// Looks at a place; none if nothing is there.
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        // The number first: what is exchanged between the two looks has another one.
        let Some(inode) = inode(path) else { return Ok(None) };
        Ok(Some(Self { inode, content: fingerprint(path)? }))
    }

    /// Whether it is a file with these bytes.
    pub(super) fn is_file(self, bytes: &[u8]) -> bool {
        self.content == Sha256::of(bytes)
    }

    /// What [`Seen::at`] gives for a folder that was read already, after its number.
    pub fn of_folder(inode: u64, report: &DiskReport) -> Self {
        Self { inode, content: of_folder(report) }
    }
}

/// Why a change did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// What lies in a place is not what was seen there when the change was decided on.
    #[error("{} was changed by somebody else", .0.display())]
    Changed(PathBuf),
    /// The system refused; its text names the path.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It was begun, and could not be taken back either: the journal stays, and the next command
    /// finishes the change.
    #[error("{0}")]
    Unfinished(Box<ChangeError>),
}

impl Move {
    /// Every place it names.
    pub(super) fn spots(&self) -> impl Iterator<Item = &Spot> {
        let new = self.new.as_ref().map(|(new, _)| new);
        [Some(&self.place), new, Some(&self.aside), self.backup.as_ref()].into_iter().flatten()
    }

    /// Whether each place has the part that it plays.
    pub(super) fn check(&self, staging: &[Spot]) -> Result<(), String> {
        let place = matches!(self.place.kind(), Kind::Own | Kind::Skill);
        let backup = self.backup.as_ref().is_none_or(|backup| backup.kind() == Kind::Backup);
        let is_staged = |spot: &Spot| {
            let same_root = spot.target() == self.place.target();
            spot.kind() == Kind::Staged && same_root && staging.iter().any(|staging| spot.is_in(staging))
        };
        let staged = is_staged(&self.aside) && self.new.as_ref().is_none_or(|(new, _)| is_staged(new));
        let apart = self.new.as_ref().is_none_or(|(new, _)| *new != self.aside);
        if place && backup && staged && apart {
            return Ok(());
        }
        Err(format!("what it says about {} is no change that is ever made", self.place))
    }

    pub(super) fn apply(&self, disk: &Disk, ground: &Ground<'_>) -> Result<(), ChangeError> {
        let (place, aside) = (ground.path(&self.place)?, ground.path(&self.aside)?);
        let old = self.old.map(|seen| seen.inode);
        match &self.new {
            Some((new, number)) => put(disk, &ground.path(new)?, *number, &place, old, &aside)?,
            None => match inode(&place) {
                None => {}
                here if here == old => disk.carry(&place, &aside)?,
                Some(_) => return Err(ChangeError::Changed(place)),
            },
        }
        match &self.backup {
            Some(backup) if inode(&aside).is_some() => {
                let backup = ground.path(backup)?;
                // A copy that was broken off is begun anew.
                disk.remove(&backup)?;
                Ok(disk.carry(&aside, &backup)?)
            }
            _ => Ok(()),
        }
    }

    /// Whether what was put aside, and would be taken away at the end, is what was seen.
    pub(super) fn is_as_seen(&self, ground: &Ground<'_>) -> io::Result<bool> {
        let aside = ground.path(&self.aside)?;
        if self.backup.is_some() || inode(&aside).is_none() {
            return Ok(true);
        }
        let content = fingerprint(&aside)?;
        Ok(self.old.is_some_and(|seen| seen.content == content))
    }

    /// Keeps what was put aside if it is not what was seen, or cannot be read.
    pub(super) fn keep_other(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        if self.is_as_seen(ground).unwrap_or(false) {
            return Ok(());
        }
        let backups = ground.workdir().backup();
        disk.make_dirs(&backups)?;
        let name = self.place.file_name();
        let mut free = (1..).map(|count| backups.join(format!("{name}-changed-{count}")));
        let backup = free.find(|path| inode(path).is_none());
        backup.map_or(Ok(()), |backup| disk.carry(&ground.path(&self.aside)?, &backup))
    }

    /// Gives what was put aside, and was looked at, another name: removed in part under the old one it would
    /// seem to the next command to be a copy that somebody changed.
    pub(super) fn let_go(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        let aside = ground.path(&self.aside)?;
        if inode(&aside).is_none() {
            return Ok(());
        }
        disk.rename(&aside, &aside.with_extension("gone"))
    }

    pub(super) fn undo(&self, disk: &Disk, ground: &Ground<'_>) -> io::Result<()> {
        let (place, aside) = (ground.path(&self.place)?, ground.path(&self.aside)?);
        if let Some(backup) = &self.backup {
            let backup = ground.path(backup)?;
            if inode(&backup).is_some() && inode(&aside).is_none() {
                disk.carry(&backup, &aside)?;
            }
        }
        match &self.new {
            Some((new, number)) if inode(&place) == Some(*number) => {
                let new = ground.path(new)?;
                if inode(&aside).is_none() {
                    // An exchange that was not yet followed by the move aside, or an empty place.
                    return match inode(&new) {
                        Some(_) => {
                            disk.rename(&new, &aside).and_then(|()| give_back(disk, &new, &place, &aside))
                        }
                        None => disk.rename(&place, &new),
                    };
                }
                give_back(disk, &new, &place, &aside)
            }
            _ if inode(&place).is_none() && inode(&aside).is_some() => disk.carry(&aside, &place),
            _ => Ok(()),
        }
    }
}

fn give_back(disk: &Disk, new: &Path, place: &Path, aside: &Path) -> io::Result<()> {
    if !disk.exchange(aside, place)? {
        disk.rename(place, new)?;
        disk.carry(aside, place)?;
    }
    Ok(())
}

/// Brings `new` to `place`; what was there, and is `old`, ends at `aside`.
fn put(
    disk: &Disk,
    new: &Path,
    number: u64,
    place: &Path,
    old: Option<u64>,
    aside: &Path,
) -> Result<(), ChangeError> {
    let changed = || ChangeError::Changed(place.to_owned());
    let ready = inode(new) == Some(number);
    match inode(place) {
        // After an exchange the old content lies where the new one was.
        here if here == Some(number) => match inode(new) {
            Some(_) => Ok(disk.rename(new, aside)?),
            None => Ok(()),
        },
        None if ready => {
            if disk.rename_to_free(new, place)? {
                Ok(())
            } else {
                Err(changed())
            }
        }
        None => {
            let text = format!("{} is gone, and so is what was to come there", place.display());
            Err(io::Error::new(io::ErrorKind::NotFound, text).into())
        }
        here if ready && here == old => {
            if disk.exchange(new, place)? {
                return Ok(disk.rename(new, aside)?);
            }
            disk.carry(place, aside)?;
            if disk.rename_to_free(new, place)? { Ok(()) } else { Err(changed()) }
        }
        Some(_) => Err(changed()),
    }
}
