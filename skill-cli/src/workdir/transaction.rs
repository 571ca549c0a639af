use std::io;
use std::path::{Path, PathBuf};

use skill_core::name::Slug;

use super::disk::{Disk, inode};
use super::journal::{Journal, Stage};
use super::moves::{ChangeError, Move, Seen};
use super::seal::Seal;
use super::spot::{Ground, Spot};
use super::{Guard, TargetRoot, Workdir};
use crate::parallel;

const IGNORED: &str = "/backup/\n/journal\n/journal.tmp\n/lock\n/stage-*/\n";

/// A change of the work directory, made ready beside it. Dropped without [`Transaction::commit`] it
/// leaves every byte as it was.
pub struct Transaction<'a> {
    disk: Disk,
    ground: Ground<'a>,
    seal: Seal,
    journal: Journal,
    random: String,
    count: usize,
    began: bool,
    ended: bool,
}

impl<'a> Transaction<'a> {
    /// Begins; the disk is not touched yet. `random`, in hex, names the staging folders.
    pub fn begin(workdir: &'a Workdir, guard: &'a Guard, random: &str) -> Self {
        Self::with(Disk::default(), workdir, guard, random)
    }

    pub(super) fn with(disk: Disk, workdir: &'a Workdir, guard: &'a Guard, random: &str) -> Self {
        Self {
            disk,
            ground: Ground::of(workdir),
            seal: guard.seal().clone(),
            journal: Journal::default(),
            random: random.to_owned(),
            count: 0,
            began: false,
            ended: false,
        }
    }

    /// A staging folder inside a target root, so that what is made ready there gets to its place by a
    /// rename. The root is made if it is missing.
    pub fn stage_in(&mut self, root: &TargetRoot) -> io::Result<PathBuf> {
        let staging = self.open(Some(root))?;
        self.ground.path(&staging)
    }

    #[cfg(test)]
    pub(super) const fn disk_for_test(&self) -> &Disk {
        &self.disk
    }

    fn open(&mut self, root: Option<&TargetRoot>) -> io::Result<Spot> {
        let staging = Spot::staging(root, &self.random);
        if self.journal.staging.contains(&staging) {
            return Ok(staging);
        }
        if let Some(root) = root {
            self.ground.add(root);
        }
        self.note_missing(&staging);
        self.journal.staging.push(staging.clone());
        self.began = true;
        self.write_journal()?;
        self.disk.make_dirs(&self.ground.path(&staging)?)?;
        Ok(staging)
    }

    fn write_journal(&self) -> io::Result<()> {
        self.journal.write(&self.disk, self.ground.workdir(), &self.seal)
    }

    fn note_missing(&mut self, spot: &Spot) {
        for folder in spot.folders() {
            let missing = inode(&self.ground.workdir().join(&folder)).is_none();
            if missing && !self.journal.made.contains(&folder) {
                self.journal.made.push(folder);
            }
        }
    }

    /// Puts the skill that was made ready as `name` in the staging folder of `root` into its place.
    /// `seen` is what was found there when that was decided; it goes to `backup`, or goes.
    pub fn put_skill(
        &mut self,
        root: &TargetRoot,
        name: &Slug,
        seen: Option<Seen>,
        backup: Option<&Path>,
    ) -> io::Result<()> {
        let staging = self.open(Some(root))?;
        let staged = Spot::staged(&staging, name.as_str());
        self.plan(Spot::skill(root, name), Some(staged), &staging, seen, backup)
    }

    /// Empties the place of a skill. `seen` is what was found there when that was decided; it goes to
    /// `backup`, or goes.
    pub fn take_skill(
        &mut self,
        root: &TargetRoot,
        name: &Slug,
        seen: Seen,
        backup: Option<&Path>,
    ) -> io::Result<()> {
        let staging = self.open(Some(root))?;
        self.plan(Spot::skill(root, name), None, &staging, Some(seen), backup)
    }

    /// Puts a file of the work directory's own with this content into `place`.
    pub fn put_file(&mut self, place: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put_over(place, bytes, Seen::at(place)?)
    }

    /// The same unless these bytes are in the place already; whether they were not. `seen` is what was
    /// there when they were made from it.
    pub fn put_document(&mut self, place: &Path, bytes: &[u8], seen: Option<Seen>) -> io::Result<bool> {
        if seen.is_some_and(|seen| seen.is_file(bytes)) {
            return Ok(false);
        }
        self.put_over(place, bytes, seen).map(|()| true)
    }

    fn put_over(&mut self, place: &Path, bytes: &[u8], seen: Option<Seen>) -> io::Result<()> {
        let spot = Spot::own(self.ground.workdir(), place)?;
        // Two skills with one tree share its record: the file that was made ready for it is written anew.
        let mut moves = self.journal.moves.iter();
        let planned = moves.find(|change| change.place == spot).and_then(|change| change.new.as_ref());
        if let Some((staged, _)) = planned {
            return self.disk.write(&self.ground.path(staged)?, bytes);
        }
        let staging = self.open(None)?;
        let staged = Spot::staged(&staging, &format!("new-{}", self.count));
        self.disk.write(&self.ground.path(&staged)?, bytes)?;
        self.plan(spot, Some(staged), &staging, seen, None)
    }

    /// Takes a file of the work directory's own away, or a folder of such files.
    pub fn take_file(&mut self, place: &Path) -> io::Result<()> {
        let Some(seen) = Seen::at(place)? else { return Ok(()) };
        let spot = Spot::own(self.ground.workdir(), place)?;
        let staging = self.open(None)?;
        self.plan(spot, None, &staging, Some(seen), None)
    }

