//! What lies in the place of a skill already, and whether it may be replaced.

use std::path::Path;

use skill_bundle::disk::DiskFinding;
use skill_core::lock::LockedSkill;

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Cell, Table};
use crate::verify::{Copy, published_tree};
use crate::workdir::{Seen, Workdir};

/// What lies in a place.
pub(super) enum Present {
    /// Nothing.
    Nothing,
    /// The locked copy, as it was installed.
    Intact(Seen),
    /// The locked copy, changed since.
    Changed(Vec<DiskFinding>, Seen),
    /// A link or a file, where the locked copy was.
    Replaced(Seen),
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
            Ok(Some(copy)) if copy.is_intact() => Ok(Self::Intact(copy.seen)),
            Ok(Some(copy)) => Ok(Self::Changed(copy.findings, copy.seen)),
            Ok(None) => Ok(Self::Nothing),
            Err(skill_bundle::disk::DiskError::NotAFolder { .. }) => {
                Ok(Seen::at(place)?.map_or(Self::Nothing, Self::Replaced))
            }
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }
    }
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

/// `disk-differs`: a link or a file lies where the folder of a skill was.
pub(super) fn replaced(context: &Context, place: &Path, command: &str, what: &str) -> Failure {
    let place = context.shown(place);
    Failure::new(Code::DiskDiffers, format!("{place} is not the folder that was installed"))
        .because("a link or a file lies in its place")
        .nothing_changed()
        .hint(format!("run `{command}` to move it to .skill/backup {what}"))
        .key("files", vec![place])
}
