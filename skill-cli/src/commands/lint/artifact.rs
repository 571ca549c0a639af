//! Where a file of the skill lies, as a SARIF log says it (SARIF 2.1.0, section 3.4).

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use serde_json::{Value, json};

use crate::sarif;

/// The folder or archive that is judged.
#[derive(Debug)]
pub(super) struct Base {
    /// Its path below where the program was run, or the whole path if it lies elsewhere.
    path: PathBuf,
    is_archive: bool,
}

impl Base {
    /// `full` is its absolute path, `cwd` where the program was run.
    pub(super) fn of(full: &Path, cwd: &Path, is_archive: bool) -> Self {
        let is_plain = |path: &Path| !path.components().any(|part| part == Component::ParentDir);
        if let Some(inside) = full.strip_prefix(cwd).ok().filter(|inside| is_plain(inside)) {
            return Self { path: inside.to_path_buf(), is_archive };
        }
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let (full, cwd) = (real(full), real(cwd));
        let path = full.strip_prefix(cwd).map_or_else(|_| full.clone(), Path::to_path_buf);
        Self { path, is_archive }
    }

    /// The location of a file: relative to `%SRCROOT%` below where the program was run, else a `file://` URI. A file of
    /// an archive is the fragment of the archive's.
    pub(super) fn location(&self, file: &str) -> Value {
        let path = if self.is_archive { self.path.clone() } else { self.path.join(file) };
        let mut uri = sarif::path(path.as_os_str().as_bytes());
        if self.is_archive {
            uri = format!("{uri}#{}", sarif::path(file.as_bytes()));
        }
        if path.is_absolute() {
            json!({ "uri": format!("file://{uri}") })
        } else {
            json!({ "uri": uri, "uriBaseId": sarif::ROOT })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(full: &str, archive: bool) -> (String, bool) {
        let location = Base::of(Path::new(full), Path::new("/home/ada/site"), archive).location("a/天 b.md");
        (location["uri"].as_str().unwrap().to_owned(), location.get("uriBaseId").is_some())
    }

    #[test]
    fn paths_are_uris() {
        for (full, archive, uri, relative) in [
            ("/home/ada/site", false, "a/%E5%A4%A9%20b.md", true),
            ("/home/ada/site/.", false, "a/%E5%A4%A9%20b.md", true),
            ("/home/ada/site/skills/my skill", false, "skills/my%20skill/a/%E5%A4%A9%20b.md", true),
            ("/home/ada/site/天气/", false, "%E5%A4%A9%E6%B0%94/a/%E5%A4%A9%20b.md", true),
            ("/home/ada/site/..x", false, "..x/a/%E5%A4%A9%20b.md", true),
            ("/home/ada/site/a:b", false, "a%3Ab/a/%E5%A4%A9%20b.md", true),
            ("/home/ada/notes", false, "file:///home/ada/notes/a/%E5%A4%A9%20b.md", false),
            ("/home/ada/site/x.zip", true, "x.zip#a/%E5%A4%A9%20b.md", true),
            ("/srv/x.zip", true, "file:///srv/x.zip#a/%E5%A4%A9%20b.md", false),
        ] {
            assert_eq!(location(full, archive), (uri.to_owned(), relative), "{full}");
        }
    }
}