    fn plan(
        &mut self,
        place: Spot,
        staged: Option<Spot>,
        staging: &Spot,
        old: Option<Seen>,
        backup: Option<&Path>,
    ) -> io::Result<()> {
        let new = match staged {
            Some(staged) => {
                let path = self.ground.path(&staged)?;
                let number = inode(&path).ok_or_else(|| {
                    io::Error::new(io::ErrorKind::NotFound, format!("{} was not made ready", path.display()))
                })?;
                Some((staged, number))
            }
            None => None,
        };
        let aside = Spot::staged(staging, &format!("old-{}.aside", self.count));
        self.count += 1;
        let backup = backup.map(|backup| Spot::own(self.ground.workdir(), backup)).transpose()?;
        for spot in [Some(&place), backup.as_ref()].into_iter().flatten() {
            self.note_missing(spot);
        }
        self.journal.moves.push(Move { place, new, aside, old, backup });
        Ok(())
    }

    /// Makes everything durable, decides, and brings it into place. On an error every byte is as it
    /// was before, or as somebody else made it meanwhile; but for [`ChangeError::Unfinished`].
    pub fn commit(mut self) -> Result<(), ChangeError> {
        self.ignore_own_files()?;
        for folder in self.file_systems() {
            self.disk.sync(&folder)?;
        }
        self.journal.stage = Stage::Committing;
        self.began = true;
        let moved = self.move_all();
        self.ended = true;
        match moved {
            // It is done; what cannot be cleaned now is cleaned by the next command.
            Ok(()) => {
                let _ = self.journal.clean(&self.disk, &self.ground);
                Ok(())
            }
            Err(error) if self.take_back().is_ok() => Err(error),
            Err(error) => Err(ChangeError::Unfinished(Box::new(error))),
        }
    }

    /// Decides, moves, looks at what was moved, and makes it last where the journal does not lie: once it
    /// is gone nothing there would be done again.
    fn move_all(&mut self) -> Result<(), ChangeError> {
        self.write_journal()?;
        self.journal.finish(&self.disk, &self.ground)?;
        self.compare()?;
        for folder in self.file_systems().iter().skip(1) {
            self.disk.sync(folder)?;
        }
        Ok(())
    }

    /// Reads what was put aside, now that nobody finds it in its place any more: what somebody changed
    /// since it was looked at does not go.
    fn compare(&self) -> Result<(), ChangeError> {
        let ground = &self.ground;
        let compared = parallel::each(self.journal.moves.iter().collect(), |change: &Move| {
            if change.is_as_seen(ground)? {
                return Ok(());
            }
            Err(ChangeError::Changed(ground.path(&change.place)?))
        });
        compared.into_iter().collect()
    }

    /// The work directory's own, then that of every other folder that lies elsewhere.
    fn file_systems(&self) -> Vec<PathBuf> {
        use std::os::unix::fs::MetadataExt as _;
        let device = |path: &Path| fs_err::metadata(path).ok().map(|metadata| metadata.dev());
        let mut seen = Vec::new();
        let mut folders = Vec::new();
        let staging = self.journal.staging.iter().filter_map(|staging| self.ground.path(staging).ok());
        for folder in std::iter::once(self.ground.workdir().state()).chain(staging) {
            if let Some(device) = device(&folder).filter(|device| !seen.contains(device)) {
                seen.push(device);
                folders.push(folder);
            }
        }
        folders
    }

    fn ignore_own_files(&mut self) -> io::Result<()> {
        let path = self.ground.workdir().state().join(".gitignore");
        if inode(&path).is_some() { Ok(()) } else { self.put_file(&path, IGNORED.as_bytes()) }
    }

    /// Takes back what was made ready while nothing was moved yet. Gives the folders that could not be taken
    /// away; the next command tries again.
    pub fn give_up(mut self) -> Vec<PathBuf> {
        if self.began {
            // A journal that stays says that nothing was moved.
            let _ = self.abandon();
        }
        self.ended = true;
        let staging = self.journal.staging.iter().filter_map(|staging| self.ground.path(staging).ok());
        staging.filter(|folder| inode(folder).is_some()).collect()
    }

    /// Undoes every move. Where even that is not possible the journal stays, and the next command goes
    /// forward.
    fn take_back(&mut self) -> io::Result<()> {
        let mut moves = self.journal.moves.iter().rev();
        moves.try_for_each(|change| change.undo(&self.disk, &self.ground))?;
        self.abandon()
    }

    /// Whether the next command would go forward, as far as can be told.
    fn says_forward(&self) -> bool {
        let read = Journal::read(self.ground.workdir(), &self.seal);
        !matches!(read, Ok(None | Some((Journal { stage: Stage::Preparing, .. }, _))))
    }

    /// Takes away what was made ready. The journal stops saying "forward" first, so that being
    /// stopped in the middle of this is harmless too; an error if it still does.
    fn abandon(&mut self) -> io::Result<()> {
        self.journal.stage = Stage::Preparing;
        if let Err(error) = self.write_journal()
            && Journal::remove(&self.disk, self.ground.workdir()).is_err()
            && self.says_forward()
        {
            return Err(error);
        }
        let _ = self.journal.clean(&self.disk, &self.ground);
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.began && !self.ended {
            // Nothing was moved yet, so a journal that stays says so.
            let _ = self.abandon();
        }
    }
}
