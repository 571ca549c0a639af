//! What the system says of staged files, content left out.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::verified::VerifiedSkill;

/// Every file and folder of a staged skill as it was written. A hash tells other bytes; this tells another
/// file with the same bytes, another name for a file, another owner, any other mode, and attributes.
pub(super) struct Marks(Vec<(PathBuf, Mark)>);

#[derive(PartialEq, Eq)]
struct Mark {
    device: u64,
    inode: u64,
    /// With the kind.
    mode: u32,
    user: u32,
    group: u32,
    /// How many names a file has and when that or anything else about it changed; a folder's depend on
    /// what lies in it.
    file: Option<(u64, i64, i64)>,
}

impl Marks {
    /// Of what was just written to `folders`, of the staging folders around them, of the target roots, and of
    /// the folder of records, in which the journal lies.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn of(skill: &VerifiedSkill, folders: &[PathBuf], records: PathBuf) -> io::Result<Self> {
        let files = skill.tree.entries().iter().map(|entry| &entry.path);
        let inside: BTreeSet<&str> =
            files.flat_map(|path| path.folders().chain(std::iter::once(path.as_str()))).collect();
        let around = |folder: &PathBuf| folder.ancestors().take(3).map(Path::to_owned).collect::<Vec<_>>();
        let below = |folder: &PathBuf| inside.iter().map(|path| folder.join(path)).collect::<Vec<_>>();
        let paths = folders.iter().flat_map(|folder| around(folder).into_iter().chain(below(folder)));
        let paths = paths.chain(std::iter::once(records));
        paths.map(|path| Mark::of(&path).map(|mark| (path, mark))).collect::<io::Result<_>>().map(Self)
    }

    /// Whether all of it is still the same.
    pub(super) fn hold(&self) -> bool {
        self.0.iter().all(|(path, mark)| Mark::of(path).is_ok_and(|now| now == *mark))
    }
}

impl Mark {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        Ok(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            mode: metadata.mode(),
            user: metadata.uid(),
            group: metadata.gid(),
            file: (!metadata.is_dir()).then(|| (metadata.nlink(), metadata.ctime(), metadata.ctime_nsec())),
        })
    }
}
