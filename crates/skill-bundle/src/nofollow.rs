//! Reading folders one name at a time, so that no link is ever gone through: the kernel gets an open folder and a
//! single name, with `O_NOFOLLOW`. What a name was when it was listed is asked again of the opened file.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};

/// What a name in a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// With its article.
    Special(&'static str),
}

impl Kind {
    /// In words, with its article.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Special(kind) => kind,
        }
    }

    fn of(file_type: FileType) -> Self {
        match file_type {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Special("a named pipe"),
            FileType::Socket => Self::Special("a socket"),
            FileType::CharacterDevice | FileType::BlockDevice => Self::Special("a device"),
            FileType::Unknown => Self::Special("of an unknown kind"),
        }
    }
}

/// One name in a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: Kind,
}

/// A regular file, opened for reading.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) file: File,
    pub(crate) size: u64,
    pub(crate) executable: bool,
    times: Times,
}

/// When content and entry of a file were changed last: seconds and nanoseconds of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Times([i64; 4]);

impl Times {
    const fn of(stat: &rustix::fs::Stat) -> Self {
        Self([stat.st_mtime, stat.st_mtime_nsec as i64, stat.st_ctime, stat.st_ctime_nsec as i64])
    }
}

/// Opens a folder by its path; its last segment must not be a link, those before it may be.
pub(crate) fn open_root(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// The names in an open folder, in byte order.
pub(crate) fn list(folder: impl AsFd) -> io::Result<Vec<Entry>> {
    let folder = folder.as_fd();
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => kind_of(folder, name)?,
            known => Kind::of(known),
        };
        entries.push(Entry { name: name.to_vec(), kind });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// What one name in an open folder is.
pub(crate) fn kind_of(folder: impl AsFd, name: &[u8]) -> io::Result<Kind> {
    let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(Kind::of(FileType::from_raw_mode(stat.st_mode)))
}

/// Opens a folder in an open folder.
pub(crate) fn open_folder(folder: impl AsFd, name: &[u8]) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::empty())?)
}

/// Opens a regular file in an open folder. `Err(kind)` inside if it has become something else since it was
/// listed; a pipe put in its place does not block.
pub(crate) fn open_file(folder: impl AsFd, name: &[u8]) -> io::Result<Result<Opened, Kind>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let fd = match openat(folder, name, flags, Mode::empty()) {
        Ok(fd) => fd,
        Err(rustix::io::Errno::LOOP) => return Ok(Err(Kind::Link)),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&fd)?;
    match Kind::of(FileType::from_raw_mode(stat.st_mode)) {
        Kind::File => Ok(Ok(Opened {
            file: fd.into(),
            size: stat.st_size as u64,
            executable: stat.st_mode & 0o100 != 0,
            times: Times::of(&stat),
        })),
        other => Ok(Err(other)),
    }
}

/// What a link in an open folder says.
pub(crate) fn read_link(folder: impl AsFd, name: &[u8]) -> io::Result<Vec<u8>> {
    Ok(rustix::fs::readlinkat(folder, name, Vec::new())?.into_bytes())
}

/// A name as the kernel takes it, as a path.
pub(crate) fn as_path(name: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(name))
}

/// The bytes of an opened file, one more than `limit` at most. None of a file that was changed since it was opened:
/// what was read may be half of one content and half of another.
///
/// A file's times change when a write begins and not while it goes on, so the bytes are read a second time, too.
pub(crate) fn read_bytes(opened: &Opened, limit: u64) -> io::Result<Option<Vec<u8>>> {
    use std::io::{Read as _, Seek as _};
    let mut bytes = Vec::with_capacity(opened.size.min(limit) as usize);
    (&opened.file).take(limit + 1).read_to_end(&mut bytes)?;
    (&opened.file).rewind()?;
    let same = is_still(&bytes, (&opened.file).take(limit + 1))?;
    let now = rustix::fs::fstat(&opened.file)?;
    let same = same && now.st_size as u64 == opened.size && Times::of(&now) == opened.times;
    Ok(same.then_some(bytes))
}

/// Whether the reader gives exactly these bytes.
fn is_still(mut bytes: &[u8], mut reader: impl io::Read) -> io::Result<bool> {
    let mut part = vec![0; 64 << 10];
    loop {
        match reader.read(&mut part) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(count) => match bytes.strip_prefix(part.get(..count).unwrap_or_default()) {
                Some(rest) => bytes = rest,
                None => return Ok(false),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
