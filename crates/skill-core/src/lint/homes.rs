//! Paths of the author's own home folder.

use std::collections::HashSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, rules};
use crate::frontmatter::lines::lines;

use super::{Family, Findings, Skill, words};
use crate::page::Kind;

pub(super) const FAMILY: Family = Family { title: "Paths of one machine", rules: RULES, check };

rules! {
    pub(super) static RULES;

    HOME_PATH Warning "path-of-author"
        "a path leads into the home folder of one person"
        why "`/Users/ada/…` is there on the author's machine alone, and tells everybody the name of an account."
        fix "Write `~/…` or `$HOME/…`, or the path from the skill's folder; take a placeholder in an example: `/home/USER/…`."
        source "this project";
}

/// Where systems keep home folders, as text and in strings of code.
const ROOTS: [&str; 4] = ["/Users/", "/home/", ":\\Users\\", ":\\\\Users\\\\"];
/// Accounts that stand for any, and those that images, services and clients have.
const ANYBODY: [&str; 53] = [
    "me",
    "you",
    "dev",
    "admin",
    "test",
    "tester",
    "runner",
    "ubuntu",
    "debian",
    "fedora",
    "node",
    "vscode",
    "app",
    "pi",
    "root",
    "linuxbrew",
    "claude",
    "codex",
    "agent",
    "agents",
    "oai",
    "openclaw",
    "clawdbot",
    "clawd",
    "alice",
    "bob",
    "john",
    "jane",
    "jdoe",
    "johndoe",
    "janedoe",
    "john.doe",
    "jane.doe",
    "foo",
    "bar",
    "someone",
    "somebody",
    "xxx",
    "shared",
    "public",
    "default",
    "guest",
    "www",
    "www-data",
    "git",
    "postgres",
    "jovyan",
    "coder",
    "gitpod",
    "codespace",
    "sandbox",
    "vagrant",
    "deploy",
];
/// Parts of names that stand for any.
const ANY_PART: [&str; 6] = ["user", "your", "name", "example", "account", "placeholder"];
/// A longer name is none, and a longer line is data, in bytes.
const NAME: usize = 64;
const LINE: usize = 4096;

/// One finding for each account in a file, where it stands first.
fn check(skill: &Skill<'_>, found: &mut Findings) {
    let shown = skill.page.lines.iter().filter(|line| line.kind != Kind::Comment);
    of_file("SKILL.md", shown.map(|line| (line.number, line.text)), found);
    let pages = skill.input.files.iter().filter(|file| file.is_page() && !super::is_skill_md(file));
    let pages = pages.filter(|file| !file.is_material() && !file.is_test());
    let texts = pages.filter_map(|page| Some((page.path, page.text()?)));
    let scripts = skill.scripts.iter().map(|script| (script.file.path, script.text));
    for (path, text) in texts.chain(scripts) {
        of_file(path, (1..).zip(lines(text).map(|line| line.text)), found);
    }
}

fn of_file<'a>(path: &str, lines: impl Iterator<Item = (u32, &'a str)>, found: &mut Findings) {
    let mut seen = HashSet::new();
    for (number, line) in lines.filter(|(_, line)| line.len() <= LINE) {
        for range in homes(line) {
            let name = line[range.clone()].rsplit(['/', '\\']).next().unwrap_or_default();
            if !seen.insert(name) {
                continue;
            }
            let message = format!("`{}` is the home folder of one person", &line[range.clone()]);
            let (from, to) = words::columns(line, range);
            found.push(Diagnostic::new(&HOME_PATH, message).at(number, from, to, line).in_file(path));
        }
    }
}

/// The home folders that a line names, up to the name of the account.
fn homes(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for root in ROOTS {
        for (at, _) in line.match_indices(root) {
            let (before, after) = (&line[..at], at + root.len());
            let near = &line[after..];
            let near = &near[..near.floor_char_boundary(NAME + 1)];
            let end = near.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '_')));
            let name = near[..end.unwrap_or(near.len())].trim_end_matches('.');
            let drive = usize::from(root.starts_with(':'));
            if begins(before, drive == 1) && is_somebody(name) && !is_pattern(&near[name.len()..]) {
                found.push(at - drive..after + name.len());
            }
        }
    }
    found
}

/// Whether a path can begin behind `before`: not inside of another path, an address or a link, which has rules of its own.
fn begins(before: &str, is_drive: bool) -> bool {
    let before = match before.strip_suffix(|c: char| is_drive && c.is_ascii_alphabetic()) {
        Some(before) => before,
        None if is_drive => return false,
        None => before,
    };
    let inside = |c: char| c.is_ascii_alphanumeric() || "./~$}*>_-%\\".contains(c);
    !before.ends_with("](") && (!before.ends_with(inside) || before.ends_with("file://"))
}

fn is_somebody(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    (2..=NAME).contains(&name.len())
        && lower.starts_with(|c: char| c.is_alphabetic())
        && name.contains(|c: char| !c.is_ascii_uppercase())
        && !ANYBODY.contains(&lower.as_str())
        && !ANY_PART.iter().any(|part| lower.contains(part))
}

/// Whether a name goes on as a place to fill in: `/home/a${B}`.
fn is_pattern(after: &str) -> bool {
    after.starts_with(['$', '{', '<', '*', '%', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_somebody() {
        let found =
            |line: &str| homes(line).into_iter().map(|range| line[range].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("run `/Users/ada/x.sh` in /home/ada"), ["/Users/ada", "/home/ada"]);
        assert_eq!(
            found("C:\\Users\\Ada\\x \"C:\\\\Users\\\\Ada\\\\x\" c:/Users/ada"),
            ["/Users/ada", "C:\\Users\\Ada", "C:\\\\Users\\\\Ada"]
        );
        assert_eq!(found("见/home/ada，file:///home/ada/x"), ["/home/ada", "/home/ada"]);
        for line in [
            "/home/USER/x /home/$USER /home/<name> /Users/you/x /home/username /home/ubuntu /home/...",
            "https://example.org/home/ada ~/home/ada $ROOT/home/ada /mnt/home/ada ./home/ada",
            "[x](/home/ada/x.md) /homes/ada /home/ /home/a${B} C:\\Users\\%USERNAME%",
        ] {
            assert_eq!(found(line), [""; 0], "{line}");
        }
    }
}
