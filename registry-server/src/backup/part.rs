//! Files that are counted and digested while they are written or read.

use std::fs::Permissions;
use std::io::{self, BufWriter, Read as _, Write};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::Digest as _;
use skill_core::digest::Sha256;

use super::format::Part;

const PIECE: usize = 1 << 16;

/// A file in the making.
pub(super) struct Writer {
    file: BufWriter<fs_err::File>,
    hash: sha2::Sha256,
    size: u64,
}

impl Writer {
    /// Begins a file that is not there yet, in a folder that is made if it is not.
    pub(super) fn begin(path: &Path, mode: u32) -> io::Result<Self> {
        make_folder(path.parent().unwrap_or(path))?;
        let file = fs_err::OpenOptions::new().write(true).create_new(true).open(path)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        Ok(Self { file: BufWriter::with_capacity(PIECE, file), hash: sha2::Sha256::new(), size: 0 })
    }

    /// Adds bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Makes it last.
    pub(super) fn end(self) -> io::Result<Part> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(Part { sha256: Sha256::from_bytes(self.hash.finalize().into()), size: self.size })
    }
}

/// Writes a short file.
pub(super) fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<Part> {
    let mut writer = Writer::begin(path, mode)?;
    writer.add(bytes)?;
    writer.end()
}

/// Digest and size of a file.
pub(super) fn measure(path: &Path) -> io::Result<Part> {
    each_piece(path, |_| Ok(()))
}

/// Copies a file, and says what it held.
pub(super) fn copy(from: &Path, to: &Path, mode: u32) -> io::Result<Part> {
    let mut writer = Writer::begin(to, mode)?;
    each_piece(from, |piece| writer.add(piece))?;
    writer.end()
}

fn each_piece(path: &Path, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Part> {
    let mut file = fs_err::File::open(path)?;
    let (mut hash, mut size, mut piece) = (sha2::Sha256::new(), 0, vec![0; PIECE]);
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(Part { sha256: Sha256::from_bytes(hash.finalize().into()), size });
        }
        take(&piece[..read])?;
        hash.update(&piece[..read]);
        size += read as u64;
    }
}

/// Makes a folder and those above it, for this user alone.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot make the folder {}: {error}", path.display()))
    })
}

/// Makes the entries of a folder and of all below it last.
pub(super) fn sync_folders(path: &Path) -> io::Result<()> {
    for entry in fs_err::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(path)
}

/// Makes the entries of one folder last.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    fs_err::File::open(path)?.sync_all()
}

/// The files below a folder, as paths from there; a file itself is the empty path, and what is not there has none.
pub(super) fn files_below(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![PathBuf::new()]);
    }
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs_err::read_dir(path)? {
        let entry = entry?;
        let name = PathBuf::from(entry.file_name());
        if entry.file_type()?.is_dir() {
            found.extend(files_below(&entry.path())?.into_iter().map(|below| name.join(below)));
        } else {
            found.push(name);
        }
    }
    Ok(found)
}
