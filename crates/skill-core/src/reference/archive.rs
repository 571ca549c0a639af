//! What looks like an archive by its name.

use super::Reference;

/// Whether a file name, path or URL path ends like an archive, in any letter case.
pub fn has_archive_suffix(path: &str) -> bool {
    const SUFFIXES: [&str; 6] = [".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".skill"];
    SUFFIXES.iter().any(|suffix| {
        path.len()
            .checked_sub(suffix.len())
            .and_then(|start| path.get(start..))
            .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
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
