//! The files of a skill with their fixes made, and how they are written.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::{Value, json};
use skill_core::diagnostic::{Diagnostic, Edit, apply_edits};
use skill_core::lint::{LintFile, LintInput, lint};

use super::diff;
use super::rewrite::{is_as_read, left_over, located, rewrite};
use crate::code::Code;
use crate::failure::Failure;
use crate::packing::Packing;

/// A file as it was and as it will be.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
    was_executable: bool,
    executable: bool,
}

impl File {
    /// Whether it becomes executable.
    pub(super) fn becomes_executable(&self) -> bool {
        self.executable && !self.was_executable
    }

    fn is_changed(&self) -> bool {
        self.before != self.after || self.becomes_executable()
    }
}

/// The files of a skill.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) files: Vec<File>,
    /// Links that were packed as what they point to: their files are not written.
    links: Vec<String>,
    made: usize,
    /// Files that have another name on the disk (a hard link): they are not written, as that name would keep the old
    /// bytes.
    several: Vec<String>,
    /// How SKILL.md is spelled on disk, if otherwise.
    spelled: Option<String>,
    /// Name of the folder; an archive has none that a name could be held against.
    folder: Option<String>,
}

impl Draft {
    pub(super) fn of(packing: &Packing) -> Self {
        let files = packing.bundle.files().map(|(path, file)| File {
            path: path.as_str().to_owned(),
            before: file.content().to_vec(),
            after: file.content().to_vec(),
            was_executable: file.executable(),
            executable: file.executable(),
        });
        let links = packing.links.iter().map(|(link, _)| link.clone()).collect();
        let spelled = packing.bundle.skill_md_renamed_from().map(str::to_owned);
        let folder = (!packing.is_archive).then(|| packing.base_name.clone());
        Self { files: files.collect(), links, several: Vec::new(), made: 0, spelled, folder }
    }

    /// What is found in the files as they will be.
    pub(super) fn lint(&self, strict: bool) -> Vec<Diagnostic> {
        let files: Vec<LintFile<'_>> = self
            .files
            .iter()
            .map(|File { path, executable, after, .. }| LintFile {
                path: self.on_disk(path),
                executable: *executable,
                content: after,
            })
            .collect();
        lint(&LintInput { folder: self.folder.as_deref(), files: &files, strict })
    }

    /// The path of a file as it is spelled on disk: SKILL.md may be in another letter case.
    pub(super) fn on_disk<'a>(&'a self, path: &'a str) -> &'a str {
        self.spelled.as_deref().filter(|_| path == "SKILL.md").unwrap_or(path)
    }

    /// The bytes of a file that the findings are about: with `dry_run` as they are, else as they will be.
    pub(super) fn content(&self, path: &str, dry_run: bool) -> Option<&[u8]> {
        let file = self.files.iter().find(|file| file.path == path)?;
        Some(if dry_run { &file.before } else { &file.after })
    }

    /// The findings that a program can fix here.
    pub(super) fn fixable<'a>(&'a self, found: &'a [Diagnostic]) -> impl Iterator<Item = &'a Diagnostic> {
        found.iter().filter(|found| found.is_fixable() && !self.is_linked(&found.file))
    }

    /// Leaves alone what has several names on the disk.
    pub(super) fn hold_back(&mut self, folder: &Path) {
        let has_several = |path: &&str| {
            let full = located(folder, self.on_disk(path));
            fs::symlink_metadata(full).is_ok_and(|about| about.is_file() && about.nlink() > 1)
        };
        let paths = self.files.iter().map(|file| file.path.as_str());
        self.several = paths.filter(has_several).map(str::to_owned).collect();
    }

    /// Makes the fixes of the findings; gives how many it made.
    pub(super) fn fix(&mut self, found: &[Diagnostic]) -> usize {
        let mut made = 0;
        for index in 0..self.files.len() {
            let path = &self.files[index].path;
            let of_file: Vec<&Diagnostic> = found
                .iter()
                .filter(|found| found.is_fixable() && found.file == *path && !self.is_linked(path))
                .collect();
            let edits: Vec<&Edit> = of_file.iter().filter_map(|found| found.edit.as_ref()).collect();
            let executable = of_file.iter().any(|found| found.sets_executable);
            let file = &mut self.files[index];
            let (after, count) = apply_edits(&file.after, edits);
            // What changes nothing is not counted, so that this comes to an end.
            if after != file.after {
                (file.after, made) = (after, made + count);
            }
            if executable && !file.executable {
                (file.executable, made) = (true, made + 1);
            }
        }
        self.made += made;
        made
    }

    /// How many fixes were made.
    pub(super) fn made(&self) -> usize {
        self.made
    }

    /// The links whose files have findings that were not fixed.
    pub(super) fn links_left<'a>(&'a self, found: &'a [Diagnostic]) -> impl Iterator<Item = &'a str> {
        let left =
            |link: &&String| found.iter().any(|found| found.is_fixable() && is_below(&found.file, link));
        self.links.iter().filter(move |link| left(link)).map(String::as_str)
    }

