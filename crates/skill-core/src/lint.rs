//! Judges a skill's folder: what would keep an agent or a registry from using it well.
//!
//! One file per family of rules, with the table of its rules beside the function that looks for them; a family looks
//! at a `Skill` and adds findings. The findings of the frontmatter reader and of the manifest come along.
//! docs/LINT.md is made from the tables.

use crate::diagnostic::{Diagnostic, Edit, READING, Rule, place};
use crate::frontmatter::Frontmatter;
use crate::frontmatter::node::Pair;
use crate::manifest::Manifest;
use crate::page::{Page, PageLine};

mod advice;
mod body;
mod characters;
mod description;
mod files;
mod findings;
mod homes;
mod keys;
mod links;
mod mentions;
mod name;
mod named;
mod parameters;
mod placeholders;
mod places;
mod portability;
mod programs;
mod requirements;
mod scripts;
mod shell;
mod source;
mod spec;
mod steps;
mod value;
mod variables;
mod words;

use findings::Findings;
pub use placeholders::PLACEHOLDERS;
use source::Language;

/// Bytes of a text that are judged; what is longer is data, and no agent reads it.
const JUDGED: usize = 1 << 20;
/// Bytes of `compatibility` that are read; the specification allows 500 characters.
const COMPATIBILITY: usize = 4096;

/// One file of the skill.
#[derive(Debug, Clone, Copy)]
pub struct LintFile<'a> {
    /// Path inside the folder, with `/`.
    pub path: &'a str,
    /// Whether the owner may execute it.
    pub executable: bool,
    /// Its bytes.
    pub content: &'a [u8],
}

/// What is judged.
#[derive(Debug, Clone, Copy)]
pub struct LintInput<'a> {
    /// Name of the folder, if it has one (an archive has none): compared with the frontmatter's.
    pub folder: Option<&'a str>,
    /// Every file that would be packed, `SKILL.md` among them, in any order.
    pub files: &'a [LintFile<'a>],
    /// Whether the Agent Skills specification is followed to the letter: the six keys, the grammar of
    /// names, the lengths, the types; and every warning is an error. Maps and lists inside of
    /// `metadata` pass, as they do in the reference validator.
    pub strict: bool,
}

/// Rules that belong together, and what looks for them.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// What they are about, as a heading.
    pub title: &'static str,
    /// Its rules, in the order of the documentation.
    pub rules: &'static [Rule],
    check: fn(&Skill<'_>, &mut Findings),
}

/// Every family, in the order of the documentation; the first is what other commands find, too.
pub static FAMILIES: &[Family] = &[
    Family { title: "Reading SKILL.md", rules: READING, check: |_, _| {} },
    files::FAMILY,
    keys::FAMILY,
    name::FAMILY,
    spec::FAMILY,
    description::FAMILY,
    body::FAMILY,
    characters::FAMILY,
    placeholders::FAMILY,
    steps::FAMILY,
    advice::FAMILY,
    parameters::FAMILY,
    scripts::FAMILY,
    links::FAMILY,
    mentions::FAMILY,
    requirements::FAMILY,
    programs::FAMILY,
    variables::FAMILY,
    portability::FAMILY,
    homes::FAMILY,
];

/// Every rule, in the order of the documentation.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.rules)
}

/// What the rules look at.
#[derive(Debug)]
struct Skill<'a> {
    input: &'a LintInput<'a>,
    /// `SKILL.md`, in whatever letter case.
    file: &'a LintFile<'a>,
    frontmatter: &'a Frontmatter,
    manifest: &'a Manifest,
    body: &'a str,
    /// The body, read as Markdown.
    page: Page<'a>,
    /// The scripts of the bundle, those of its tests left aside.
    scripts: Vec<Script<'a>>,
}

/// A script of the bundle.
#[derive(Debug)]
struct Script<'a> {
    file: &'a LintFile<'a>,
    text: &'a str,
    language: Language,
}

/// The findings, by file (`SKILL.md` first), then line, then column: of a rule the first 50 in each file and the first
/// 500 of all; the last of a rule says how many more there are.
pub fn lint(input: &LintInput<'_>) -> Vec<Diagnostic> {
    let mut found = Findings::default();
    judge(input, &mut found);
    found.sorted(input.strict)
}

fn judge(input: &LintInput<'_>, found: &mut Findings) {
    let Some(file) = input.files.iter().find(|file| is_skill_md(file)) else {
        return found.push(files::absent());
    };
    let frontmatter = match Frontmatter::read(file.content) {
        Ok(frontmatter) => frontmatter,
        Err(error) => return found.push(error.diagnostic()),
    };
    let body = frontmatter.body(file.content);
    let (manifest, of_manifest) = Manifest::of(&frontmatter, &body, input.folder.unwrap_or("skill"));
    found.extend(of_manifest);
    let body = beginning(&body);
    let skill = Skill {
        input,
        file,
        frontmatter: &frontmatter,
        manifest: &manifest,
        page: Page::of(body, frontmatter.body_line),
        body,
        scripts: input.files.iter().filter_map(Script::of).collect(),
    };
    for family in FAMILIES {
        (family.check)(&skill, found);
    }
}

