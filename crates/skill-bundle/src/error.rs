use std::io;
use std::path::PathBuf;

use crate::PathError;

mod archive;
pub use archive::ArchiveError;

/// Why a folder or an archive is no bundle. One variant per attack and per limit.
///
/// Whoever gets one has got nothing: no bundle, and nothing on disk.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A path that breaks a rule.
    #[error("{}{error}", entry.map(|number| format!("entry {number}: ")).unwrap_or_default())]
    Path {
        /// The entry of the archive that has it, counted from 1; none in a folder.
        entry: Option<u64>,
        /// Path and rule.
        error: PathError,
    },
    /// A path that is longer than the limits allow.
    #[error("`{path}` is longer than {limit} bytes")]
    PathLong {
        /// The path.
        path: String,
        /// Bytes allowed.
        limit: u32,
    },
    /// A file that was written while it was read.
    #[error("`{path}` was changed while it was read")]
    Changed {
        /// The path.
        path: String,
    },
    /// An ignore file that is not UTF-8: what it means to keep out is not known.
    #[error("`{file}` is not UTF-8")]
    IgnoreEncoding {
        /// Its name.
        file: &'static str,
    },
    /// A line of an ignore file that is no pattern.
    #[error("line {line} of `{file}` is no pattern: `{}`", pattern.escape_debug())]
    IgnorePattern {
        /// The file's name.
        file: &'static str,
        /// From 1.
        line: usize,
        /// The line.
        pattern: String,
    },
    /// Two paths that are one on a file system without letter case, or without Unicode's second spellings.
    #[error("`{first}` and `{second}` are the same path on some systems")]
    Collision {
        /// The one that came first.
        first: String,
        /// The other.
        second: String,
    },
    /// One path twice.
    #[error("`{path}` is there twice")]
    Duplicate {
        /// The path.
        path: String,
    },
    /// A path that is a file and also a folder.
    #[error("`{path}` is a file and also a folder")]
    FileFolder {
        /// The path.
        path: String,
    },
    /// A link whose target lies outside.
    #[error("`{link}` is a link that leaves the bundle, to `{target}`")]
    LinkOutside {
        /// Where the link is.
        link: String,
        /// What it says.
        target: String,
    },
    /// A link whose target is not there.
    #[error("`{link}` is a link to `{target}`, which is not there")]
    LinkDangling {
        /// Where the link is.
        link: String,
        /// What it says.
        target: String,
    },
    /// A link that comes back to itself.
    #[error("`{link}` is a link to `{target}`, which leads back to it")]
    LinkLoop {
        /// Where the link is.
        link: String,
        /// What it says.
        target: String,
    },
    /// A link in an archive whose target lies inside: readers of archives differ in what they make of it.
    #[error("`{link}` is a link to `{target}`, and links in archives are not followed")]
    LinkInArchive {
        /// Where the link is.
        link: String,
        /// What it says.
        target: String,
    },
    /// A device, a pipe, a socket: anything but a file or a folder.
    #[error("`{path}` is {kind}, not a file")]
    SpecialFile {
        /// Where it is.
        path: String,
        /// What it is, with its article.
        kind: &'static str,
    },
    /// A file above the limit.
    #[error("`{path}` holds {size} bytes, {limit} are allowed")]
    FileLarge {
        /// The file.
        path: String,
        /// Its bytes.
        size: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// All files together are above the limit.
    #[error("the files hold more than {limit} bytes in all, at `{path}`")]
    Large {
        /// The file that went over it.
        path: String,
        /// Bytes allowed.
        limit: u64,
    },
    /// The archive itself is above the limit.
    #[error("the archive holds {size} bytes, {limit} are allowed")]
    ArchiveLarge {
        /// Its bytes.
        size: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// More files, or more entries, than allowed.
    #[error("there are more than {limit} {what}")]
    FilesMany {
        /// `files`, or `entries` of an archive.
        what: &'static str,
        /// Number allowed.
        limit: u64,
    },
    /// More bytes come out than the archive announces, or than anything within the limits needs.
    #[error("unpacking stopped at {stopped_at} bytes, more than the archive announced")]
    Bomb {
        /// Bytes that had come out.
        stopped_at: u64,
    },
    /// More comes out of the archive than anything real packs so small.
    #[error("the archive holds {packed} bytes and unpacks to more than {allowed}")]
    Ratio {
        /// Bytes of the archive.
        packed: u64,
        /// Bytes that an archive of that size may unpack to.
        allowed: u64,
    },
    /// An archive that readers may disagree about, or that is damaged.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// No `SKILL.md` at the root.
    #[error("there is no SKILL.md in {searched}")]
    NoSkillMd {
        /// What was searched.
        searched: String,
        /// Which ignore rules hold there, as `.gitignore` and so on.
        ignore_files: Vec<String>,
    },
    /// `skill.md` and `SKILL.md` side by side.
    #[error("`{first}` and `{second}` are both the skill's main file")]
    TwoSkillMd {
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// `skills.md` where `SKILL.md` should be.
    #[error("`{path}` is not read: rename it to SKILL.md")]
    SkillsMd {
        /// As it is spelled.
        path: String,
    },
    /// Several skills, none of them at the root, or one that lies deeper.
    #[error("no SKILL.md at its root, but in {}", folders.join(", "))]
    Several {
        /// Folders that hold a `SKILL.md`, in byte order.
        folders: Vec<String>,
    },
    /// No file at all.
    #[error("there is no file in {searched}")]
    Empty {
        /// What was searched.
        searched: String,
    },
    /// Nothing is there.
    #[error("there is nothing at {}", path.display())]
    NotFound {
        /// Where.
        path: PathBuf,
    },
    /// Something is there, and it is not a folder.
    #[error("{} is not a folder", path.display())]
    NotAFolder {
        /// Where.
        path: PathBuf,
    },
    /// The system did not let us read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// What was read.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl BundleError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Path { error, .. } => error.code(),
            Self::PathLong { .. } => "bundle-path-long",
            Self::Collision { .. } => "bundle-path-collision",
            Self::Duplicate { .. } => "bundle-duplicate",
            Self::FileFolder { .. } => "bundle-file-folder",
            Self::LinkOutside { .. } => "bundle-link-outside",
            Self::LinkDangling { .. } => "bundle-link-dangling",
            Self::LinkLoop { .. } => "bundle-link-loop",
            Self::Changed { .. } => "bundle-changed",
            Self::IgnoreEncoding { .. } | Self::IgnorePattern { .. } => "bundle-ignore-file",
            Self::SpecialFile { .. } | Self::LinkInArchive { .. } => "bundle-special-file",
            Self::FileLarge { .. } => "bundle-file-large",
            Self::Large { .. } | Self::ArchiveLarge { .. } => "bundle-large",
            Self::FilesMany { .. } => "bundle-files-many",
            Self::Bomb { .. } | Self::Ratio { .. } => "bundle-bomb",
            Self::Archive(error) => error.code(),
            Self::NoSkillMd { .. } => "bundle-no-skill-md",
            Self::TwoSkillMd { .. } => "bundle-two-skill-md",
            Self::SkillsMd { .. } => "bundle-skills-md",
            Self::Several { .. } => "source-several",
            Self::Empty { .. } => "bundle-empty",
            Self::NotFound { .. } | Self::NotAFolder { .. } => "path-not-found",
            Self::Io { error, .. } => io_code(error),
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::Io { path: path.into(), error }
    }
}

/// The stable code of what the system said.
pub(crate) fn io_code(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "disk-full",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "disk-denied",
        _ => "disk-io",
    }
}
