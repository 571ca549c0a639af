//! A skill on this machine, as an author's command sees it: what goes in, what stays out, and what
//! it is called.

use std::path::{Path, PathBuf};

use fs_err as fs;
use serde_json::{Value, json};
use skill_bundle::{
    Bundle, BundleError, Limits, PackRules, Tree, Unread, as_published, pack_folder, read_archive,
};
use skill_core::diagnostic::{Diagnostic, Level};
use skill_core::frontmatter::Frontmatter;
use skill_core::manifest::Manifest;
use skill_core::name::Slug;

use crate::code::Code;
use crate::context::Context;
use crate::failure::{Failure, NOTHING_SENT};
use crate::report::{Block, Cell, Column, Hint, Line, Row, Table};
use crate::text::{number, quote};

/// A folder or an archive, packed as it would be published, or looked at as it is.
#[derive(Debug)]
pub struct Packing {
    /// The files.
    pub bundle: Bundle,
    /// Their tree.
    pub tree: Tree,
    /// What stayed out, and why; a folder stands for all in it and ends in `/`.
    pub excluded: Vec<(String, String)>,
    /// What could not be read; empty where it was packed to be published, which refuses it.
    pub unread: Vec<Unread>,
    /// Links that were packed as what they point to.
    pub links: Vec<(String, String)>,
    /// The path as text shows it.
    pub shown: String,
    /// The path as it was given, for commands to copy; a folder inside of a folder with it.
    pub given: PathBuf,
    /// The folder inside of an archive that was asked for.
    inner: Option<String>,
    /// The absolute path of the folder or archive.
    pub place: PathBuf,
    /// Whether it is an archive.
    pub is_archive: bool,
    /// Name of the folder, or of the archive without its ending.
    pub base_name: String,
}

impl Packing {
    /// Packs a folder, or opens an archive; `subpath` is a folder inside.
    ///
    /// # Errors
    /// `bundle-…`, `path-not-found`, `source-several`, `subpath-parent`, `disk-…`.
    pub fn read(context: &Context, path: &Path, subpath: Option<&Path>) -> Result<Self, Failure> {
        Self::open(context, path, subpath, PackRules::Publish)
    }

    /// Reads all that is in a folder, whatever its ignore files and names say, or all that is unpacked of an archive.
    ///
    /// # Errors
    /// The same, but for single files: those are in [`Packing::unread`].
    pub fn look_at(context: &Context, path: &Path, subpath: Option<&Path>) -> Result<Self, Failure> {
        Self::open(context, path, subpath, PackRules::Everything)
    }

    fn open(
        context: &Context,
        path: &Path,
        subpath: Option<&Path>,
        rules: PackRules,
    ) -> Result<Self, Failure> {
        let full = context.absolute(path);
        let subpath = subpath.map(inner_path).transpose()?;
        if full.is_file() {
            if base_name(&full).eq_ignore_ascii_case("SKILL.md") {
                return Err(no_folder(context, &full));
            }
            return Self::archive(context, path, full, subpath.as_deref(), rules);
        }
        let inside = |path: &Path| match &subpath {
            Some(inner) => path.join(inner),
            None => path.to_path_buf(),
        };
        Self::folder(context, inside(path), inside(&full), rules)
    }

    fn folder(context: &Context, given: PathBuf, folder: PathBuf, rules: PackRules) -> Result<Self, Failure> {
        let shown = context.shown(&folder);
        let packed = pack_folder(&folder, rules, &limits(rules)).map_err(|error| {
            let mut failure = Failure::of_folder(&error, &shown);
            if rules == PackRules::Everything {
                // Nobody is told how to hide from a scan what it is to look at.
                failure.hints.retain(|hint| !hint.text.contains(".skillignore"));
            }
            // A folder is named itself, whatever the command.
            if let BundleError::Several { folders } = &error
                && let Some(first) = folders.first()
            {
                let one = quote::shell(&given.join(first).to_string_lossy());
                failure.hints = vec![Hint::new(format!("name one of them: `{one}`"))];
            }
            failure
        })?;
        // `.` and `..` have no name of their own.
        let real = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        Ok(Self {
            tree: Tree::of(&packed.bundle),
            bundle: packed.bundle,
            excluded: packed.excluded.into_iter().map(|out| (out.path, out.reason.to_string())).collect(),
            unread: packed.unread,
            links: packed.links.into_iter().map(|link| (link.link, link.target)).collect(),
            shown,
            given,
            inner: None,
            place: folder,
            is_archive: false,
            base_name: base_name(&real),
        })
    }

