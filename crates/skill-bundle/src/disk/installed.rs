use std::collections::HashSet;
use std::io::Read as _;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};

use sha2::Digest as _;
use skill_core::digest::Sha256;

use super::foreign::{self, ForeignFile};
use super::{DiskCheck, DiskError, DiskFinding, DiskReport};
use crate::nofollow::{self, Entry, Kind, Opened};
use crate::tree::{Mode, Tree, TreeEntry};
use crate::{BundlePath, PathRule};

/// Reads what lies in the folder of an installed skill, each file once, going through no link.
///
/// Gives what is there and judges only what can be in no bundle; [`compare`](fn@super::compare) judges the rest.
pub fn read_installed(folder: &Path) -> Result<DiskReport, DiskError> {
    let root = nofollow::open_root(folder).map_err(|error| refuse_root(folder, error))?;
    let keeps_modes = keeps_modes(root.as_fd());
    let mut reading = Reading {
        folder,
        entries: Vec::new(),
        findings: Vec::new(),
        foreign: Vec::new(),
        buffer: vec![0; 128 * 1024],
    };
    reading.folder(root.as_fd(), "")?;
    let Reading { entries, mut findings, foreign, .. } = reading;
    findings.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(DiskReport { tree: Tree::from_entries(entries), findings, foreign, keeps_modes })
}

fn refuse_root(folder: &Path, error: std::io::Error) -> DiskError {
    let path = folder.to_owned();
    match fs_err::symlink_metadata(folder) {
        Ok(found) if found.is_symlink() => DiskError::NotAFolder { path, kind: "a link" },
        Ok(found) if !found.is_dir() => DiskError::NotAFolder { path, kind: "a file" },
        _ => DiskError::new(path, error),
    }
}

struct Reading<'a> {
    folder: &'a Path,
    entries: Vec<TreeEntry>,
    findings: Vec<DiskFinding>,
    foreign: Vec<ForeignFile>,
    buffer: Vec<u8>,
}

impl Reading<'_> {
    fn folder(&mut self, fd: BorrowedFd<'_>, below: &str) -> Result<(), DiskError> {
        let entries = nofollow::list(fd).map_err(|error| self.error(below, error))?;
        if entries.is_empty() && !below.is_empty() {
            self.find(DiskCheck::Extra, format!("{below}/"), "an empty folder");
        }
        let mut seen = HashSet::new();
        for Entry { name, kind } in entries {
            let shown = join(below, &String::from_utf8_lossy(&name));
            let path = match legal_path(below, &name) {
                Ok(path) => path,
                Err(rule) => {
                    self.find(DiskCheck::Name, shown, rule.explain());
                    continue;
                }
            };
            if !seen.insert(path.clone()) {
                self.find(DiskCheck::Name, shown, "the name of another file, in other code points");
                continue;
            }
            match kind {
                Kind::File => self.file(fd, &name, path)?,
                Kind::Folder => {
                    let opened =
                        nofollow::open_folder(fd, &name).map_err(|error| self.error(&shown, error))?;
                    self.folder(opened.as_fd(), path.as_str())?;
                }
                Kind::Link => self.link(fd, &name, shown)?,
                Kind::Special(kind) => self.find(DiskCheck::Special, shown, kind),
            }
        }
        Ok(())
    }

    fn file(&mut self, fd: BorrowedFd<'_>, name: &[u8], path: BundlePath) -> Result<(), DiskError> {
        let opened = nofollow::open_file(fd, name).map_err(|error| self.error(path.as_str(), error))?;
        let Opened { mut file, executable, size, .. } = match opened {
            Ok(opened) => opened,
            Err(kind) => {
                self.find(DiskCheck::Special, path.as_str().to_owned(), kind.describe());
                return Ok(());
            }
        };
        let tool = foreign::tool_of(path.as_str());
        let mut kept = tool.filter(|_| size <= foreign::MAX_BYTES).map(|_| Vec::new());
        let mut digest = sha2::Sha256::new();
        let mut read_bytes = 0;
        loop {
            let count = match file.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.error(path.as_str(), error)),
            };
            let bytes = &self.buffer[..count];
            digest.update(bytes);
            read_bytes += count as u64;
            if let Some(kept) = &mut kept {
                kept.extend_from_slice(bytes);
            }
        }
        if let Some(tool) = tool {
            let readable = kept.is_some_and(|bytes| foreign::is_readable(&bytes));
            self.foreign.push(ForeignFile { path: path.as_str().to_owned(), tool, readable });
        }
        let sha256 = Sha256::from_bytes(digest.finalize().into());
        self.entries.push(TreeEntry { path, mode: Mode::of(executable), size: read_bytes, sha256 });
        Ok(())
    }

    fn link(&mut self, fd: BorrowedFd<'_>, name: &[u8], shown: String) -> Result<(), DiskError> {
        let target = nofollow::read_link(fd, name).map_err(|error| self.error(&shown, error))?;
        let detail = format!("a link to {}", String::from_utf8_lossy(&target));
        self.find(DiskCheck::Link, shown, &detail);
        Ok(())
    }

    fn find(&mut self, check: DiskCheck, path: String, detail: &str) {
        self.findings.push(DiskFinding { check, path, detail: detail.to_owned() });
    }

    fn error(&self, below: &str, error: std::io::Error) -> DiskError {
        let path: PathBuf = if below.is_empty() { self.folder.to_owned() } else { self.folder.join(below) };
        DiskError::new(path, error)
    }
}

/// The path a name has in a bundle: in NFC, in which some file systems do not keep it.
fn legal_path(below: &str, name: &[u8]) -> Result<BundlePath, PathRule> {
    let name = std::str::from_utf8(name).map_err(|_| PathRule::Encoding)?;
    BundlePath::parse(&join(below, name)).map_err(|error| error.rule)
}

fn join(below: &str, name: &str) -> String {
    if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") }
}

/// Whether files of this file system have an executable bit each, and not one for all of them.
#[cfg(target_os = "linux")]
fn keeps_modes(fd: BorrowedFd<'_>) -> bool {
    /// From `linux/magic.h` and the drivers: FAT, exFAT, NTFS (both drivers).
    const WITHOUT: [u64; 4] = [0x4d44, 0x2011_bab0, 0x5346_544e, 0x7366_746e];
    let kind = rustix::fs::fstatfs(fd).ok().and_then(|found| u64::try_from(found.f_type).ok());
    kind.is_none_or(|kind| !WITHOUT.contains(&kind))
}

#[cfg(not(target_os = "linux"))]
fn keeps_modes(_: BorrowedFd<'_>) -> bool {
    true
}