    /// The files with several names that have findings that were not fixed.
    pub(super) fn several_left<'a>(&'a self, found: &'a [Diagnostic]) -> impl Iterator<Item = &'a str> {
        let left = |path: &&String| found.iter().any(|found| found.is_fixable() && found.file == **path);
        self.several.iter().filter(move |path| left(path)).map(String::as_str)
    }

    fn is_linked(&self, path: &str) -> bool {
        self.links.iter().any(|link| is_below(path, link))
            || self.several.iter().any(|several| several == path)
    }

    /// The changes as data.
    pub(super) fn changes(&self) -> Value {
        let change = |file: &File| {
            let (removed, added) = diff::lines(&file.before, &file.after);
            let lines = |lines: Vec<diff::Changed>| -> Value {
                lines.into_iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
            };
            json!({
                "file": file.path,
                "executable": file.becomes_executable(),
                "removed": lines(removed),
                "added": lines(added),
            })
        };
        self.files.iter().filter(|file| file.is_changed()).map(change).collect()
    }

    /// Takes away what runs left that were killed while they wrote; gives how many files that were.
    pub(super) fn sweep(&self, folder: &Path, shown: impl Fn(&Path) -> String) -> Result<usize, Failure> {
        let above = |file: &File| located(folder, &file.path).parent().map(Path::to_path_buf);
        let folders: BTreeSet<PathBuf> = self.files.iter().filter_map(above).collect();
        let mut swept = 0;
        for folder in folders {
            swept += left_over(&folder).map_err(|error| Failure::disk(&error, &shown(&folder)))?;
        }
        Ok(swept)
    }

    /// Writes the files that changed, each in one moment, if none of them is another by now.
    pub(super) fn write(&self, folder: &Path, shown: impl Fn(&Path) -> String) -> Result<(), Failure> {
        let changed: Vec<(&File, PathBuf)> = self
            .files
            .iter()
            .filter(|file| file.is_changed())
            .map(|file| (file, located(folder, self.on_disk(&file.path))))
            .collect();
        for (file, path) in &changed {
            let same = is_as_read(path, file).map_err(|error| Failure::disk(&error, &shown(path)))?;
            if !same {
                return Err(overtaken(&shown(path)).nothing_changed());
            }
        }
        for (file, path) in &changed {
            let written = rewrite(path, file).map_err(|error| Failure::disk(&error, &shown(path)))?;
            if !written {
                return Err(overtaken(&shown(path)));
            }
        }
        Ok(())
    }
}

fn overtaken(shown: &str) -> Failure {
    Failure::new(Code::FileChanged, format!("{shown} was changed by another program meanwhile"))
        .because("what stands in it now was not judged")
        .hint("run it again")
}

fn is_below(path: &str, link: &str) -> bool {
    path.strip_prefix(link).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn draft(after: &str, executable: bool) -> Draft {
        let file = File {
            path: "SKILL.md".to_owned(),
            before: b"before".to_vec(),
            after: after.as_bytes().to_vec(),
            was_executable: false,
            executable,
        };
        Draft {
            files: vec![file],
            links: Vec::new(),
            several: Vec::new(),
            made: 1,
            spelled: None,
            folder: None,
        }
    }

    fn shown(path: &Path) -> String {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    #[test]
    fn a_file_that_somebody_changed_meanwhile_is_left_as_it_is() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("SKILL.md");
        for (now, after, executable) in
            [("other", "after", false), ("other", "before", true), ("befor", "after", true)]
        {
            fs::write(&path, now).unwrap();
            let refused = draft(after, executable).write(disk.path(), shown).unwrap_err();
            assert_eq!(refused.code, Code::FileChanged);
            assert_eq!(fs::read_to_string(&path).unwrap(), now);
            assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 1);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(draft("after", false).write(disk.path(), shown).unwrap_err().code, Code::FileChanged);
    }

    #[test]
    fn a_file_that_became_a_link_is_left_as_it_is() {
        let disk = tempfile::tempdir().unwrap();
        fs::write(disk.path().join("other"), "before").unwrap();
        std::os::unix::fs::symlink("other", disk.path().join("SKILL.md")).unwrap();
        let refused = draft("after", false).write(disk.path(), shown).unwrap_err();
        assert_eq!(refused.code, Code::FileChanged);
        assert_eq!(fs::read_to_string(disk.path().join("other")).unwrap(), "before");
    }

    #[test]
    fn a_file_keeps_its_owner_and_loses_set_user_bits() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("SKILL.md");
        fs::write(&path, "before").unwrap();
        // Only root may give the file away; for others it keeps the one it has.
        let given = std::os::unix::fs::chown(&path, Some(65534), Some(65534)).is_ok();
        fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
        let before = fs::metadata(&path).unwrap();
        draft("after", false).write(disk.path(), shown).unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert!(!given || after.uid() == 65534);
        assert_eq!(after.permissions().mode() & 0o7777, 0o755);
    }

    #[test]
    fn a_file_is_written_with_its_mode() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("SKILL.md");
        for (mode, executable, becomes) in [(0o640, true, 0o750), (0o604, false, 0o604), (0o666, true, 0o777)]
        {
            fs::write(&path, "before").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            draft("after", executable).write(disk.path(), shown).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "after");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, becomes);
        }
    }
}
