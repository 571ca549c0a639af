use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, inode, missing};
use super::journal::{Journal, Stage, named};
use super::moves::Move;
use super::{Guard, TargetRoot, Workdir};

const IGNORED: &str = "/backup/\n/journal\n/journal.tmp\n/lock\n/stage-*/\n";

/// A change of the work directory, made ready beside it. Dropped without [`Transaction::commit`] it
/// leaves every byte as it was.
pub struct Transaction<'a> {
    disk: Disk,
    workdir: &'a Workdir,
    journal: Journal,
    random: String,
    /// Staging folder of the files below the work directory.
    files: Option<PathBuf>,
    count: usize,
    began: bool,
    ended: bool,
}

impl<'a> Transaction<'a> {
    /// Begins; the disk is not touched yet. `random` names the staging folders.
    pub fn begin(workdir: &'a Workdir, _guard: &'a Guard, random: &str) -> Self {
        Self::with(Disk::default(), workdir, random)
    }

    pub(super) fn with(disk: Disk, workdir: &'a Workdir, random: &str) -> Self {
        Self {
            disk,
            workdir,
            journal: Journal::default(),
            random: random.to_owned(),
            files: None,
            count: 0,
            began: false,
            ended: false,
        }
    }

    /// A staging folder inside a target root, so that what is made ready there gets to its place by a
    /// rename. The root is made if it is missing.
    pub fn stage_in(&mut self, root: &TargetRoot) -> io::Result<PathBuf> {
        let folder = root.real().join(format!(".skill-stage-{}", self.random));
        self.open(folder)
    }

    #[cfg(test)]
    pub(super) const fn disk_for_test(&self) -> &Disk {
        &self.disk
    }

    fn open(&mut self, folder: PathBuf) -> io::Result<PathBuf> {
        let name = named(self.workdir, &folder);
        if self.journal.staging.contains(&name) {
            return Ok(folder);
        }
        if let Some(above) = folder.parent() {
            self.note_missing(above);
        }
        self.journal.staging.push(name);
        self.began = true;
        self.journal.write(&self.disk, self.workdir)?;
        self.disk.make_dirs(&folder)?;
        Ok(folder)
    }

    fn note_missing(&mut self, folder: &Path) {
        for folder in missing(folder) {
            let name = named(self.workdir, &folder);
            if !self.journal.made.contains(&name) {
                self.journal.made.push(name);
            }
        }
    }

    /// Puts the staged file or folder into `place`. What is there goes to `backup`, or goes.
    pub fn put(&mut self, staged: &Path, place: &Path, backup: Option<&Path>) -> io::Result<()> {
        let number = inode(staged).ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, format!("{} was not made ready", staged.display()))
        })?;
        let staging = staged.parent().unwrap_or(staged).to_owned();
        self.plan(place, Some((named(self.workdir, staged), number)), &staging, backup);
        Ok(())
    }

    /// Puts a file with this content into `place`.
    pub fn put_file(&mut self, place: &Path, bytes: &[u8]) -> io::Result<()> {
        let staging = self.files()?;
        let staged = staging.join(format!("new-{}", self.count));
        self.disk.write(&staged, bytes)?;
        self.put(&staged, place, None)
    }

    /// Empties `place`. What is there goes to `backup`, or goes. `root` is the target root that
    /// holds it; none for a file of the work directory's own.
    pub fn take(&mut self, place: &Path, root: Option<&TargetRoot>, backup: Option<&Path>) -> io::Result<()> {
        if inode(place).is_none() {
            return Ok(());
        }
        let staging = match root {
            Some(root) => self.stage_in(root)?,
            None => self.files()?,
        };
        self.plan(place, None, &staging, backup);
        Ok(())
    }

    fn files(&mut self) -> io::Result<PathBuf> {
        if let Some(files) = &self.files {
            return Ok(files.clone());
        }
        let folder = self.open(self.workdir.state().join(format!("stage-{}", self.random)))?;
        self.files = Some(folder.clone());
        Ok(folder)
    }

    fn plan(&mut self, place: &Path, new: Option<(PathBuf, u64)>, staging: &Path, backup: Option<&Path>) {
        let aside = staging.join(format!("old-{}.aside", self.count));
        self.count += 1;
        for folder in [Some(place), backup].into_iter().flatten().filter_map(Path::parent) {
            self.note_missing(folder);
        }
        self.journal.moves.push(Move {
            place: named(self.workdir, place),
            new,
            aside: named(self.workdir, &aside),
            old: inode(place),
            backup: backup.map(|backup| named(self.workdir, backup)),
        });
    }

    /// Makes everything durable, decides, and brings it into place. On an error every byte is as it
    /// was before.
    pub fn commit(mut self) -> io::Result<()> {
        self.ignore_own_files()?;
        for folder in self.file_systems() {
            self.disk.sync(&folder)?;
        }
        self.journal.stage = Stage::Committing;
        self.began = true;
        self.journal.write(&self.disk, self.workdir)?;
        if let Err(error) = self.journal.finish(&self.disk, self.workdir) {
            self.take_back();
            return Err(error);
        }
        self.ended = true;
        for folder in self.file_systems().iter().skip(1) {
            self.disk.sync(folder)?;
        }
        // It is done; what cannot be cleaned now is cleaned by the next command.
        let _ = self.journal.clean(&self.disk, self.workdir);
        Ok(())
    }

    /// The work directory's own, then that of every other folder that lies elsewhere.
    fn file_systems(&self) -> Vec<PathBuf> {
        use std::os::unix::fs::MetadataExt as _;
        let device = |path: &Path| fs_err::metadata(path).ok().map(|metadata| metadata.dev());
        let mut seen = Vec::new();
        let mut folders = Vec::new();
        let staging = self.journal.staging.iter().map(|folder| self.workdir.root().join(folder));
        for folder in std::iter::once(self.workdir.state()).chain(staging) {
            if let Some(device) = device(&folder).filter(|device| !seen.contains(device)) {
                seen.push(device);
                folders.push(folder);
            }
        }
        folders
    }

    fn ignore_own_files(&mut self) -> io::Result<()> {
        let path = self.workdir.state().join(".gitignore");
        if inode(&path).is_some() { Ok(()) } else { self.put_file(&path, IGNORED.as_bytes()) }
    }

    fn take_back(&mut self) {
        let undone = self
            .journal
            .moves
            .iter()
            .rev()
            .try_for_each(|change| change.undo(&self.disk, self.workdir.root()));
        // Where even that is not possible the journal stays, and the next command goes forward.
        if undone.is_ok() {
            self.abandon();
        }
        self.ended = true;
    }

    /// Takes away what was made ready. The journal stops saying "forward" first, so that being
    /// stopped in the middle of this is harmless too.
    fn abandon(&mut self) {
        self.journal.stage = Stage::Preparing;
        if self.journal.write(&self.disk, self.workdir).is_err() {
            let _ = Journal::remove(&self.disk, self.workdir);
        }
        let _ = self.journal.clean(&self.disk, self.workdir);
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.began && !self.ended {
            self.abandon();
        }
    }
}
