use std::path::Path;

use super::{Workdir, WorkdirError};

/// Where to look for the work directory.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// `--workdir`, absolute.
    pub explicit: Option<&'a Path>,
    /// `--global`.
    pub global: bool,
    /// The current folder, absolute.
    pub from: &'a Path,
    /// HOME.
    pub home: Option<&'a Path>,
}

impl Search<'_> {
    /// `--global`, `--workdir`, else the nearest folder upward with skills.toml or skills.lock,
    /// but not above one that holds `.git` and not above HOME; else the current folder.
    pub fn find(self) -> Result<Workdir, WorkdirError> {
        match (self.global, self.explicit) {
            (true, Some(_)) => Err(WorkdirError::Both),
            (true, None) => {
                let home = self.home.ok_or(WorkdirError::Homeless)?;
                Ok(Workdir::at(home.join(".agents"), true))
            }
            (false, Some(path)) if path.is_dir() => Ok(Workdir::at(path.to_owned(), false)),
            (false, Some(path)) => Err(WorkdirError::Absent(path.to_owned())),
            (false, None) => Ok(Workdir::at(self.upward().unwrap_or(self.from).to_owned(), false)),
        }
    }

    fn upward(&self) -> Option<&Path> {
        for folder in self.from.ancestors() {
            if ["skills.toml", "skills.lock"].iter().any(|name| folder.join(name).is_file()) {
                return Some(folder);
            }
            if Some(folder) == self.home || folder.join(".git").exists() {
                break;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;

    fn found(files: &[&str], from: &str, home: &str) -> String {
        let disk = tempfile::tempdir().unwrap();
        for file in files {
            let path = disk.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let from = disk.path().join(from);
        fs::create_dir_all(&from).unwrap();
        let home = disk.path().join(home);
        let search = Search { explicit: None, global: false, from: &from, home: Some(&home) };
        let root = search.find().unwrap().root().to_owned();
        root.strip_prefix(disk.path()).unwrap().display().to_string()
    }

    #[test]
    fn the_nearest_folder_upward() {
        assert_eq!(found(&["a/skills.toml"], "a/b/c", "home"), "a");
        assert_eq!(found(&["a/skills.toml", "a/b/skills.lock"], "a/b/c", "home"), "a/b");
        assert_eq!(found(&[], "a/b", "home"), "a/b");
    }

    #[test]
    fn not_above_a_repository() {
        assert_eq!(found(&["a/skills.toml", "a/b/.git/HEAD"], "a/b/c", "home"), "a/b/c");
        assert_eq!(found(&["a/skills.toml", "a/.git/HEAD"], "a/b/c", "home"), "a");
        assert_eq!(
            found(&["a/skills.toml", "a/b/.git"], "a/b/c", "home"),
            "a/b/c",
            "a worktree's .git is a file"
        );
    }

    #[test]
    fn not_above_home() {
        assert_eq!(found(&["skills.toml"], "home/x", "home"), "home/x");
        assert_eq!(found(&["home/skills.toml"], "home/x", "home"), "home");
    }

    #[test]
    fn what_excludes_each_other_and_what_is_no_folder() {
        let disk = tempfile::tempdir().unwrap();
        let search = Search { explicit: Some(disk.path()), global: true, from: disk.path(), home: None };
        assert_eq!(search.find().unwrap_err().code(), "workdir-global");
        let search = Search { explicit: None, ..search };
        assert_eq!(search.find().unwrap_err().code(), "workdir-absent");
        let absent = disk.path().join("absent");
        let search = Search { explicit: Some(&absent), global: false, ..search };
        assert_eq!(search.find().unwrap_err().code(), "workdir-absent");
    }
}
