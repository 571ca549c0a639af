//! Archives: strict readers of zip and tar, and the one writer of the canonical zip.
//!
//! **Reading** either gives what every other reader gives, or refuses, with one exception: names in a zip that unix made
//! are UTF-8 whether they are marked or not, where a few readers (Python's) take DOS's code page. Archives are taken apart by the `zip` and `tar`
//! crates, each behind one door, and those are as lenient as readers of archives are; what is strict stands around
//! them here. A zip's own list is judged against every entry's header first, entries have to cover the file
//! without gap or overlap, and where the judge and the crate see different things the archive is refused. Bytes are
//! counted while they come out and checksums compared. They stay in memory; nothing is written to disk.
//!
//! **Writing** ([`write_canonical`]) gives one zip for one bundle and one encoder version; see its page.

mod format;
mod gz;
mod tar;
mod zip;
mod zst;

use std::io::{Read, Seek, SeekFrom, Write};

use skill_core::digest::Sha256;

use self::format::Format;
use self::{tar as tarball, zip as zipfile};
use crate::{Bundle, BundleBuilder, BundleError, BundlePath, Junk, Limits, PathError, path};

/// An entry that was left out, whatever the source: version control's and operating systems' own files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path inside the archive, as the archive has it; it may hold control characters.
    pub path: String,
    /// What it is.
    pub junk: Junk,
}

/// The files of an archive, checked, before it is said where in it the skill lies.
#[derive(Debug)]
pub struct Opened {
    builder: BundleBuilder,
    skipped: Vec<Skipped>,
}

impl Opened {
    /// The folders that hold a `SKILL.md`, in byte order; the root is the empty text.
    pub fn skills(&self) -> Vec<String> {
        self.builder.skills()
    }

    /// The `SKILL.md` of one of [`Opened::skills`].
    pub fn skill_md(&self, folder: &str) -> Option<&[u8]> {
        self.builder.skill_md(folder)
    }

    /// What was left out.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The folder that wraps all files and is taken off, if the skill lies in it: many tools pack
    /// a folder, not what is in it.
    pub fn wrapper(&self) -> Option<String> {
        let skills = self.skills();
        let wrapper = self.builder.wrapper()?;
        skills.contains(&wrapper).then_some(wrapper)
    }

    /// The skill at the root, or in the one folder at the root.
    ///
    /// Skills elsewhere are [`BundleError::Several`], which lists their folders for [`Opened::into_bundle_at`].
    pub fn into_bundle(self) -> Result<(Bundle, Vec<Skipped>), BundleError> {
        let skills = self.skills();
        if skills.iter().any(String::is_empty) {
            return Ok((self.builder.finish()?, self.skipped));
        }
        if let Some(wrapper) = self.wrapper() {
            return Ok((self.builder.narrowed_to(&wrapper).finish()?, self.skipped));
        }
        if skills.is_empty() {
            let builder = match self.builder.wrapper() {
                Some(wrapper) => self.builder.narrowed_to(&wrapper),
                None => self.builder,
            };
            return Ok((builder.finish()?, self.skipped));
        }
        Err(BundleError::Several { folders: skills })
    }

    /// The skill in one folder of the archive; the folder may be named with or without the one at the root that
    /// wraps everything.
    pub fn into_bundle_at(self, folder: &str) -> Result<(Bundle, Vec<Skipped>), BundleError> {
        let folder = folder.trim_end_matches('/');
        let skills = self.skills();
        let wrapped = self.builder.wrapper().map(|wrapper| format!("{wrapper}/{folder}"));
        let chosen = std::iter::once(folder.to_owned()).chain(wrapped).find(|path| skills.contains(path));
        match chosen {
            Some(path) if path.is_empty() => Ok((self.builder.finish()?, self.skipped)),
            Some(path) => Ok((self.builder.narrowed_to(&path).finish()?, self.skipped)),
            None if skills.is_empty() => Err(BundleError::NoSkillMd {
                searched: format!("the folder `{folder}` of the archive"),
                ignore_files: Vec::new(),
            }),
            None => Err(BundleError::Several { folders: skills }),
        }
    }
}

/// Reads a zip, a tar, or a tar packed with gzip or zstd, told apart by their first bytes, from its beginning.
///
/// Every file is kept but version control's and operating systems' own, which are reported.
pub fn read_archive<R: Read + Seek>(reader: &mut R, limits: &Limits) -> Result<Opened, BundleError> {
    let broken = |error| BundleError::io("the archive", error);
    let size = reader.seek(SeekFrom::End(0)).map_err(broken)?;
    if size > limits.archive_bytes {
        return Err(BundleError::ArchiveLarge { size, limit: limits.archive_bytes });
    }
    reader.seek(SeekFrom::Start(0)).map_err(broken)?;
    let mut magic = Vec::with_capacity(tarball::BLOCK);
    reader.by_ref().take(tarball::BLOCK as u64).read_to_end(&mut magic).map_err(broken)?;
    reader.seek(SeekFrom::Start(0)).map_err(broken)?;
    let mut intake = Intake::new(*limits, size);
    match Format::of(&magic)? {
        Format::Zip => zipfile::read(reader, size, &mut intake)?,
        Format::Tar => tarball::read(reader, &mut intake)?,
        Format::GzipTar => gz::read_tar(reader, &mut intake)?,
        Format::ZstdTar => zst::read_tar(reader, &magic, &mut intake)?,
    }
    Ok(Opened { builder: intake.builder, skipped: intake.skipped })
}

