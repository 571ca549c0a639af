//! The Rust files of the workspace.

use std::path::{Path, PathBuf};

pub(crate) struct Source {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Whether it only serves tests or benches.
    pub(crate) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }

    /// Lines, without the inline `mod tests` at the end.
    pub(crate) fn code_lines(&self) -> usize {
        self.text.lines().take_while(|line| *line != "#[cfg(test)]").count()
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

pub(crate) fn all() -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    for top in ["crates", "registry-server", "skill-cli", "tests", "xtask"] {
        walk(&root.join(top), &mut found);
    }
    found.sort();
    let sources: Vec<Source> = found
        .into_iter()
        .map(|path| Source {
            text: fs_err::read_to_string(&path).unwrap(),
            path: path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(),
        })
        .collect();
    assert!(sources.len() > 30, "the walk found almost nothing");
    sources
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs_err::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            walk(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
