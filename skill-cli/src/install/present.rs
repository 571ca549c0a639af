//! What lies in the place of a skill already, and whether it may be replaced.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use skill_bundle::disk::DiskFinding;
use skill_bundle::{BundlePath, Mode, Tree};
use skill_core::digest::TreeDigest;
use skill_core::lock::LockedSkill;

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Cell, Table};
use crate::verify::{Copy, published_tree};
use crate::workdir::Workdir;

/// What lies in a place.
pub(super) enum Present {
    /// Nothing.
    Nothing,
    /// The locked copy, as it was installed.
    Intact,
    /// The locked copy, changed since.
    Changed(Vec<DiskFinding>),
    /// Something that no lock knows.
    Unknown,
}

impl Present {
    /// Reads the place of a skill that is locked as `skill`, each file whole.
    pub(super) fn of(workdir: &Workdir, place: &Path, skill: Option<&LockedSkill>) -> std::io::Result<Self> {
        if fs_err::symlink_metadata(place).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(Self::Nothing);
        }
        let Some(skill) = skill else { return Ok(Self::Unknown) };
        let published = published_tree(workdir, skill.tree)?;
        match Copy::read(place, skill.tree, published.as_ref()) {
            Ok(Some(copy)) if copy.is_intact() => Ok(Self::Intact),
            Ok(Some(copy)) => Ok(Self::Changed(copy.findings)),
            Ok(None) => Ok(Self::Nothing),
            Err(skill_bundle::disk::DiskError::NotAFolder { .. }) => Ok(Self::Unknown),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }
    }
}

/// Whether a place looks as it was installed: every file there, no other, of the published size and
/// mode. What has the same size but other bytes is for `verify`.
pub(super) fn looks_intact(workdir: &Workdir, place: &Path, tree: TreeDigest) -> bool {
    published_tree(workdir, tree).ok().flatten().is_some_and(|tree| {
        let mut count = 0;
        looks_like(&tree, place, "", &mut count).unwrap_or(false) && count == tree.entries().len()
    })
}

fn looks_like(tree: &Tree, folder: &Path, below: &str, count: &mut usize) -> std::io::Result<bool> {
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { return Ok(false) };
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !looks_like(tree, &entry.path(), &path, count)? {
                return Ok(false);
            }
            continue;
        }
        let metadata = entry.metadata()?;
        let normal = BundlePath::parse(&path).ok();
        let published = normal.and_then(|path| tree.get(path.as_str()));
        let same = published.is_some_and(|published| {
            let mode = Mode::of(metadata.mode() & 0o100 != 0);
            kind.is_file() && published.size == metadata.len() && published.mode == mode
        });
        if !same {
            return Ok(false);
        }
        *count += 1;
    }
    Ok(true)
}

/// `disk-differs`: a copy that is not what its lock names is never overwritten or removed by the way.
pub(super) fn differs(
    context: &Context,
    place: &Path,
    findings: &[DiskFinding],
    command: &str,
    what: &str,
) -> Failure {
    let mut table = Table::plain::<2>().indent(5);
    for finding in findings {
        let word = finding.check.id().strip_prefix("disk-").unwrap_or(finding.check.id());
        let word = match word {
            "content" => "changed",
            "extra" => "added",
            other => other,
        };
        table.push([Cell::from(word), Cell::from(finding.path.clone())]);
    }
    let files: Vec<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
    let count = crate::text::number::counted(findings.len(), "file", "files");
    Failure::new(Code::DiskDiffers, format!("{} differs from its lock in {count}", context.shown(place)))
        .list(table)
        .nothing_changed()
        .key("files", files)
        .hint(format!("run `{command}` to move this copy to .skill/backup {what}"))
}
