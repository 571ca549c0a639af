//! A skill in a folder of this machine.

use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

use skill_bundle::{Bundle, Limits, PackRules, Tree, open_archive, pack_folder, write_canonical};
use skill_core::digest::TreeDigest;
use skill_core::frontmatter::Frontmatter;
use skill_core::name::Slug;

use super::Desk;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::Message;
use crate::text::quote;

/// A folder, packed by the rules of a publish.
#[derive(Debug)]
pub(super) struct Folder {
    /// What the lock keeps: relative to the work directory where possible.
    pub recorded: String,
    /// The folder as text shows it.
    pub shown: String,
    /// The files.
    pub bundle: Bundle,
    /// What stayed out and why.
    pub excluded: Vec<(String, String)>,
    /// Links that were packed as what they point to.
    pub links: Vec<(String, String)>,
    /// The folder's own name.
    base_name: String,
}

impl Folder {
    /// Packs a folder. `typed` tells a path of the command line, which is relative to the current
    /// folder, from one of skills.toml or the lock, which is relative to the work directory.
    ///
    /// # Errors
    /// `path-not-found`, `bundle-…`, `disk-…`.
    pub(super) fn pack(desk: &Desk<'_>, path: &str, typed: bool) -> Result<Self, Failure> {
        let full = absolute(desk, path, typed);
        let shown = if typed { quote::path(path) } else { desk.context.shown(&full) };
        let packed = pack_folder(&full, PackRules::Publish, &Limits::default())
            .map_err(|error| Failure::of_bundle(&error, &shown).nothing_changed())?;
        // `.` and `..` have no name of their own.
        let real = fs_err::canonicalize(&full).unwrap_or_else(|_| full.clone());
        Ok(Self {
            recorded: recorded(desk, path, typed),
            shown,
            bundle: packed.bundle,
            excluded: packed.excluded.into_iter().map(|out| (out.path, out.reason.to_string())).collect(),
            links: packed.links.into_iter().map(|link| (link.link, link.target)).collect(),
            base_name: real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        })
    }

    /// The files of a locked folder as they were kept at its install; none if they are not here, or
    /// are not what is locked.
    pub(super) fn kept(desk: &Desk<'_>, path: &str, locked: TreeDigest) -> Option<Self> {
        let archive = desk.cache.tree(locked).ok()??;
        let (bundle, _) = open_archive(&mut Cursor::new(archive), &Limits::default()).ok()?;
        (Tree::of(&bundle).digest() == locked).then(|| Self {
            recorded: path.to_owned(),
            shown: quote::path(path),
            bundle,
            excluded: Vec::new(),
            links: Vec::new(),
            base_name: String::new(),
        })
    }

    /// Keeps the files, so that the lock can be restored after the folder is gone.
    pub(super) fn keep(desk: &Desk<'_>, bundle: &Bundle, tree: TreeDigest) -> std::io::Result<()> {
        let mut archive = Vec::new();
        write_canonical(bundle, &mut archive)?;
        desk.cache.keep_tree(tree, &archive)
    }

    /// What it is called: the name in SKILL.md if it is a slug, else the folder's name as one.
    ///
    /// # Errors
    /// `slug-underivable`.
    pub(super) fn slug(&self) -> Result<Slug, Failure> {
        let named = Frontmatter::read(self.bundle.skill_md()).ok();
        let named = named.and_then(|frontmatter| frontmatter.fields.get("name")?.as_str()?.parse().ok());
        named.or_else(|| Slug::slugify(&self.base_name)).ok_or_else(|| {
            Failure::new(Code::SlugUnderivable, format!("no name follows from {}", self.shown))
                .because("a name is a-z, 0-9 and single hyphens between them")
                .nothing_changed()
                .hint("add `--as NAME`")
        })
    }

    /// What was left out or followed, as one warning each.
    pub(super) fn tell(&self, desk: &Desk<'_>) {
        const SHOWN: usize = 3;
        let all = desk.context.screen.is_verbose();
        let warn = |code: Code, head: String, lines: &[(String, String)], join: &str| {
            if lines.is_empty() {
                return;
            }
            let shown = if all { lines.len() } else { SHOWN };
            let mut message = Message::warning(code, head);
            for (left, right) in lines.iter().take(shown) {
                message = message.line(format!("{left}{join}{right}"));
            }
            if let Some(more) = lines.len().checked_sub(shown).filter(|more| *more > 0) {
                message = message.line(format!("and {more} more (--verbose shows all)"));
            }
            desk.context.screen.tell(&message);
        };
        let count = crate::text::number::counted(self.excluded.len(), "entry", "entries");
        warn(Code::FileSkipped, format!("{count} of {} left out", self.shown), &self.excluded, "  ");
        let count = crate::text::number::counted(self.links.len(), "link", "links");
        let head = format!("{count} of {} packed as what they point to", self.shown);
        warn(Code::LinkFollowed, head, &self.links, " -> ");
    }
}

fn absolute(desk: &Desk<'_>, path: &str, typed: bool) -> PathBuf {
    if typed { desk.context.absolute(path) } else { desk.workdir.root().join(path) }
}

/// A path as lock and skills.toml keep it: relative to the work directory, with `/`.
pub(super) fn recorded(desk: &Desk<'_>, path: &str, typed: bool) -> String {
    if !typed {
        return path.to_owned();
    }
    let full = absolute(desk, path, typed);
    let real = |path: &Path| fs_err::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    relative(&real(&full), &real(desk.workdir.root()))
}

/// `full` seen from `base`; both absolute and without `.` and `..`.
fn relative(full: &Path, base: &Path) -> String {
    let (full, base): (Vec<_>, Vec<_>) = (full.components().collect(), base.components().collect());
    let shared = full.iter().zip(&base).take_while(|(one, other)| one == other).count();
    let up = base.len() - shared;
    let mut parts: Vec<String> = vec!["..".to_owned(); up];
    if up == 0 {
        parts.push(".".to_owned());
    }
    let down = full[shared..].iter().filter(|part| matches!(part, Component::Normal(_)));
    parts.extend(down.map(|part| part.as_os_str().to_string_lossy().into_owned()));
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_kept_relative_to_the_work_directory() {
        let relative = |full: &str, base: &str| relative(Path::new(full), Path::new(base));
        assert_eq!(relative("/w/dirry", "/w"), "./dirry");
        assert_eq!(relative("/dirry", "/w"), "../dirry");
        assert_eq!(relative("/a/b", "/w/x"), "../../a/b");
        assert_eq!(relative("/w", "/w"), ".");
    }
}
