//! Files of the skill that its pages name without a link: in code spans, in commands, in running text.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, rules};

use super::places::{Places, resolved};
use super::{Family, Findings, Skill, at_line, words};
use crate::page::{Kind, Page, PageLine};

mod context;
mod written;

use context::{Context, Part};
use written::Written;

pub(super) const FAMILY: Family = Family { title: "Named files", rules: RULES, check };

rules! {
    pub(super) static RULES;

    FILE_MISSING Warning "file-missing"
        "a script or page is named that the skill does not have"
        why "The agent runs or reads a file that is not there, and goes on without it or writes one of its own."
        fix "Add the file, or correct its path. It starts from the skill's folder. An ignore file may keep it out."
        source "Agent Skills specification, file references";
}

/// Languages of fenced code that are commands; without one it mostly is.
const SHELL: [&str; 11] =
    ["", "sh", "bash", "shell", "zsh", "console", "shell-session", "terminal", "powershell", "ps1", "bat"];
/// Folders that most projects have.
const COMMON: [&str; 12] =
    ["src", "lib", "docs", "doc", "data", "app", "public", "config", "output", "test", "tests", "examples"];
/// Lines before a command in which a `cd` leads it elsewhere.
const NEAR: usize = 40;
/// Folders above a page at most that its paths are looked for from.
const ABOVE: usize = 4;
/// A longer line is no text that names files, in bytes.
const LINE: usize = 4096;

/// A path that a page names.
struct Mention<'a> {
    line: &'a PageLine<'a>,
    written: Written<'a>,
    part: Part,
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let places = Places::of(skill.input.files);
    let mut by_name: HashMap<&str, &str> = HashMap::new();
    for file in skill.input.files {
        by_name.entry(name_of(file.path)).or_insert(file.path);
    }
    of_page(&skill.page, "SKILL.md", (&places, &by_name), found);
    for (file, page) in skill.other_pages().filter(|(file, _)| !tells_of_the_past(file.path)) {
        of_page(&page, file.path, (&places, &by_name), found);
    }
}

/// One finding for each path, at the first place where the page names it as a file to be used.
fn of_page(
    page: &Page<'_>,
    from: &str,
    (places, by_name): (&Places<'_>, &HashMap<&str, &str>),
    found: &mut Findings,
) {
    let clones = page.lines.iter().any(|line| line.text.len() <= LINE && line.text.contains("git clone"));
    // What is run on such a page may be a file of the repository that is fetched.
    let is_of_clone = |mention: &Mention<'_>| {
        clones && (mention.line.kind == Kind::Code || mention.written.path.starts_with("scripts/"))
    };
    let missing: Vec<Mention<'_>> = mentions(page, places)
        .into_iter()
        .filter(|mention| !is_of_clone(mention) && !is_there(places, from, mention.written.path))
        .collect();
    let made: HashSet<&str> =
        missing.iter().filter(|one| one.part == Part::Made).map(|one| one.written.path).collect();
    let mut seen = made;
    for Mention { line, written, part } in missing {
        if part != Part::Used || !seen.insert(written.path) {
            continue;
        }
        let range = written.at..written.at + written.path.len();
        let message = format!("there is no {} in the skill", written.path);
        let said = at_line(Diagnostic::new(&FILE_MISSING, message), line, range).in_file(from);
        let meant = places.spelled(written.path).or(by_name.get(name_of(written.path)).copied());
        found.push(match meant {
            Some(meant) => said.fix(meant),
            None => said,
        });
    }
}

fn mentions<'a>(page: &'a Page<'a>, places: &Places<'_>) -> Vec<Mention<'a>> {
    let mut found = Vec::new();
    let shown = page.lines.iter().enumerate();
    let shown = shown.filter(|(_, line)| !matches!(line.kind, Kind::Comment | Kind::Fence));
    for (index, line) in shown.filter(|(_, line)| line.text.len() <= LINE) {
        let mut context = None;
        for written in written::paths(line.text, |folder| is_own(line, folder, places)) {
            let context = context.get_or_insert_with(|| {
                Context::of(line, line.kind == Kind::Code && is_commands(page, index))
            });
            found.push(Mention { line, written, part: context.part(&written) });
        }
    }
    found
}

/// Whether what a line names below a folder is meant as the skill's own, as the skill has that folder. Commands name the
/// files of those who use it, too.
fn is_own(line: &PageLine<'_>, folder: &str, places: &Places<'_>) -> bool {
    line.kind != Kind::Code && !COMMON.contains(&folder) && places.holds_folder(folder)
}

/// Whether a line of code, as an index of the page's, is one of commands that are given in the skill's folder.
fn is_commands(page: &Page<'_>, index: usize) -> bool {
    let before = page.code.partition_point(|block| block.lines.end <= index);
    let Some(block) = page.code.get(before) else { return false };
    let is_shell = SHELL.contains(&block.language.to_ascii_lowercase().as_str());
    let earlier = &page.lines[block.lines.start..=index];
    is_shell && !earlier.iter().rev().take(NEAR).any(|line| words::find(line.text, "cd").is_some())
}

/// Whether the skill has the file: from the page, from the skill's folder, or from one between both, as a page of a
/// nested skill counts from its own.
fn is_there(places: &Places<'_>, from: &str, path: &str) -> bool {
    let above = from.match_indices('/').map(|(end, _)| &from[..=end]).take(ABOVE);
    let mut starts = ["", from].into_iter().chain(above);
    starts.any(|start| resolved(start, path).is_none_or(|there| places.holds(&there)))
}

/// Whether a page lists what was changed: files that are gone among it.
fn tells_of_the_past(path: &str) -> bool {
    let name = name_of(path).to_ascii_lowercase();
    ["changelog", "changes", "history", "migrat", "upgrad", "release"]
        .iter()
        .any(|word| name.starts_with(word))
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
