use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skill_core::name::Slug;

use super::{TargetRoot, Workdir, target};

/// A path that a transaction may touch, by its name below the work directory with `/`. There are no
/// others: what cannot be named so cannot be written, moved or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Spot {
    kind: Kind,
    /// The target root it lies in; none: it is the work directory's own.
    target: Option<String>,
    /// The rest of its name.
    rest: String,
}

/// What a path is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// skills.toml, skills.lock, or a file of `.skill` that is meant to be committed.
    Own,
    /// The folder of a skill: `skills/github`.
    Skill,
    /// A folder in which things are made ready and put aside: `skills/.skill-stage-0a1b`.
    Staging,
    /// One thing in such a folder.
    Staged,
    /// What is kept for good: `.skill/backup/github-20261130T160000-0`.
    Backup,
}

impl Spot {
    /// The staging folder of a target root, or of the work directory's own files.
    pub(super) fn staging(root: Option<&TargetRoot>, random: &str) -> Self {
        let rest =
            if root.is_some() { format!(".skill-stage-{random}") } else { format!(".skill/stage-{random}") };
        Self { kind: Kind::Staging, target: root.map(|root| root.target().to_owned()), rest }
    }

    /// One thing in a staging folder.
    pub(super) fn staged(staging: &Self, name: &str) -> Self {
        Self { kind: Kind::Staged, target: staging.target.clone(), rest: format!("{}/{name}", staging.rest) }
    }

    /// The folder of a skill.
    pub(super) fn skill(root: &TargetRoot, name: &Slug) -> Self {
        Self { kind: Kind::Skill, target: Some(root.target().to_owned()), rest: name.to_string() }
    }

    /// A file of the work directory's own, given by its path.
    pub(super) fn own(workdir: &Workdir, path: &Path) -> io::Result<Self> {
        let name = path.strip_prefix(workdir.root()).ok().and_then(Path::to_str);
        let spot = name.and_then(own);
        spot.ok_or_else(|| {
            let text = format!("{} is no file of the work directory's own", path.display());
            io::Error::new(io::ErrorKind::InvalidInput, text)
        })
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// The last part of its name.
    pub(super) fn file_name(&self) -> &str {
        self.rest.rsplit('/').next().unwrap_or(&self.rest)
    }

    /// Whether it lies in a staging folder.
    pub(super) fn is_in(&self, staging: &Self) -> bool {
        let name = self.rest.strip_prefix(staging.rest.as_str()).and_then(|rest| rest.strip_prefix('/'));
        self.target == staging.target && name.is_some()
    }

    /// The folders above it that may have to be made, by name, outermost first.
    pub(super) fn folders(&self) -> Vec<String> {
        let name = self.to_string();
        let ends = name.match_indices('/').map(|(end, _)| &name[..end]);
        ends.filter(|folder| *folder != "..").map(str::to_owned).collect()
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(target) = &self.target {
            write!(f, "{target}/")?;
        }
        f.write_str(&self.rest)
    }
}

impl From<Spot> for String {
    fn from(spot: Spot) -> Self {
        spot.to_string()
    }
}

/// A name that is none.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no place that a change may touch")]
pub(super) struct NoSpot(String);

impl TryFrom<String> for Spot {
    type Error = NoSpot;

    fn try_from(name: String) -> Result<Self, NoSpot> {
        own(&name).or_else(|| below_target(&name)).ok_or(NoSpot(name))
    }
}

fn own(name: &str) -> Option<Spot> {
    let parts: Vec<&str> = name.split('/').collect();
    let kind = match parts[..] {
        ["skills.toml" | "skills.lock"] => Kind::Own,
        [".skill", ".gitignore"] => Kind::Own,
        [".skill", "envelopes" | "trees" | "trust", file] if is_plain(file) => Kind::Own,
        [".skill", "trust", folder, file] if is_plain(folder) && is_plain(file) => Kind::Own,
        [".skill", "backup", file] if is_plain(file) => Kind::Backup,
        [".skill", staging] if is_random(staging, "stage-") => Kind::Staging,
        [".skill", staging, file] if is_random(staging, "stage-") && is_plain(file) => Kind::Staged,
        _ => return None,
    };
    Some(Spot { kind, target: None, rest: name.to_owned() })
}

fn below_target(name: &str) -> Option<Spot> {
    target::known(false).chain(target::known(true)).find_map(|target| {
        let rest = name.strip_prefix(target.as_str())?.strip_prefix('/')?;
        let parts: Vec<&str> = rest.split('/').collect();
        let kind = match parts[..] {
            [name] if name.parse::<Slug>().is_ok() => Kind::Skill,
            [staging] if is_random(staging, ".skill-stage-") => Kind::Staging,
            [staging, file] if is_random(staging, ".skill-stage-") && is_plain(file) => Kind::Staged,
            _ => return None,
        };
        Some(Spot { kind, target: Some(target), rest: rest.to_owned() })
    })
}

/// One ordinary path component that no dot begins.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain)
}

