use std::path::{Component, Path, PathBuf};

use crate::install::Desk;

/// Where a path leads. `typed` tells one of the command line, which is relative to the current folder,
/// from one of skills.toml or the lock, which is relative to the work directory.
pub(super) fn absolute(desk: &Desk<'_>, path: &str, typed: bool) -> PathBuf {
    match (path.strip_prefix("~/"), typed) {
        (None, false) => desk.ground().join(path),
        _ => desk.context.absolute(path),
    }
}

/// A path as lock and skills.toml keep it: relative to the work directory, with `/`.
pub(crate) fn recorded(desk: &Desk<'_>, path: &str, typed: bool) -> String {
    if !typed {
        return path.to_owned();
    }
    let real = |path: &Path| fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    relative(&real(&absolute(desk, path, typed)), &real(desk.ground()))
}

/// `full` seen from `base`; both absolute and without `.` and `..`.
fn relative(full: &Path, base: &Path) -> String {
    let (full, base): (Vec<_>, Vec<_>) = (full.components().collect(), base.components().collect());
    let shared = full.iter().zip(&base).take_while(|(one, other)| one == other).count();
    let up = base.len() - shared;
    let mut parts: Vec<String> = vec!["..".to_owned(); up];
    if up == 0 {
        parts.push(".".to_owned());
    }
    let down = full[shared..].iter().filter(|part| matches!(part, Component::Normal(_)));
    parts.extend(down.map(|part| part.as_os_str().to_string_lossy().into_owned()));
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_kept_relative_to_the_work_directory() {
        let relative = |full: &str, base: &str| relative(Path::new(full), Path::new(base));
        assert_eq!(relative("/w/dirry", "/w"), "./dirry");
        assert_eq!(relative("/dirry", "/w"), "../dirry");
        assert_eq!(relative("/a/b", "/w/x"), "../../a/b");
        assert_eq!(relative("/w", "/w"), ".");
    }
}