/// As much of a text as is judged: up to the end of the last whole line in its first MiB.
fn beginning(text: &str) -> &str {
    if text.len() <= JUDGED {
        return text;
    }
    let start = &text[..text.floor_char_boundary(JUDGED)];
    start.rfind('\n').map_or(start, |end| &start[..=end])
}

fn is_skill_md(file: &LintFile<'_>) -> bool {
    file.path.eq_ignore_ascii_case("SKILL.md")
}

impl<'a> LintFile<'a> {
    /// Its text without byte-order marks, if it is UTF-8; of a long one the beginning.
    fn text(&self) -> Option<&'a str> {
        str::from_utf8(&self.content[self.text_start()..]).ok().map(beginning)
    }

    /// Where the text begins in the file's bytes.
    fn text_start(&self) -> usize {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        self.content.chunks(MARK.len()).take_while(|bytes| *bytes == MARK).count() * MARK.len()
    }

    /// Whether it is part of the skill's own tests.
    fn is_test(&self) -> bool {
        let mut parts = self.path.split('/').rev();
        let name = parts.next().unwrap_or_default();
        parts.any(|folder| matches!(folder, "test" | "tests" | "__tests__"))
            || ["test_", "test-"].iter().any(|mark| name.starts_with(mark))
            || [".test.", ".spec.", "_test."].iter().any(|mark| name.contains(mark))
    }
}

impl LintFile<'_> {
    /// Whether it is Markdown.
    fn is_page(&self) -> bool {
        self.path.to_ascii_lowercase().ends_with(".md")
    }

    /// Whether it is material for what the skill makes, not read or run where it lies.
    fn is_material(&self) -> bool {
        const MATERIAL: [&str; 7] =
            ["assets", "templates", "template", "examples", "example", "fixtures", "node_modules"];
        self.path.split('/').any(|part| MATERIAL.contains(&part))
    }
}

impl<'a> Script<'a> {
    fn of(file: &'a LintFile<'a>) -> Option<Self> {
        let text = file.text().filter(|_| !is_skill_md(file) && !file.is_test() && !file.is_material())?;
        Some(Self { file, text, language: Language::of(file.path, text)? })
    }

    /// Puts a finding at a range of bytes of the script.
    fn at(&self, said: Diagnostic, range: std::ops::Range<usize>) -> Diagnostic {
        let (number, _) = place(self.text, range.start);
        let start = self.text[..range.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line = self.text[start..].split(['\n', '\r']).next().unwrap_or_default();
        let (from, to) = words::columns(line, range.start - start..(range.end - start).min(line.len()));
        said.at(number, from, to, line).in_file(self.file.path)
    }
}

impl Skill<'_> {
    /// Puts a finding at a key of the frontmatter, at its first line where there is none.
    fn at_key(&self, said: Diagnostic, pair: Option<&Pair>) -> Diagnostic {
        let Some(Pair { at, .. }) = pair else {
            let line = self.frontmatter.fence_line();
            return said.at(line, 1, 1, self.frontmatter.line(line));
        };
        said.at(at.line, at.column, at.column + at.length, self.frontmatter.line(at.line))
    }

    /// The other pages of the skill that are read where they lie, one at a time: together they may be long.
    fn other_pages(&self) -> impl Iterator<Item = (&LintFile<'_>, Page<'_>)> {
        let files = self.input.files.iter().filter(|file| file.is_page() && !is_skill_md(file));
        let read = files.filter(|file| !file.is_material() && !file.is_test());
        read.filter_map(|file| Some((file, Page::of(file.text()?, 1))))
    }

    /// What `compatibility` says, in lower case; empty where there is none. Of a long text the beginning.
    fn compatibility(&self) -> String {
        let text = self.manifest.compatibility.as_deref().unwrap_or_default();
        text[..text.floor_char_boundary(COMPATIBILITY)].to_lowercase()
    }

    /// The change of a range of bytes of a line of the body, if the file has that very text there.
    fn edit(&self, line: &PageLine<'_>, range: std::ops::Range<usize>, text: &str) -> Option<Edit> {
        let start = self.frontmatter.body_start + line.start;
        let (old, range) = (&line.text[range.clone()], start + range.start..start + range.end);
        let is_there = self.file.content.get(range.clone()) == Some(old.as_bytes());
        is_there.then(|| Edit { range, text: text.to_owned() })
    }
}

/// Puts a finding at a range of bytes of a line.
fn at_line(said: Diagnostic, line: &PageLine<'_>, range: std::ops::Range<usize>) -> Diagnostic {
    let (from, to) = words::columns(line.text, range);
    said.at(line.number, from, to, line.text)
}