fn is_random(name: &str, prefix: &str) -> bool {
    let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.strip_prefix(prefix).is_some_and(|random| !random.is_empty() && random.bytes().all(hex))
}

/// Where the places of one transaction lie on the disk. Links in place of target roots were followed.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    workdir: &'a Workdir,
    roots: BTreeMap<String, PathBuf>,
}

impl<'a> Ground<'a> {
    pub(super) const fn of(workdir: &'a Workdir) -> Self {
        Self { workdir, roots: BTreeMap::new() }
    }

    pub(super) const fn workdir(&self) -> &'a Workdir {
        self.workdir
    }

    pub(super) fn add(&mut self, root: &TargetRoot) {
        self.roots.entry(root.target().to_owned()).or_insert_with(|| root.real().to_owned());
    }

    pub(super) fn path(&self, spot: &Spot) -> io::Result<PathBuf> {
        match spot.target() {
            None => Ok(self.workdir.root().join(&spot.rest)),
            Some(target) => self.roots.get(target).map(|root| root.join(&spot.rest)).ok_or_else(|| {
                io::Error::new(io::ErrorKind::InvalidInput, format!("{target} was not looked up"))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<Kind> {
        let spot = Spot::try_from(name.to_owned()).ok()?;
        assert_eq!(spot.to_string(), name);
        Some(spot.kind())
    }

    #[test]
    fn every_place_of_a_change_has_a_name() {
        for (name, expected) in [
            ("skills.toml", Kind::Own),
            ("skills.lock", Kind::Own),
            (".skill/.gitignore", Kind::Own),
            (".skill/envelopes/0a.json", Kind::Own),
            (".skill/trees/0a.tree", Kind::Own),
            (".skill/trust/0a", Kind::Own),
            (".skill/trust/0a/1.root.json", Kind::Own),
            (".skill/backup/github-20261130T160000-0", Kind::Backup),
            (".skill/stage-0a", Kind::Staging),
            (".skill/stage-0a/new-1", Kind::Staged),
            ("skills/github", Kind::Skill),
            ("../.claude/skills/github", Kind::Skill),
            (".claude/skills/.skill-stage-0a", Kind::Staging),
            ("skills/.skill-stage-0a/old-1.aside", Kind::Staged),
        ] {
            assert_eq!(kind(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn no_name_leads_anywhere_else() {
        for name in [
            "",
            ".",
            "..",
            "/",
            "/etc/passwd",
            "../x",
            "skills",
            "skills/",
            "skills/.",
            "skills/..",
            "skills//x",
            "skills/x/",
            "skills/x/y",
            "skills/../x",
            "skills/.skill-stage-",
            "skills/.skill-stage-xyz",
            "skills/.skill-stage-0a/..",
            "skills/.skill-stage-0a/x/y",
            "skills/.ssh",
            "src/x",
            ".git/config",
            ".skill",
            ".skill/",
            ".skill/..",
            ".skill/lock",
            ".skill/journal",
            ".skill/stage-",
            ".skill/stage-../x",
            ".skill/stage-0a/..",
            ".skill/backup",
            ".skill/backup/..",
            ".skill/backup/a/b",
            ".skill/trees/..",
            ".skill/trees/.x",
            ".skill/envelopes/../../x",
            ".skill/trust/../x",
            "./skills/x",
            "skills.lock/x",
            "~/.ssh",
            "../../.claude/skills/x",
            "../.claude/skills/../x",
            "skills/\u{0}",
            "skills/a\\b",
        ] {
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn the_folders_above_stay_below_the_work_directory_or_the_home() {
        let folders = |name: &str| Spot::try_from(name.to_owned()).unwrap().folders();
        assert_eq!(folders("skills/github"), ["skills"]);
        assert_eq!(folders("../.claude/skills/github"), ["../.claude", "../.claude/skills"]);
        assert!(folders("skills.lock").is_empty());
    }
}
