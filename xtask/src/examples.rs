//! The skills of `examples/skills`, as they are published.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// One release to publish: a folder with a `SKILL.md`.
pub(crate) struct Example {
    pub(crate) slug: String,
    pub(crate) version: String,
    pub(crate) folder: PathBuf,
}

impl Example {
    /// All example releases below `folder`. A skill's folder is one release, 1.0.0, or holds one
    /// folder per version, published from the lowest up.
    pub(crate) fn all(folder: &Path) -> anyhow::Result<Vec<Self>> {
        let mut found = Vec::new();
        for skill in folders(folder)? {
            let slug = name_of(&skill)?;
            if skill.join("SKILL.md").is_file() {
                found.push(Self { slug, version: "1.0.0".to_owned(), folder: skill });
                continue;
            }
            let mut releases = folders(&skill)?
                .into_iter()
                .map(|folder| Ok(Self { slug: slug.clone(), version: name_of(&folder)?, folder }))
                .collect::<anyhow::Result<Vec<_>>>()?;
            releases.sort_by_key(|release| sort_key(&release.version));
            found.extend(releases);
        }
        anyhow::ensure!(!found.is_empty(), "no example skills in {}", folder.display());
        Ok(found)
    }
}

/// Numbers compare as numbers, and a pre-release comes before its release.
fn sort_key(version: &str) -> (Vec<u64>, bool, String) {
    let (numbers, pre) = version.split_once('-').unwrap_or((version, ""));
    let numbers = numbers.split('.').map(|part| part.parse().unwrap_or(u64::MAX)).collect();
    (numbers, pre.is_empty(), pre.to_owned())
}

fn folders(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn name_of(folder: &Path) -> anyhow::Result<String> {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).with_context(|| format!("{} has no readable name", folder.display()))
}
