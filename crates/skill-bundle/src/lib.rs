//! Bundles: the set of files a skill is made of, as bytes, as an archive and as a folder.
//!
//! A [`Bundle`] is a set of (path, executable bit, bytes) that was checked once, at the door: a folder
//! ([`pack_folder`]) or an archive ([`read_archive`]) comes in through a [`BundleBuilder`] and nowhere else,
//! so that whoever holds a `Bundle` need not ask again whether its paths are safe, collide, or are too many.
//! Whatever is refused is refused with a [`BundleError`] of its own and a stable code.
//!
//! - [`BundlePath`] is a path that means the same file on every system.
//! - [`Tree`] is what is signed and what a disk is checked against: paths, modes, sizes and digests.
//! - [`archive`] reads zip and tar strictly and writes the one canonical zip.
//! - [`disk`] writes a bundle below an opened folder, and reads an installed one back without following links.
//!
//! docs/FORMAT.md specifies the formats. The crate reads files where it is told to; it neither prints nor
//! reads the environment or the clock.

pub mod archive;
mod builder;
mod bundle;
mod digesting;
pub mod disk;
mod error;
mod fingerprint;
mod junk;
mod limits;
mod nofollow;
pub mod pack;
mod path;
mod tree;

pub use archive::{Canonical, Opened, Skipped, open_archive, read_archive, read_entry, write_canonical};
pub use builder::BundleBuilder;
pub use bundle::{Bundle, BundleFile, SKILL_MD};
pub use error::{ArchiveError, BundleError};
pub use fingerprint::clawhub_fingerprint;
pub use junk::Junk;
pub use limits::Limits;
pub use pack::{PackRules, Packed, Unread, as_published, find_skills, pack_folder};
pub use path::{BundlePath, MAX_PATH_BYTES, PathError, PathRule};
pub use tree::{Mode, Tree, TreeEntry, TreeError};
