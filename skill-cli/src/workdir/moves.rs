use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::disk::{Disk, inode};

/// One place that changes. Each move can be repeated after it was done whole or in part, and taken
/// back: what lies where is told by inode numbers, which renames keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Move {
    /// The place.
    pub place: PathBuf,
    /// What comes there, made ready in a staging folder, and its inode number; none: the place
    /// becomes empty.
    pub new: Option<(PathBuf, u64)>,
    /// Where in a staging folder the old content waits for the end.
    pub aside: PathBuf,
    /// The old content's inode number; none: the place was empty.
    pub old: Option<u64>,
    /// Where the old content is kept for good.
    pub backup: Option<PathBuf>,
}

impl Move {
    pub(super) fn apply(&self, disk: &Disk, root: &Path) -> io::Result<()> {
        let place = root.join(&self.place);
        let aside = root.join(&self.aside);
        match &self.new {
            Some((new, number)) => put(disk, &root.join(new), *number, &place, &aside)?,
            None if inode(&place).is_some() && inode(&place) == self.old => disk.carry(&place, &aside)?,
            None => {}
        }
        match &self.backup {
            Some(backup) if inode(&aside).is_some() => {
                let backup = root.join(backup);
                // A copy that was broken off is begun anew.
                disk.remove(&backup)?;
                disk.carry(&aside, &backup)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn undo(&self, disk: &Disk, root: &Path) -> io::Result<()> {
        let (place, aside) = (root.join(&self.place), root.join(&self.aside));
        if let Some(backup) = &self.backup {
            let backup = root.join(backup);
            if inode(&backup).is_some() && inode(&aside).is_none() {
                disk.carry(&backup, &aside)?;
            }
        }
        match &self.new {
            Some((new, number)) if inode(&place) == Some(*number) => {
                let new = root.join(new);
                if inode(&aside).is_none() {
                    // An exchange that was not yet followed by the move aside, or an empty place.
                    return match inode(&new) {
                        Some(_) => disk.rename(&new, &aside).and_then(|()| self.give_back(disk, root)),
                        None => disk.rename(&place, &new),
                    };
                }
                self.give_back(disk, root)
            }
            _ if inode(&place).is_none() && inode(&aside).is_some() => disk.carry(&aside, &place),
            _ => Ok(()),
        }
    }

    fn give_back(&self, disk: &Disk, root: &Path) -> io::Result<()> {
        let (place, aside) = (root.join(&self.place), root.join(&self.aside));
        if !disk.exchange(&aside, &place)? {
            if let Some((new, _)) = &self.new {
                disk.rename(&place, &root.join(new))?;
            }
            disk.carry(&aside, &place)?;
        }
        Ok(())
    }
}

/// Brings `new` to `place`; what was there ends at `aside`.
fn put(disk: &Disk, new: &Path, number: u64, place: &Path, aside: &Path) -> io::Result<()> {
    if inode(place) != Some(number) && inode(new).is_some() {
        if inode(place).is_none() {
            return disk.rename(new, place);
        }
        if !disk.exchange(new, place)? {
            disk.carry(place, aside)?;
            return disk.rename(new, place);
        }
    }
    // After an exchange the old content lies where the new one was.
    if inode(place) == Some(number) && inode(new).is_some() {
        return disk.rename(new, aside);
    }
    if inode(place).is_none() {
        let text = format!("{} is gone, and so is what was to come there", place.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    }
    Ok(())
}
