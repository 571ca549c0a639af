//! Characters that do not show, and marks of a merge that was not ended.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, rules};
use crate::frontmatter::lines::lines;

use super::{Family, Findings, Skill, words};
use crate::page::Kind;

mod names;

pub(super) const FAMILY: Family = Family { title: "Characters", rules: RULES, check };

rules! {
    pub(super) static RULES;

    TEXT_HIDDEN Warning "text-hidden"
        "a character that does not show stands in a text"
        why "A person reads another text than the agent; scanners report it, and some programs stop at it."
        fix "Remove it in an editor that shows it; in code write it as an escape: `\\u200b`."
        source "Unicode 16.0, Default_Ignorable_Code_Point and Bidi_Control";
    TEXT_CONFLICT Warning "text-conflict"
        "a merge was not ended: git's conflict marks stand in a text"
        why "The agent reads both sides, and does either."
        fix "Keep one side, and take all lines with marks out."
        source "git-merge, how conflicts are presented";
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let body = skill.page.lines.iter();
    hidden("SKILL.md", body.clone().map(|line| (line.number, line.text)), found);
    let shown = body.filter(|line| matches!(line.kind, Kind::Text | Kind::Heading));
    conflicts("SKILL.md", shown.map(|line| (line.number, line.text)), found);
    for (file, page) in skill.other_pages() {
        hidden(file.path, page.lines.iter().map(|line| (line.number, line.text)), found);
        let shown = page.lines.iter().filter(|line| matches!(line.kind, Kind::Text | Kind::Heading));
        conflicts(file.path, shown.map(|line| (line.number, line.text)), found);
    }
    for script in &skill.scripts {
        let numbered = || (1..).zip(lines(script.text).map(|line| line.text));
        hidden(script.file.path, numbered(), found);
        conflicts(script.file.path, numbered(), found);
    }
}

/// One finding for each character in a file, where it stands first.
fn hidden<'a>(path: &str, lines: impl Iterator<Item = (u32, &'a str)>, found: &mut Findings) {
    let mut first: Vec<(char, u32, &str, usize)> = Vec::new();
    let mut times: HashMap<char, usize> = HashMap::new();
    for (number, line) in lines.filter(|(_, line)| !is_plain(line)) {
        for (at, character) in names::unneeded(line) {
            let times = times.entry(character).or_default();
            if *times == 0 {
                first.push((character, number, line, at));
            }
            *times += 1;
        }
    }
    for (character, number, line, at) in first {
        let message = match times[&character] {
            1 => format!("{} does not show", names::of(character)),
            2 => format!("{} does not show; it stands in 1 more place", names::of(character)),
            many => format!("{} does not show; it stands in {} more places", names::of(character), many - 1),
        };
        let (from, to) = words::columns(line, at..at + character.len_utf8());
        found.push(Diagnostic::new(&TEXT_HIDDEN, message).at(number, from, to, line).in_file(path));
    }
}

/// Whether a line holds nothing but what shows, tabs and form feeds.
fn is_plain(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\x0c'))
}

/// One finding for each conflict, at its first mark.
fn conflicts<'a>(path: &str, lines: impl Iterator<Item = (u32, &'a str)>, found: &mut Findings) {
    let (mut begun, mut halved) = (None, false);
    for (number, line) in lines {
        if line.starts_with("<<<<<<< ") {
            (begun, halved) = (Some((number, line)), false);
        } else if line.trim_end() == "=======" {
            halved = begun.is_some();
        } else if line.starts_with(">>>>>>> ") && halved {
            halved = false;
            if let Some((first, mark)) = begun.take() {
                let message = format!("a merge was not ended: a conflict from line {first} to {number}");
                found.push(Diagnostic::new(&TEXT_CONFLICT, message).at(first, 1, 8, mark).in_file(path));
            }
        }
    }
}
