use std::collections::{BTreeMap, HashMap};

use crate::bundle::{Bundle, BundleFile, SKILL_MD};
use crate::digesting::{Digested, Digesting};
use crate::path::fold;
use crate::{BundleError, BundlePath, Limits};

/// The only door into a [`Bundle`]: takes files one by one and refuses the first that breaks a rule.
#[derive(Debug)]
pub struct BundleBuilder {
    limits: Limits,
    /// What each file holds, and whether it may be executed.
    files: BTreeMap<BundlePath, (Digested, bool)>,
    digesting: Digesting,
    taken: HashMap<String, Taken>,
    /// Files admitted so far.
    admitted: u64,
    /// Their bytes.
    bytes: u64,
}

/// Who holds a folded path.
#[derive(Debug)]
struct Taken {
    path: String,
    folder: bool,
}

impl BundleBuilder {
    /// An empty one.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            files: BTreeMap::new(),
            digesting: Digesting::default(),
            taken: HashMap::new(),
            admitted: 0,
            bytes: 0,
        }
    }

    /// Adds a file. After an error nothing of that file is in it.
    pub fn add(&mut self, path: BundlePath, executable: bool, content: Vec<u8>) -> Result<(), BundleError> {
        self.admit(&path, content.len() as u64)?;
        self.put(path, executable, content);
        Ok(())
    }

    /// Puts in a file that was admitted, with as many bytes as were admitted.
    pub(crate) fn put(&mut self, path: BundlePath, executable: bool, content: Vec<u8>) {
        self.files.insert(path, (self.digesting.take(content), executable));
    }

    /// Checks a file by path and size before its bytes are read, so that nothing above a limit ever is.
    /// Claims the path and the room.
    pub(crate) fn admit(&mut self, path: &BundlePath, size: u64) -> Result<(), BundleError> {
        let name = || path.as_str().to_owned();
        if path.as_str().len() > self.limits.path_bytes as usize {
            return Err(BundleError::PathLong { path: name(), limit: self.limits.path_bytes });
        }
        self.check_room(path.as_str(), size)?;
        for folder in path.folders() {
            self.claim(folder, true)?;
        }
        self.claim(path.as_str(), false)?;
        self.admitted += 1;
        self.bytes += size;
        Ok(())
    }

    /// Whether one more file of `size` bytes is within the limits.
    pub(crate) fn check_room(&self, path: &str, size: u64) -> Result<(), BundleError> {
        if self.admitted >= u64::from(self.limits.files) {
            return Err(BundleError::FilesMany { what: "files", limit: u64::from(self.limits.files) });
        }
        if size > self.limits.file_bytes {
            return Err(BundleError::FileLarge {
                path: path.to_owned(),
                size,
                limit: self.limits.file_bytes,
            });
        }
        if self.bytes + size > self.limits.bundle_bytes {
            return Err(BundleError::Large { path: path.to_owned(), limit: self.limits.bundle_bytes });
        }
        Ok(())
    }

    /// Notes that an archive lists a folder, so that no file takes its place.
    pub(crate) fn claim_folder(&mut self, path: &BundlePath) -> Result<(), BundleError> {
        for folder in path.folders().chain([path.as_str()]) {
            self.claim(folder, true)?;
        }
        Ok(())
    }

    fn claim(&mut self, path: &str, folder: bool) -> Result<(), BundleError> {
        let key = fold(path);
        let Some(taken) = self.taken.get(&key) else {
            self.taken.insert(key, Taken { path: path.to_owned(), folder });
            return Ok(());
        };
        if taken.path == path {
            return match (taken.folder, folder) {
                (true, true) => Ok(()),
                (false, false) => Err(BundleError::Duplicate { path: path.to_owned() }),
                _ => Err(BundleError::FileFolder { path: path.to_owned() }),
            };
        }
        let (first, second) = (taken.path.clone(), path.to_owned());
        if is_skill_md(last_segment(&first)) && is_skill_md(last_segment(&second)) {
            return Err(BundleError::TwoSkillMd { first, second });
        }
        Err(BundleError::Collision { first, second })
    }

    /// The folders that hold a `SKILL.md` in any letter case, in byte order; the root is the empty text.
    pub fn skills(&self) -> Vec<String> {
        let folder =
            |path: &BundlePath| path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut folders: Vec<String> =
            self.files.keys().filter(|path| is_skill_md(path.file_name())).map(folder).collect();
        folders.sort();
        folders
    }

    /// The `SKILL.md`, in any letter case, of a folder.
    pub(crate) fn skill_md(&self, folder: &str) -> Option<&[u8]> {
        let is_it = |path: &BundlePath| {
            let (parent, name) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
            parent == folder && is_skill_md(name)
        };
        self.files.iter().find(|(path, _)| is_it(path)).map(|(_, (file, _))| file.content().as_slice())
    }

    /// The one folder at the root that all files lie in, if there is one and no file beside it.
    pub(crate) fn wrapper(&self) -> Option<String> {
        let (first, _) = self.files.keys().next()?.as_str().split_once('/')?;
        let inside = |path: &BundlePath| path.below(first).is_some();
        self.files.keys().all(inside).then(|| first.to_owned())
    }

    /// The files below one folder as a builder of their own; the other files are dropped.
    pub(crate) fn narrowed_to(self, folder: &str) -> Self {
        let files: BTreeMap<_, _> =
            self.files.into_iter().filter_map(|(path, file)| Some((path.below(folder)?, file))).collect();
        let bytes = files.values().map(|(file, _)| file.content().len() as u64).sum();
        Self { admitted: files.len() as u64, files, taken: HashMap::new(), bytes, ..self }
    }

    /// The bundle, which has its `SKILL.md` at the root: one in another letter case is spelled `SKILL.md` from
    /// here on, and [`Bundle::skill_md_renamed_from`] tells.
    pub fn finish(mut self) -> Result<Bundle, BundleError> {
        if self.files.is_empty() {
            return Err(BundleError::Empty { searched: "the bundle".to_owned() });
        }
        let at_root = |path: &&BundlePath| !path.as_str().contains('/');
        let Some(found) = self.files.keys().filter(at_root).find(|path| is_skill_md(path.as_str())).cloned()
        else {
            return Err(self.no_skill_md());
        };
        if let Some(file) = self.files.remove(&found) {
            let path = BundlePath::skill_md();
            self.files.insert(path, file);
        }
        // From the end: the second core, if there is one at work, comes from the beginning.
        let files = self.files.into_iter().rev().map(|(path, (file, executable))| {
            let sha256 = file.sha256();
            (path, BundleFile::new(executable, file.content().clone(), sha256))
        });
        Ok(Bundle { files: files.collect(), skill_md_found_as: found.as_str().to_owned() })
    }

    fn no_skill_md(&self) -> BundleError {
        let misspelt = |path: &&BundlePath| path.as_str().eq_ignore_ascii_case("skills.md");
        match self.files.keys().find(misspelt) {
            Some(path) => BundleError::SkillsMd { path: path.as_str().to_owned() },
            None => BundleError::NoSkillMd { searched: "the bundle".to_owned(), ignore_files: Vec::new() },
        }
    }
}

/// Whether a file name is `SKILL.md` in any letter case.
pub(crate) fn is_skill_md(name: &str) -> bool {
    name.eq_ignore_ascii_case(SKILL_MD)
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