/// [`read_archive`] and [`Opened::into_bundle`] in one.
pub fn open_archive<R: Read + Seek>(
    reader: &mut R,
    limits: &Limits,
) -> Result<(Bundle, Vec<Skipped>), BundleError> {
    read_archive(reader, limits)?.into_bundle()
}

/// What [`write_canonical`] wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// SHA-256 of the archive.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
}

/// Writes the canonical zip of a bundle (docs/FORMAT.md, "Archive") and digests it on the way.
///
/// Entries stand in byte order of their paths; each has the time 1980-01-01 00:00:00, the unix mode `100644` or `100755`,
/// deflate at level 6 whatever it saves, sizes and CRC in its local header, the UTF-8 flag iff its path is not ASCII,
/// and no extra field; there are no folder entries and no comments.
///
/// **Reproducibility.** Deflate leaves its encoder free, so the same bundle gives the same bytes for
/// one version of the encoder (zlib-rs, behind the `zip` crate), which golden vectors in the tests pin. Nothing relies on more: what a bundle *is*
/// is its tree digest, and an archive digest is fixed by the first accepted publish of a release, not computed again.
pub fn write_canonical<W: Write>(bundle: &Bundle, out: W) -> std::io::Result<Canonical> {
    zipfile::write(bundle, out)
}

/// Reads one file of a zip without unpacking the others. `None` if there is no such file.
///
/// The archive's list and the entry's own header, size and checksum are held to the same rules as in [`read_archive`].
pub fn read_entry<R: Read + Seek>(
    zip: &mut R,
    path: &BundlePath,
    limits: &Limits,
) -> Result<Option<Vec<u8>>, BundleError> {
    zipfile::read_one(zip, path, limits)
}

/// Where the readers put what they find.
struct Intake {
    builder: BundleBuilder,
    skipped: Vec<Skipped>,
    limits: Limits,
    /// Bytes of the archive.
    packed: u64,
    /// Bytes of entries that were left out.
    skipped_bytes: u64,
}

impl Intake {
    fn new(limits: Limits, packed: u64) -> Self {
        let builder = BundleBuilder::new(limits);
        Self { builder, skipped: Vec::new(), limits, packed, skipped_bytes: 0 }
    }

    /// Whether an archive of this size may unpack to so many bytes.
    fn check_ratio(&self, unpacked: u64) -> Result<(), BundleError> {
        let allowed = Limits::unpacked(self.packed);
        if unpacked > allowed { Err(BundleError::Ratio { packed: self.packed, allowed }) } else { Ok(()) }
    }

    /// Counts an entry that is left out and unpacked all the same: together they may be as large as a bundle.
    fn pass_over(&mut self, name: &str, size: u64) -> Result<(), BundleError> {
        self.skipped_bytes = self.skipped_bytes.saturating_add(size);
        if self.skipped_bytes > self.limits.bundle_bytes {
            return Err(BundleError::Large { path: name.to_owned(), limit: self.limits.bundle_bytes });
        }
        Ok(())
    }

    /// Checks an entry's path; `None` for what is left out, which is then noted.
    fn path(&mut self, entry: u64, name: &[u8]) -> Result<Option<BundlePath>, BundleError> {
        let refused = |error| BundleError::Path { entry: Some(entry), error };
        if let Ok(name) = str::from_utf8(name)
            && let Some((junk, folder)) = Junk::in_path(name)
        {
            if let Some(rule) = path::misleading(name) {
                return Err(refused(PathError { path: name.to_owned(), rule }));
            }
            if !folder.is_empty() {
                self.builder.claim_folder(&BundlePath::parse(folder).map_err(refused)?)?;
            }
            self.skipped.push(Skipped { path: name.to_owned(), junk });
            return Ok(None);
        }
        BundlePath::from_bytes(name).map(Some).map_err(refused)
    }
}

/// Whether content without a mode of its own is a script.
fn has_shebang(content: &[u8]) -> bool {
    content.starts_with(b"#!")
}

/// The error for a link in an archive: it leaves the archive, or lies inside and is refused all the same.
fn refuse_link(link: &str, target: &[u8]) -> BundleError {
    let target = String::from_utf8_lossy(target).into_owned();
    let mut depth = link.split('/').count() - 1;
    let leaves = target.split('/').any(|segment| match segment {
        "" | "." => false,
        ".." if depth == 0 => true,
        ".." => {
            depth -= 1;
            false
        }
        _ => {
            depth += 1;
            false
        }
    });
    let link = link.to_owned();
    if leaves || target.starts_with('/') {
        BundleError::LinkOutside { link, target }
    } else {
        BundleError::LinkInArchive { link, target }
    }
}