    fn archive(
        context: &Context,
        given: &Path,
        path: PathBuf,
        subpath: Option<&str>,
        rules: PackRules,
    ) -> Result<Self, Failure> {
        let shown = context.shown(&path);
        let refused = |error: BundleError| Failure::of_bundle(&error, &shown);
        let mut file = fs::File::open(&path).map_err(|error| Failure::disk(&error, &shown))?;
        let opened = read_archive(&mut file, &Limits::default()).map_err(refused)?;
        let opened = match subpath {
            Some(folder) => opened.into_bundle_at(folder),
            None => opened.into_bundle(),
        };
        let (bundle, skipped) = opened.map_err(refused)?;
        let (bundle, never) = match rules {
            PackRules::Publish => as_published(bundle, &Limits::default()).map_err(refused)?,
            PackRules::Source | PackRules::Everything => (bundle, Vec::new()),
        };
        let skipped = skipped.into_iter().map(|out| (out.path, out.junk.to_string()));
        let base_name =
            subpath.map_or_else(|| base_name(&without_ending(&path)), |folder| base_name(Path::new(folder)));
        Ok(Self {
            tree: Tree::of(&bundle),
            bundle,
            excluded: skipped
                .chain(never.into_iter().map(|out| (out.path, out.reason.to_string())))
                .collect(),
            unread: Vec::new(),
            links: Vec::new(),
            shown,
            given: given.to_path_buf(),
            inner: subpath.map(str::to_owned),
            place: path,
            is_archive: true,
            base_name,
        })
    }

    /// What its SKILL.md says, and what had to be forgiven there.
    ///
    /// # Errors
    /// `frontmatter-missing` with the lines to add, `frontmatter-encoding`, `frontmatter-unreadable`,
    /// `frontmatter-fence` where fields stand behind a second fence.
    pub fn manifest(&self) -> Result<(Manifest, Vec<Diagnostic>), Failure> {
        let read = Manifest::read(self.bundle.skill_md(), &self.base_name);
        let (manifest, found) = read.map_err(|error| {
            Failure::new(
                Code::named(error.code()).unwrap_or(Code::FrontmatterUnreadable),
                format!("{}: {error}", self.skill_md()),
            )
            .because_in_text(NOTHING_SENT)
            .hint(error.way_out())
        })?;
        if found.iter().any(|found| found.code == Code::FrontmatterMissing.as_str()) {
            return Err(self.without_frontmatter(&manifest));
        }
        if let Some(line) = Frontmatter::read(self.bundle.skill_md()).ok().and_then(|read| read.ends_early) {
            let fence = format!("{}:{line}: a fence between the fields", self.skill_md());
            return Err(Failure::new(Code::FrontmatterFence, fence)
                .because("other readers end the frontmatter there and see another skill")
                .because_in_text(NOTHING_SENT)
                .hint(format!("run `{}`, which takes it out", self.command(&["skill", "lint", "--fix"]))));
        }
        match found.iter().find(|found| found.severity == Level::Error) {
            Some(error) => Err(Failure::new(
                Code::named(error.code).unwrap_or(Code::FrontmatterUnreadable),
                format!("{}:{}:{}: {}", self.skill_md(), error.line, error.column, error.message),
            )
            .because_in_text(NOTHING_SENT)
            .hint(format!("run `{}` to see each line", self.command(&["skill", "lint"])))),
            None => Ok((manifest, found)),
        }
    }

    /// A command about it, to copy: its path is the one that was given, as `shown` is text.
    pub fn command(&self, words: &[&str]) -> String {
        let given = self.given.to_string_lossy();
        let inner = self.inner.iter().flat_map(|inner| ["--path", inner.as_str()]);
        quote::command(words.iter().copied().chain([given.as_ref()]).chain(inner))
    }

    fn without_frontmatter(&self, manifest: &Manifest) -> Failure {
        let name =
            Slug::slugify(&self.base_name).map_or_else(|| "my-skill".to_owned(), |slug| slug.to_string());
        let description = match manifest.description.trim() {
            "" => "What it does, and when to use it.",
            text => text,
        };
        let mut failure =
            Failure::new(Code::FrontmatterMissing, format!("{} has no frontmatter", self.skill_md()))
                .because("a published skill needs a name and a description")
                .because_in_text(NOTHING_SENT)
                .hint(format!("put these lines at the top of {}", self.skill_md()));
        if let Some(hint) = failure.hints.last_mut() {
            hint.lines = lines_to_add(&name, description);
        }
        failure
    }

    /// SKILL.md as text shows it.
    pub fn skill_md(&self) -> String {
        match self.shown.as_str() {
            "." => "SKILL.md".to_owned(),
            shown => format!("{}/SKILL.md", shown.trim_end_matches('/')),
        }
    }

