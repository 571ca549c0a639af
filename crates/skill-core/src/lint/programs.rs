//! Programs that the instructions and the scripts call.

use std::collections::HashSet;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, rules};

use super::shell::{self, Shell, Use};
use super::{Family, Findings, Script, Skill, at_line, source, words};
use crate::page::CodeBlock;

pub(super) const FAMILY: Family = Family { title: "Programs", rules: RULES, check };

rules! {
    pub(super) static RULES;

    BINS_UNDECLARED Warning "requires-bins-undeclared"
        "programs are called that the skill does not say it needs"
        why "An agent offers the skill on a machine where it cannot work, and finds out half-way."
        fix "Add them to `requires.bins` below `metadata.openclaw`, or name them in `compatibility`."
        source "ClawHub and OpenClaw skill format, `requires`";
}

/// Install other programs; that they are called says nothing about what the skill needs.
const INSTALLERS: [&str; 13] = [
    "brew", "apt", "apt-get", "yum", "dnf", "pacman", "apk", "choco", "scoop", "winget", "snap", "port",
    "nix",
];
/// Do the same with the first of these words behind them.
const PACKAGERS: [&str; 17] = [
    "pip", "pip3", "npm", "pnpm", "yarn", "bun", "cargo", "go", "gem", "pipx", "uv", "poetry", "conda",
    "mamba", "clawhub", "openclaw", "skill",
];
const INSTALL_WORDS: [&str; 9] =
    ["install", "i", "add", "get", "ci", "tool install", "pip install", "sync", "global add"];
/// Names shown at most.
const SHOWN: usize = 6;

/// The name that stands for a group of programs of which one brings the others.
pub(super) fn alike(name: &str) -> &str {
    match name {
        "python" | "python3" | "pip" | "pip3" => "python",
        "node" | "npm" | "npx" | "nodejs" => "node",
        "uv" | "uvx" => "uv",
        "docker" | "docker-compose" => "docker",
        "cargo" | "rustc" | "rustup" => "cargo",
        "bun" | "bunx" => "bun",
        other => other.trim_end_matches(".exe"),
    }
}

/// A place in the instructions or in a script.
pub(super) enum Spot<'a> {
    /// A range of bytes of the body.
    Body(Range<usize>),
    /// A range of bytes of a script.
    Script(&'a Script<'a>, Range<usize>),
}

impl Spot<'_> {
    pub(super) fn put(&self, skill: &Skill<'_>, said: Diagnostic) -> Diagnostic {
        match self {
            Self::Script(script, range) => script.at(said, range.clone()),
            Self::Body(range) => {
                let line = skill.page.lines.iter().rev().find(|line| line.start <= range.start);
                let Some(line) = line else { return skill.at_key(said, None) };
                at_line(said, line, range.start - line.start..range.end - line.start)
            }
        }
    }
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let declared: HashSet<&str> = declared(skill).into_iter().map(alike).collect();
    let (own, prose) = (own(skill), skill.compatibility());
    let mut seen: HashSet<&str> = HashSet::new();
    let missing: Vec<(&str, Spot<'_>)> = called(skill)
        .into_iter()
        .filter(|(name, _)| seen.insert(alike(name)) && !declared.contains(alike(name)))
        .filter(|(name, _)| !own.contains(name) && !is_in_prose(&prose, name))
        .collect();
    let Some((_, first)) = missing.first() else { return };
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    let be = if names.len() == 1 { "is called and not declared" } else { "are called and not declared" };
    let message = format!("{} {be}", shown(&names));
    let block = format!("metadata:\n  openclaw:\n    requires:\n      bins: [{}]", names.join(", "));
    found.push(first.put(skill, Diagnostic::new(&BINS_UNDECLARED, message)).fix(block));
}

/// The first few of many names, and how many more there are.
pub(super) fn shown(names: &[&str]) -> String {
    if names.len() <= SHOWN {
        return words::listed(names);
    }
    let more = format!("{} more", names.len() - SHOWN + 1);
    let first = names[..SHOWN - 1].iter().map(|name| (*name).to_owned()).chain([more]);
    words::listed(&first.collect::<Vec<_>>())
}

