//! Takes away what running a script leaves in an installed skill.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use skill_bundle::Tree;
use skill_bundle::disk::{DiskCheck, DiskError, compare, read_installed};

/// Removes the files below every `__pycache__` that were not published, and the folders that are empty
/// then; gives the `__pycache__` that they were in. Nothing is reached through a link.
pub fn clean(place: &Path, published: &Tree) -> io::Result<Vec<String>> {
    let report = match read_installed(place) {
        Ok(report) => report,
        // What is no folder of a skill is told by the check, and is not cleaned.
        Err(DiskError::Absent { .. } | DiskError::NotAFolder { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(io::Error::other(error.to_string())),
    };
    let generated = compare(published, &report).findings.into_iter();
    let generated = generated.filter(|finding| finding.check == DiskCheck::Generated);
    let mut left: BTreeMap<String, Vec<&str>> = generated.map(|finding| (finding.path, Vec::new())).collect();
    for entry in report.tree.entries().iter().filter(|entry| published.get(entry.path.as_str()).is_none()) {
        let path = entry.path.as_str();
        let folder = left.iter_mut().find(|(folder, _)| path.starts_with(folder.as_str()));
        if let Some((_, files)) = folder {
            files.push(path);
        }
    }
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let dir = Dir::open_ambient_dir(place, ambient_authority())?;
    for (folder, files) in &left {
        for file in files {
            dir.remove_file(file)?;
            remove_empty(&dir, file, folder)?;
        }
    }
    Ok(left.into_keys().collect())
}

/// Removes the folders above a file that are empty, up to the `__pycache__` itself.
fn remove_empty(dir: &Dir, file: &str, last: &str) -> io::Result<()> {
    let mut path = file;
    while let Some((folder, _)) = path.rsplit_once('/') {
        if folder.len() + 1 < last.len() {
            break;
        }
        match dir.remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            other => other?,
        }
        path = folder;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::*;

    fn write(root: &Path, name: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }

    #[test]
    fn only_what_was_not_published_goes() {
        let disk = tempfile::tempdir().unwrap();
        let skill = disk.path().join("skill");
        for name in ["SKILL.md", "a/__pycache__/kept.pyc", "b/run.py"] {
            write(&skill, name);
        }
        let published = read_installed(&skill).unwrap().tree;
        for name in ["a/__pycache__/x.pyc", "a/__pycache__/deep/y.pyc", "b/__pycache__/deep/z.pyc", "mine"] {
            write(&skill, name);
        }
        write(disk.path(), "outside/__pycache__/precious");
        fs_err::os::unix::fs::symlink(disk.path().join("outside"), skill.join("c")).unwrap();
        let link = skill.join("a/__pycache__/link");
        fs_err::os::unix::fs::symlink(disk.path().join("outside"), &link).unwrap();
        assert_eq!(clean(&skill, &published).unwrap(), ["a/__pycache__/", "b/__pycache__/"]);
        let report = read_installed(&skill).unwrap();
        let left: Vec<_> = report.tree.entries().iter().map(|entry| entry.path.as_str().to_owned()).collect();
        assert_eq!(left, ["SKILL.md", "a/__pycache__/kept.pyc", "b/run.py", "mine"]);
        assert!(!skill.join("b/__pycache__").exists() && skill.join("b").exists());
        assert!(link.is_symlink() && disk.path().join("outside/__pycache__/precious").exists());
        assert!(clean(&skill, &published).unwrap().is_empty());
    }

    #[test]
    fn a_linked_skill_is_not_entered() {
        let disk = tempfile::tempdir().unwrap();
        write(disk.path(), "outside/__pycache__/precious");
        let published = Tree::parse("skill-tree-v1\n").unwrap();
        let link = disk.path().join("skill");
        fs_err::os::unix::fs::symlink(disk.path().join("outside"), &link).unwrap();
        assert!(clean(&link, &published).unwrap().is_empty());
        assert!(disk.path().join("outside/__pycache__/precious").exists());
    }
}