    /// The slug: the one given, else the name in the frontmatter if it is one, else the base name made into one.
    ///
    /// # Errors
    /// `usage` for one given that is none, `slug-underivable`.
    pub fn slug(&self, given: Option<&str>) -> Result<(Slug, &'static str), Failure> {
        if let Some(text) = given {
            return text
                .parse()
                .map(|slug| (slug, "--slug"))
                .map_err(|error: skill_core::name::NameError| Failure::usage(error.to_string()));
        }
        let named = Frontmatter::read(self.bundle.skill_md()).ok();
        let named = named.and_then(|frontmatter| frontmatter.fields.get("name")?.as_str()?.parse().ok());
        if let Some(slug) = named {
            return Ok((slug, "the name in SKILL.md"));
        }
        Slug::slugify(&self.base_name).map(|slug| (slug, "the name of the folder or archive")).ok_or_else(
            || {
                Failure::new(
                    Code::SlugUnderivable,
                    format!("no slug follows from {}", quote::path(&self.base_name)),
                )
                .because("a slug is a-z, 0-9 and single hyphens between them")
                .hint("add `--slug NAME`")
            },
        )
    }

    /// `7 files, 41.2 KiB`.
    pub fn weight(&self) -> String {
        let files = number::counted(self.bundle.len(), "file", "files");
        format!("{files}, {}", number::size(self.bundle.total_bytes()))
    }

    /// The lists of what goes in, what stays out and which links were followed.
    pub fn rows(&self) -> Vec<Block> {
        let mut rows = vec![Line::from(format!("in     {}", self.weight())).into(), self.included().into()];
        let section = |title: &str, count: String, pairs: &[(String, String)], arrow: bool| {
            let mut table =
                Table::new([Column::new("").whole().gap(if arrow { 1 } else { 2 }), Column::new("").whole()])
                    .indent(7);
            for (path, what) in pairs {
                let what = if arrow { format!("-> {what}") } else { what.clone() };
                table.push([Cell::from(path.as_str()), Cell::from(what)]);
            }
            [Block::Blank, Line::from(format!("{title:<7}{count}")).into(), table.into()]
        };
        if !self.excluded.is_empty() {
            let count = number::counted(self.excluded.len(), "entry", "entries");
            rows.extend(section("out", count, &self.excluded, false));
        }
        if !self.links.is_empty() {
            let count = format!(
                "{} packed as what {} to",
                number::count(self.links.len() as u64),
                if self.links.len() == 1 { "it points" } else { "they point" }
            );
            rows.extend(section("links", count, &self.links, true));
        }
        rows
    }

    fn included(&self) -> Table {
        let columns = [Column::new("").whole(), Column::new(""), Column::new("").right()];
        let mut table = Table::new(columns).indent(7);
        for entry in self.bundle.files() {
            let (path, file) = entry;
            let mark = if file.executable() { "x" } else { "" };
            let size = number::size(file.content().len() as u64);
            table.rows.push(Row {
                cells: vec![Cell::from(path.as_str()), Cell::from(mark), Cell::from(size)],
                under: Vec::new(),
            });
        }
        table
    }

    /// The same as a document's keys: `files`, `excluded`, `links`.
    pub fn document(&self) -> Value {
        let files = self.bundle.files().map(|(path, file)| {
            json!({ "path": path.as_str(), "size": file.content().len(), "executable": file.executable() })
        });
        let excluded = self.excluded.iter().map(|(path, reason)| json!({ "path": path, "reason": reason }));
        let links = self.links.iter().map(|(path, target)| json!({ "path": path, "target": target }));
        json!({
            "files": files.collect::<Value>(),
            "excluded": excluded.collect::<Value>(),
            "links": links.collect::<Value>(),
        })
    }
}

/// Frontmatter with a name and a description, as lines.
pub fn lines_to_add(name: &str, description: &str) -> Vec<String> {
    let plain = |text: &str| {
        !text.contains([':', '#', '"', '\'', '\\', '\n'])
            && text.starts_with(|first: char| first.is_alphanumeric())
            && !text.ends_with(' ')
    };
    let description =
        if plain(description) { description.to_owned() } else { Value::from(description).to_string() };
    vec!["---".to_owned(), format!("name: {name}"), format!("description: {description}"), "---".to_owned()]
}

/// How much of a folder is read. What is only looked at may have many more files than a bundle, as dependencies do.
fn limits(rules: PackRules) -> Limits {
    match rules {
        PackRules::Publish | PackRules::Source => Limits::default(),
        PackRules::Everything => Limits { files: 20_000, ..Limits::default() },
    }
}

/// The refusal of a SKILL.md where its folder is meant.
fn no_folder(context: &Context, file: &Path) -> Failure {
    let shown = context.shown(file);
    let folder = context.shown(file.parent().unwrap_or(file));
    Failure::usage(format!("{shown} is one file of a skill; a folder or an archive was expected"))
        .hint(format!("give its folder: {folder}"))
}

fn inner_path(path: &Path) -> Result<String, Failure> {
    let text = path.to_string_lossy();
    match skill_core::reference::subpath(&text) {
        Ok(Some(inner)) => Ok(inner),
        Ok(None) => Ok(".".to_owned()),
        Err(error) => Err(Failure::new(Code::SubpathParent, error.to_string())),
    }
}

fn base_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn without_ending(path: &Path) -> PathBuf {
    let name = base_name(path);
    path.with_file_name(skill_core::reference::without_archive_suffix(&name).unwrap_or(&name))
}