/// Every program by its first uses: those of the instructions, then those of the scripts.
fn called<'a>(skill: &'a Skill<'a>) -> Vec<(&'a str, Spot<'a>)> {
    let mut found = Vec::new();
    let session = Session::of(skill);
    for (start, shell) in &session.code {
        for used in
            shell.commands.iter().filter(|used| !installs(used) && !session.defined.contains(used.name))
        {
            found.push((used.name, Spot::Body(start + used.at..start + used.at + used.name.len())));
        }
    }
    for script in &skill.scripts {
        if let Some(name) = source::interpreter(script.text).filter(|name| !is_ordinary(name)) {
            let at = script.text.find(name).unwrap_or_default();
            found.push((name, Spot::Script(script, at..at + name.len())));
        }
        for used in source::programs(script.language, script.text).iter().filter(|used| !installs(used)) {
            if !is_ordinary(used.name) {
                found.push((used.name, Spot::Script(script, used.at..used.at + used.name.len())));
            }
        }
    }
    found
}

fn is_ordinary(name: &str) -> bool {
    shell::is_ordinary(name) || matches!(name, "python.exe" | "cmd.exe" | "ksh")
}

fn installs(used: &Use<'_>) -> bool {
    let rest = used.rest.trim_start();
    INSTALLERS.contains(&used.name)
        || PACKAGERS.contains(&used.name)
            && INSTALL_WORDS.iter().any(|word| words::find(rest, word) == Some(0))
}

/// The shell code of the instructions, as one session.
pub(super) struct Session<'a> {
    /// Each piece with its place in the body.
    pub(super) code: Vec<(usize, Shell<'a>)>,
    /// Functions and variables that one piece defines and another may use. What is exported is a setting that
    /// somebody makes once, before the skill is used.
    pub(super) defined: HashSet<&'a str>,
}

impl<'a> Session<'a> {
    pub(super) fn of(skill: &'a Skill<'_>) -> Self {
        let code: Vec<(usize, Shell<'a>)> =
            shell_code(skill).into_iter().map(|(start, code)| (start, shell::read(code))).collect();
        let defined =
            code.iter().flat_map(|(_, shell)| shell.defined.difference(&shell.exported).copied()).collect();
        Self { code, defined }
    }
}

/// The shell code of the instructions, with its place in the body. Of a session only what follows a prompt is code.
fn shell_code<'a>(skill: &'a Skill<'_>) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for CodeBlock { language, lines } in &skill.page.code {
        let lines = &skill.page.lines[lines.clone()];
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
        match language.to_ascii_lowercase().as_str() {
            "sh" | "bash" | "shell" | "zsh" => {
                found.push((first.start, &skill.body[first.start..last.start + last.text.len()]));
            }
            "console" | "shell-session" | "terminal" | "session" => {
                found.extend(lines.iter().filter_map(|line| {
                    let code = line.text.trim_start().strip_prefix("$ ")?;
                    let start = line.start + line.text.len() - code.len();
                    Some((start, &skill.body[start..line.start + line.text.len()]))
                }));
            }
            _ => {}
        }
    }
    found
}

/// What the skill says that it needs: `requires`, what `install` brings, `allowed-tools` like `Bash(git:*)`.
fn declared<'a>(skill: &'a Skill<'_>) -> Vec<&'a str> {
    let manifest = skill.manifest;
    let required = manifest.requires.bins.iter().chain(&manifest.requires.any_bins);
    let brought = manifest.install.iter().flat_map(|way| &way.bins);
    let allowed = manifest.allowed_tools.iter().filter_map(|tool| {
        let inside = tool.split_once('(')?.1;
        inside.split([':', ' ', '*', ')', '/']).next().filter(|name| !name.is_empty())
    });
    required.chain(brought).map(String::as_str).chain(allowed).collect()
}

/// Whether `compatibility` names the program.
fn is_in_prose(compatibility: &str, name: &str) -> bool {
    [name, alike(name)].iter().any(|name| words::find(compatibility, name).is_some())
}

/// What the bundle brings itself: files by their name, with and without its ending, and the functions of its scripts.
fn own<'a>(skill: &Skill<'a>) -> HashSet<&'a str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let functions = skill.scripts.iter().flat_map(|script| {
        script.text.match_indices("()").map(|(at, _)| {
            let before = &script.text[..at];
            &before[before.trim_end_matches(is_name).len()..]
        })
    });
    let files = skill.input.files.iter().flat_map(|file| {
        let base = file.path.rsplit('/').next().unwrap_or_default();
        [base, base.rsplit_once('.').map_or(base, |(stem, _)| stem)]
    });
    functions.chain(files).collect()
}
