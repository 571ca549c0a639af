use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::manifest::Manifest;

/// The capabilities that are words of their own.
const WORDS: [&str; 7] = ["always", "browser", "filesystem", "install", "network", "scripts", "shell"];

/// Those that name what they are about: `bin:curl`, `env:TOKEN`, `tool:Bash`, `config:a.b`.
const FAMILIES: [&str; 4] = ["bin", "config", "env", "tool"];

/// One capability, as a rule names it and [`capabilities`] finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability(String);

/// Not a capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no capability; known are {words} and bin:, config:, env:, tool: with a name", words = WORDS.join(", "))]
pub struct CapabilityError {
    text: String,
}

impl Capability {
    /// Its spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Capability {
    type Err = CapabilityError;

    fn from_str(text: &str) -> Result<Self, CapabilityError> {
        let family = text
            .split_once(':')
            .is_some_and(|(family, name)| FAMILIES.contains(&family) && !name.trim().is_empty());
        if family || WORDS.contains(&text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(CapabilityError { text: text.to_owned() })
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Programs whose use is the network.
const NETWORK_BINS: [&str; 12] =
    ["curl", "ftp", "gh", "git", "nc", "ncat", "netcat", "rsync", "scp", "ssh", "telnet", "wget"];

/// What in a script is a sign of the network.
const NETWORK_SIGNS: [&str; 15] = [
    "http://",
    "https://",
    "curl ",
    "wget ",
    "/dev/tcp/",
    "import socket",
    "import requests",
    "import httpx",
    "urllib",
    "http.client",
    "require('net')",
    "fetch(",
    "axios",
    "Net::HTTP",
    "Invoke-WebRequest",
];

/// How the names of scripts end that an interpreter runs (OpenClaw contract 1.6).
const SCRIPT_ENDINGS: [&str; 13] =
    [".sh", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".pl", ".ps1", ".rb", ".bash", ".zsh"];

/// Whether a name ends like that of a script; in any letter case, as some systems know but one.
pub fn is_script_name(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    SCRIPT_ENDINGS.iter().any(|end| path.ends_with(end))
}

/// What a skill can do, as far as its manifest declares it and its files show it: a reading, not a
/// proof. `files` are path, executable bit and bytes.
///
/// | capability | from |
/// |---|---|
/// | `shell` `filesystem` `network` `browser` | the `capabilities` list of the manifest |
/// | `scripts` | a file that is executable, begins with `#!`, lies in `scripts/` or is named like a script |
/// | `shell` | scripts, required programs, a tool called Bash or Shell |
/// | `network` | a script or a required program that uses it, a tool that begins with Web |
/// | `install` | recipes that install programs |
/// | `always` | a skill that is always offered |
/// | `bin:` `env:` `config:` `tool:` | what is required, and tools that are used without asking |
pub fn capabilities<'a>(
    manifest: &Manifest,
    files: impl IntoIterator<Item = (&'a str, bool, &'a [u8])>,
) -> BTreeSet<String> {
    let mut found = declared(manifest);
    let mut add = |capability: &str| {
        found.insert(capability.to_owned());
    };
    for (path, executable, bytes) in files {
        // `python3 scripts/run.py` needs neither a mode nor a first line.
        let named = path.starts_with("scripts/") || is_script_name(path);
        if executable || bytes.starts_with(b"#!") || named {
            add("scripts");
            add("shell");
            let text = String::from_utf8_lossy(bytes);
            if NETWORK_SIGNS.iter().any(|sign| text.contains(sign)) {
                add("network");
            }
        }
    }
    let bins = manifest.requires.bins.iter().chain(&manifest.requires.any_bins);
    for bin in bins {
        add("shell");
        add(&format!("bin:{bin}"));
        if NETWORK_BINS.contains(&bin.as_str()) {
            add("network");
        }
    }
    for tool in manifest.requires.tools.iter().chain(&manifest.allowed_tools) {
        let name = tool.split('(').next().unwrap_or(tool).trim();
        add(&format!("tool:{name}"));
        if name.eq_ignore_ascii_case("bash") || name.eq_ignore_ascii_case("shell") {
            add("shell");
        }
        if name.to_ascii_lowercase().starts_with("web") {
            add("network");
        }
    }
    let variables = manifest.env_vars.iter().map(|variable| &variable.name);
    for name in manifest.requires.env.iter().chain(variables).chain(&manifest.primary_env) {
        add(&format!("env:{name}"));
    }
    for path in &manifest.requires.config {
        add(&format!("config:{path}"));
    }
    if !manifest.install.is_empty() {
        add("install");
    }
    if manifest.always {
        add("always");
    }
    found
}

/// The `capabilities` list, at the top level or below `metadata`; words that are none are left out.
fn declared(manifest: &Manifest) -> BTreeSet<String> {
    let lists = [manifest.unknown.get("capabilities"), manifest.unknown.get("metadata")];
    let texts = lists.into_iter().flatten().flat_map(|value| match value {
        Value::Array(list) => list.clone(),
        Value::Object(map) => map.get("capabilities").and_then(Value::as_array).cloned().unwrap_or_default(),
        _ => Vec::new(),
    });
    texts
        .filter_map(|value| value.as_str().map(str::to_ascii_lowercase))
        .filter(|text| text.parse::<Capability>().is_ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(front: &str, files: &[(&str, bool, &[u8])]) -> Vec<String> {
        let text = format!("---\nname: x\ndescription: Does x. Use it for x.\n{front}---\n\n# x\n");
        let (manifest, _) = Manifest::read(text.as_bytes(), "x").unwrap();
        capabilities(&manifest, files.iter().copied()).into_iter().collect()
    }

    #[test]
    fn a_text_can_do_nothing_by_itself() {
        assert!(of("", &[("SKILL.md", false, b"see https://example.com")]).is_empty());
    }

    #[test]
    fn declared_and_found_are_one_set() {
        assert_eq!(of("capabilities: [Browser, other]\n", &[]), ["browser"]);
        assert_eq!(
            of("", &[("a.sh", false, b"#!/bin/sh\ncurl https://x\n")]),
            ["network", "scripts", "shell"]
        );
        assert_eq!(of("", &[("a", true, b"\x7fELF")]), ["scripts", "shell"]);
        for path in ["scripts/run", "scripts/deep/run.txt", "run.py", "lib/RUN.PY", "x.ps1"] {
            assert_eq!(of("", &[(path, false, b"import urllib")]), ["network", "scripts", "shell"], "{path}");
        }
        assert!(of("", &[("references/scripts/a.md", false, b"import urllib")]).is_empty());
        let front = "allowed-tools: Bash(git:*) WebFetch\nmetadata:\n  openclaw:\n    requires:\n      env: [TOKEN]\n";
        assert_eq!(of(front, &[]), ["env:TOKEN", "network", "shell", "tool:Bash", "tool:WebFetch"]);
    }
}
