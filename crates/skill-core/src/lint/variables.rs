//! Environment variables that the instructions and the scripts read.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, rules};

use super::programs::{Session, Spot, shown};
use super::shell::Use;
use super::{Family, Findings, Skill, source, words};

pub(super) const FAMILY: Family = Family { title: "Environment variables", rules: RULES, check };

rules! {
    pub(super) static RULES;

    ENV_UNDECLARED Warning "requires-env-undeclared"
        "environment variables are read that the skill does not say it needs"
        why "The agent offers the skill where a key is missing, and scanners report a credential that nobody declared."
        fix "Add them to `requires.env` or, if it works without them, to `envVars` below `metadata.openclaw`."
        source "ClawHub and OpenClaw skill format, `requires`";
}

/// What a system, a shell, a terminal or an agent sets by itself.
const ORDINARY: &str = " HOME PATH PWD OLDPWD USER USERNAME LOGNAME SHELL TERM TMPDIR TEMP TMP LANG LANGUAGE TZ EDITOR VISUAL PAGER \
    HOSTNAME HOST DISPLAY WAYLAND_DISPLAY CI DEBUG VERBOSE NO_COLOR FORCE_COLOR COLUMNS LINES UID EUID GID RANDOM SECONDS IFS \
    FUNCNAME LINENO PIPESTATUS OPTARG OPTIND REPLY OSTYPE MACHTYPE HOSTTYPE EPOCHSECONDS SHLVL PPID BASH \
    USERPROFILE APPDATA LOCALAPPDATA PROGRAMFILES COMSPEC SYSTEMROOT WINDIR HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY \
    ARGUMENTS VIRTUAL_ENV DOCKER_HOST SUDO_USER ";
const ORDINARY_PREFIXES: [&str; 21] = [
    "LC_",
    "XDG_",
    "BASH_",
    "ZSH_",
    "SSH_",
    "WSL",
    "PYTHON",
    "NODE_",
    "NPM_",
    "CLAUDE_",
    "OPENCLAW_",
    "CODEX_",
    "CURSOR_",
    "GEMINI_CLI",
    "SKILL_",
    "AGENT_",
    "GITHUB_ACTION",
    "GITHUB_WORK",
    "GITHUB_OUT",
    "GITHUB_ENV",
    "RUNNER_",
];
/// How the name of a credential ends. In the instructions only these count: `$FILE` there is a place to fill in.
const CREDENTIALS: [&str; 8] =
    ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CREDENTIALS", "_APIKEY", "_PAT", "_KEY_ID"];

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let (read, settled) = read(skill);
    let declared = declared(skill);
    let compatibility = skill.compatibility();
    let mut seen: HashSet<&str> = HashSet::new();
    let missing: Vec<(&str, Spot<'_>)> = read
        .into_iter()
        .filter(|(name, _)| seen.insert(name) && !settled.contains(name) && !declared.contains(name))
        .filter(|(name, _)| !is_ordinary(name))
        .filter(|(name, _)| words::find(&compatibility, &name.to_lowercase()).is_none())
        .collect();
    let Some((_, first)) = missing.first() else { return };
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    let be = if names.len() == 1 { "is read and not declared" } else { "are read and not declared" };
    let message = format!("{} {be}", shown(&names));
    let block = format!("metadata:\n  openclaw:\n    requires:\n      env: [{}]", names.join(", "));
    found.push(first.put(skill, Diagnostic::new(&ENV_UNDECLARED, message)).fix(block));
}

/// What is read without a default, by first use, and what is set or has one in any script.
fn read<'a>(skill: &'a Skill<'a>) -> (Vec<(&'a str, Spot<'a>)>, HashSet<&'a str>) {
    let mut read = Vec::new();
    let session = Session::of(skill);
    for (start, shell) in &session.code {
        let outside = |used: &&Use<'_>| is_credential(used.name) && !session.defined.contains(used.name);
        for used in shell.variables.iter().filter(outside) {
            read.push((used.name, Spot::Body(start + used.at..start + used.at + used.name.len())));
        }
    }
    let mut settled = HashSet::new();
    for script in &skill.scripts {
        let variables = source::variables(script.language, script.text);
        settled.extend(variables.settled);
        for used in variables.read.iter().filter(|used| is_shaped(used.name)) {
            read.push((used.name, Spot::Script(script, used.at..used.at + used.name.len())));
        }
    }
    (read, settled)
}

/// `ABC`, `A_KEY`: how variables of the environment are written.
fn is_shaped(name: &str) -> bool {
    name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

fn is_credential(name: &str) -> bool {
    is_shaped(name) && CREDENTIALS.iter().any(|end| name.ends_with(end))
}

fn is_ordinary(name: &str) -> bool {
    ORDINARY.split_ascii_whitespace().any(|ordinary| ordinary == name)
        || ORDINARY_PREFIXES.iter().any(|prefix| name.starts_with(prefix) && !is_credential(name))
}

fn declared<'a>(skill: &'a Skill<'_>) -> HashSet<&'a str> {
    let manifest = skill.manifest;
    let described = manifest.env_vars.iter().map(|variable| variable.name.as_str());
    let required = manifest.requires.env.iter().map(String::as_str);
    described.chain(required).chain(manifest.primary_env.as_deref()).collect()
}
