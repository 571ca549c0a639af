//! What looks like an archive by its name.

use super::Reference;

/// None ends with another.
const SUFFIXES: [&str; 7] = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".skill"];

/// Whether a file name, path or URL path ends like an archive, in any letter case.
pub fn has_archive_suffix(path: &str) -> bool {
    without_archive_suffix(path).is_some()
}

/// A file name, path or URL path without what says that it is an archive; `None` if nothing says so.
pub fn without_archive_suffix(path: &str) -> Option<&str> {
    SUFFIXES.iter().find_map(|suffix| {
        let (before, end) = path.split_at_checked(path.len().checked_sub(suffix.len())?)?;
        end.eq_ignore_ascii_case(suffix).then_some(before)
    })
}

/// A path is an archive if it is called like one and is no folder.
pub(super) fn folder_or_archive(text: &str, is_folder: &dyn Fn(&str) -> bool) -> Reference {
    if has_archive_suffix(text) && !is_folder(text) {
        Reference::Archive(text.to_owned())
    } else {
        Reference::Path(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_their_endings() {
        for suffix in SUFFIXES {
            let name = format!("dist/天.1{suffix}");
            assert_eq!(without_archive_suffix(&name), Some("dist/天.1"), "{name}");
            assert_eq!(without_archive_suffix(&name.to_ascii_uppercase()), Some("DIST/天.1"), "{name}");
        }
        for name in ["", "zip", "a.zip/", "x.tar.xz", "天"] {
            assert_eq!(without_archive_suffix(name), None, "{name}");
        }
    }
}
