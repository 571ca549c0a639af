//! What lies on disk, against what was published or locked.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use skill_bundle::disk::{DiskCheck, DiskError, DiskFinding, compare, read_installed};
use skill_bundle::{Tree, TreeEntry};
use skill_core::digest::TreeDigest;

use super::row::{Family, Row};
use crate::files::{self, limit};
use crate::text::number;
use crate::workdir::{Seen, Workdir};

/// One installed copy, read and compared.
#[derive(Debug)]
pub struct Copy {
    /// The digest of its regular files with legal names.
    pub tree: TreeDigest,
    /// How many files there are, and their bytes together.
    pub size: (usize, u64),
    /// How it differs; empty: byte for byte what was published.
    pub findings: Vec<DiskFinding>,
    /// Files of other tools.
    pub foreign: Vec<String>,
    /// Whether the executable bit was compared.
    pub modes_compared: bool,
    /// All that was read, and which folder it was.
    pub seen: Seen,
}

impl Copy {
    /// Reads the copy in `folder`, which is to have the tree `wanted`; none if there is nothing.
    ///
    /// `published` is the preimage of `wanted`. Without it a difference can be told but not named.
    pub fn read(
        folder: &Path,
        wanted: TreeDigest,
        published: Option<&Tree>,
    ) -> Result<Option<Self>, DiskError> {
        // The number first: a folder that is exchanged between the two looks has another one.
        let number = fs_err::symlink_metadata(folder).ok().map(|metadata| metadata.ino());
        let report = match read_installed(folder) {
            Ok(report) => report,
            Err(DiskError::Absent { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let seen = Seen::of_folder(number.unwrap_or_default(), &report);
        let tree = report.tree.digest();
        let (findings, foreign) = if let Some(published) = published {
            let comparison = compare(published, &report);
            (comparison.findings, comparison.foreign.into_iter().map(|file| file.path).collect())
        } else {
            let mut findings = report.findings.clone();
            if tree != wanted {
                let detail = format!("the files are {}, not {}", tree.short(), wanted.short());
                findings.push(DiskFinding { check: DiskCheck::Content, path: String::new(), detail });
            }
            (findings, Vec::new())
        };
        let size = size_of(published.unwrap_or(&report.tree));
        Ok(Some(Self { tree, size, findings, foreign, modes_compared: report.keeps_modes, seen }))
    }

    /// Whether it is as published.
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }
}

/// How many files a tree has, and their bytes together.
pub fn size_of(tree: &Tree) -> (usize, u64) {
    (tree.entries().len(), tree.entries().iter().map(|TreeEntry { size, .. }| size).sum())
}

/// The preimage of a tree digest as the work directory keeps it. One that was changed is none.
pub fn published_tree(workdir: &Workdir, digest: TreeDigest) -> io::Result<Option<Tree>> {
    let Some(bytes) = files::read(&workdir.tree(digest), limit::TREE)? else { return Ok(None) };
    let tree = String::from_utf8(bytes).ok().and_then(|text| Tree::parse(&text).ok());
    Ok(tree.filter(|tree| tree.digest() == digest))
}

/// The rows about one copy. `place` is where it lies, said only if there are several.
pub(super) fn rows(copy: &Copy, wanted: TreeDigest, place: Option<&str>) -> Vec<Row> {
    let prefix = place.map(|place| format!("{place}: ")).unwrap_or_default();
    let mut rows = Vec::new();
    let mut checks: Vec<DiskCheck> = copy.findings.iter().map(|finding| finding.check).collect();
    checks.dedup();
    for check in checks {
        let of_check: Vec<&DiskFinding> =
            copy.findings.iter().filter(|finding| finding.check == check).collect();
        let files =
            of_check.iter().map(|finding| finding.path.clone()).filter(|path| !path.is_empty()).collect();
        let family = Family::of(check.id()).unwrap_or(Family::Disk);
        rows.push(Row::fail(check.id(), family, format!("{prefix}{}", told(check, &of_check))).about(files));
    }
    if rows.iter().all(|row| row.family != Family::Disk) {
        let (files, bytes) = copy.size;
        let files = number::counted(files, "file", "files");
        let detail = format!("{prefix}{files}, {}, {}", number::size(bytes), wanted.short());
        rows.push(Row::ok(Family::Disk, detail));
    }
    if !copy.modes_compared {
        let detail = format!("{prefix}not checked: this file system keeps no executable bit");
        rows.push(Row::skip_alone("disk-mode", Family::Disk, detail));
    }
    if !copy.foreign.is_empty() && rows.iter().all(|row| row.family != Family::Foreign) {
        let detail = format!("{prefix}{}, left by another tool", copy.foreign.join(", "));
        rows.push(Row::ok(Family::Foreign, detail).about(copy.foreign.clone()));
    }
    rows
}

/// A check that fails, in words: how many, and which of them.
fn told(check: DiskCheck, findings: &[&DiskFinding]) -> String {
    let [first, ..] = findings else { return String::new() };
    if first.path.is_empty() {
        return first.detail.clone();
    }
    let count = findings.len();
    let paths = named(findings);
    let (one, many) = match check {
        DiskCheck::Content => ("file is not what was published", "files are not what was published"),
        DiskCheck::Missing => ("file is missing", "files are missing"),
        DiskCheck::Extra => ("file was added", "files were added"),
        DiskCheck::Generated => ("folder was made by running Python", "folders were made by running Python"),
        // These say what is wrong with the name, verb included.
        DiskCheck::Name if count == 1 => return format!("{} {}", first.path, first.detail),
        _ if count == 1 => return format!("{} is {}", first.path, first.detail),
        DiskCheck::Mode => ("", "files have the other mode"),
        DiskCheck::Link => ("", "links, which no skill has"),
        DiskCheck::Special => ("", "special files"),
        DiskCheck::Name => ("", "names that no skill has"),
        DiskCheck::ForeignUnreadable => ("", "files of other tools are not readable"),
    };
    format!("{count} {}: {paths}", if count == 1 { one } else { many })
}

fn named(findings: &[&DiskFinding]) -> String {
    const SHOWN: usize = 3;
    let mut paths: Vec<String> = findings.iter().take(SHOWN).map(|finding| finding.path.clone()).collect();
    match findings.len().saturating_sub(SHOWN) {
        0 => {}
        more => paths.push(format!("and {more} more")),
    }
    paths.join(", ")
}
