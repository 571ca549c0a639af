use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::Path;

use super::PackRules;
use super::ignore_rules::{Rules, Ruling};
use super::walk::{join, open_root};
use crate::builder::is_skill_md;
use crate::nofollow::{self, Entry, Kind};
use crate::{BundleError, BundlePath};

/// The most folders that are looked into.
const FOLDERS: u64 = 100_000;
/// How deep they lie at most.
const DEPTH: usize = 32;

/// The folders with a `SKILL.md` below `folder`, in byte order, `""` for itself. What is below one of them is its own and
/// not looked at, and so is what [`PackRules::Publish`] keeps out of a bundle of `folder`. No link is followed.
///
/// # Errors
/// `path-not-found`, `bundle-ignore-file`, `bundle-files-many`, what a bundle path cannot be, and what the disk says.
pub fn find_skills(folder: &Path) -> Result<Vec<String>, BundleError> {
    let (_, root) = open_root(folder)?;
    let rules = Rules::read(PackRules::Publish, root.as_fd(), folder)?;
    let mut search = Search { folder, rules: &rules, visited: 0, found: Vec::new() };
    search.folder(root.as_fd(), "", false, 0)?;
    search.found.sort();
    Ok(search.found)
}

struct Search<'a> {
    /// As the caller named it, for messages.
    folder: &'a Path,
    rules: &'a Rules,
    visited: u64,
    found: Vec<String>,
}

impl Search<'_> {
    fn folder(
        &mut self,
        fd: BorrowedFd<'_>,
        path: &str,
        named_only: bool,
        depth: usize,
    ) -> Result<(), BundleError> {
        self.visited += 1;
        if self.visited > FOLDERS {
            return Err(BundleError::FilesMany { what: "folders", limit: FOLDERS });
        }
        if depth > DEPTH {
            return Err(BundleError::FilesMany { what: "folders within folders", limit: DEPTH as u64 });
        }
        let entries = nofollow::list(fd).map_err(|error| self.error(path, error))?;
        if entries.iter().any(is_of_a_skill) {
            self.found.push(path.to_owned());
            return Ok(());
        }
        for Entry { name, .. } in entries.into_iter().filter(|entry| entry.kind == Kind::Folder) {
            let below = join(path, &name);
            let named_only = match self.rules.rule_on(&below, true, named_only) {
                Ruling::In => false,
                Ruling::OnlyWhatIsNamed => true,
                Ruling::Out(_) => continue,
            };
            BundlePath::from_bytes(&name).map_err(|error| BundleError::Path { entry: None, error })?;
            let opened = nofollow::open_folder(fd, &name).map_err(|error| self.error(&below, error))?;
            self.folder(opened.as_fd(), &below, named_only, depth + 1)?;
        }
        Ok(())
    }

    fn error(&self, path: &str, error: std::io::Error) -> BundleError {
        BundleError::io(self.folder.join(path), error)
    }
}

/// Whatever becomes of it: a `SKILL.md` that cannot be packed is told when the skill is read.
fn is_of_a_skill(entry: &Entry) -> bool {
    entry.kind != Kind::Folder && std::str::from_utf8(&entry.name).is_ok_and(is_skill_md)
}
