//! Folders into bundles.

mod find;
mod git_objects;
mod ignore_rules;
mod links;
mod walk;

use std::fmt;
use std::path::Path;

pub use find::find_skills;

use crate::{Bundle, BundleBuilder, BundleError, BundlePath, Junk, Limits};

/// Which files of a folder are the skill's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackRules {
    /// For publishing, and for installing from a folder: what people keep beside a skill stays out (docs/FORMAT.md,
    /// "Packing").
    Publish,
    /// For files that somebody else has chosen already: all of them but [`Junk`].
    Source,
    /// For looking at a folder as it lies there: all of it but the objects of git. What cannot be read is in
    /// [`Packed::unread`] and ends nothing.
    Everything,
}

/// A bundle made from a folder, and an account of every entry of that folder.
#[derive(Debug)]
pub struct Packed {
    /// The bundle.
    pub bundle: Bundle,
    /// What went in, in byte order.
    pub included: Vec<Included>,
    /// What stayed out, in byte order; a folder stands for all that is in it and ends in `/`.
    pub excluded: Vec<Excluded>,
    /// Links that were packed as what they point to, in byte order.
    pub links: Vec<FollowedLink>,
    /// The ignore rule that names `SKILL.md`, which is packed all the same.
    pub skill_md_rule: Option<IgnoreRule>,
    /// What [`PackRules::Everything`] could not read, in byte order; empty with other rules, which refuse the folder.
    pub unread: Vec<Unread>,
}

/// An entry that could not be read, or that no bundle can hold.
#[derive(Debug)]
pub struct Unread {
    /// Where it lies below the folder.
    pub path: String,
    /// Why.
    pub error: BundleError,
}

/// A file that went in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included {
    /// Its path in the bundle.
    pub path: BundlePath,
    /// Bytes.
    pub size: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
}

/// A file or folder that stayed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Where it lies below the folder.
    pub path: String,
    /// Why.
    pub reason: Exclusion,
}

/// Why something stayed out. `Display` gives the words for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exclusion {
    /// Never in any bundle.
    Junk(Junk),
    /// `node_modules`.
    Dependencies,
    /// `.env`.
    Secret,
    /// A name that starts with `.git`.
    GitFile,
    /// A name that starts with a dot; `.skillignore` may take it back in with `!`.
    DotName,
    /// `skill-card.md` at the root, which ClawHub writes.
    SkillCard,
    /// A `.skill` file at the root, which packing the folder writes.
    Packed,
    /// So many objects of git, below the folder that is named: compressed, and run by nothing.
    GitObjects(u64),
    /// An ignore file says so.
    Rule(IgnoreRule),
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Junk(junk) => junk.fmt(f),
            Self::Dependencies => f.write_str("dependencies, always"),
            Self::Secret => f.write_str("secret file, always"),
            Self::GitFile => f.write_str("git's own file, always"),
            Self::DotName => f.write_str("dot name, unless .skillignore takes it in"),
            Self::SkillCard => f.write_str("made by ClawHub, always"),
            Self::Packed => f.write_str("a packed skill, always"),
            Self::GitObjects(1) => f.write_str("1 object of git"),
            Self::GitObjects(count) => write!(f, "{count} objects of git"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

/// A line of an ignore file at the root of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
    /// `.gitignore`, `.clawhubignore` or `.skillignore`.
    pub file: &'static str,
    /// From 1.
    pub line: usize,
    /// The line.
    pub pattern: String,
}

impl fmt::Display for IgnoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}: `{}`", self.file, self.line, self.pattern)
    }
}

/// A link that was packed as what it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedLink {
    /// Where the link is, below the folder.
    pub link: String,
    /// What it says.
    pub target: String,
}

/// Takes out of the bundle of an archive what is published from no folder either, and says what: secrets, dependencies,
/// git's own files. Dot names stay, as whoever packed the archive has chosen them.
pub fn as_published(bundle: Bundle, limits: &Limits) -> Result<(Bundle, Vec<Excluded>), BundleError> {
    let never = |path: &BundlePath| ignore_rules::never_published(path.as_str());
    if bundle.files().all(|(path, _)| never(path).is_none()) {
        return Ok((bundle, Vec::new()));
    }
    let mut builder = BundleBuilder::new(*limits);
    let mut excluded = Vec::new();
    for (path, file) in bundle.files() {
        match never(path) {
            Some(reason) => excluded.push(Excluded { path: path.as_str().to_owned(), reason }),
            None => builder.add(path.clone(), file.executable(), file.content().to_vec())?,
        }
    }
    Ok((builder.finish()?, excluded))
}

/// Packs a folder.
///
/// `folder` itself may be a link; it is resolved once. Nothing below it is opened through a link: a link that ends
/// inside the folder is resolved by reading it, and packed as the file or folder it names; any other refuses the
/// bundle.
pub fn pack_folder(folder: &Path, rules: PackRules, limits: &Limits) -> Result<Packed, BundleError> {
    walk::pack(folder, rules, limits)
}
