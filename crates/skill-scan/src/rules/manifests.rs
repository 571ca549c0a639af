//! Where a manifest has packages come from, and what it has run: told by its keys, however they are written, in lines
//! that the rules of dependencies know. Such a line begins with a character that no file of text has.

use serde_json::Value;

use super::Notes;
use crate::file::SourceFile;
use crate::layout::LineStarts;
use crate::ruleset::{PatternRules, Where};
use crate::work::Work;

/// Begins a line that a manifest says by its keys.
const SAID: char = '\u{1D}';

/// What a manifest says: `package`, `index` or `script`, and the address or command.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    kind: &'static str,
    value: String,
    /// As the file has it.
    written: String,
}

/// Manifests by their names without folders.
const JSON: [&str; 4] = ["composer.json", "deno.json", "jsr.json", "package.json"];
const TOML: [&str; 6] = ["bunfig.toml", "cargo.toml", "config.toml", "pipfile", "pyproject.toml", "uv.toml"];

/// Tables of packages by their names.
const PACKAGES: [&str; 18] = [
    "build-dependencies",
    "constraint-dependencies",
    "default",
    "dependencies",
    "dependency-groups",
    "dev-dependencies",
    "dev-packages",
    "devdependencies",
    "imports",
    "optional-dependencies",
    "optionaldependencies",
    "overrides",
    "packages",
    "patch",
    "peerdependencies",
    "requires",
    "resolutions",
    "sources",
];

/// Keys whose values are an index.
const INDEXES: [&str; 8] = [
    "default-index",
    "extra-index-url",
    "find-links",
    "index-url",
    "npmregistryserver",
    "registry",
    "registry-index",
    "replace-registry",
];

/// Tables of indexes by their names.
const TABLES_OF_INDEXES: [&str; 5] = ["index", "registries", "repositories", "scopes", "source"];

/// Scripts that run while a package is installed.
const SCRIPTS: [&str; 9] = [
    "install",
    "post-install-cmd",
    "post-update-cmd",
    "postinstall",
    "preinstall",
    "prepare",
    "pre-install-cmd",
    "post-autoload-dump",
    "prepublish",
];

/// Notes what a manifest says by its keys, unless the line that it stands in was found already.
pub(super) fn scan<'r: 'n, 'n>(
    file: &SourceFile<'_>,
    patterns: &'r PatternRules,
    work: &mut Work,
    notes: &mut Notes<'n>,
) {
    let text = file.text();
    let said = said(file.path(), text);
    if said.is_empty() || !work.take(text.len()) {
        return;
    }
    let starts = LineStarts::new(file.manner(), text);
    for Said { kind, value, written } in said {
        let line = format!("{SAID}{kind} {value}");
        let number = text.find(&written).map_or(1, |at| starts.line_at(at));
        for rule in patterns.with_anchor_in(&line) {
            let looks = rule.place != Where::Decoded && rule.then.is_none() && rule.secret.is_none();
            if !looks || !rule.reads(file.path(), file.is_program()) {
                continue;
            }
            if !rule.find(&line, work).is_empty() && !notes.has(&rule.about, rule.about.severity, number) {
                notes.note(&rule.about, number, &rule.about.message, &value);
            }
        }
    }
}

fn said(path: &str, text: &str) -> Vec<Said> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let tree = if JSON.contains(&name.as_str()) {
        serde_json::from_str(text.trim_start_matches('\u{FEFF}')).ok()
    } else if TOML.contains(&name.as_str()) {
        toml::from_str(text).ok()
    } else {
        None
    };
    let mut said = Vec::new();
    if let Some(tree) = tree {
        walk(&tree, &mut Vec::new(), &mut said);
    } else if name.rsplit_once('.').is_some_and(|(_, ending)| ending == "txt")
        && ["requirements", "constraints"].iter().any(|word| name.contains(word))
    {
        said.extend(text.lines().filter_map(requirement));
    }
    said
}

/// Every text of a tree, with the keys that lead to it.
fn walk<'t>(tree: &'t Value, keys: &mut Vec<&'t str>, said: &mut Vec<Said>) {
    match tree {
        Value::Object(table) => {
            for (key, value) in table {
                keys.push(key);
                if let Value::String(text) = value {
                    said.extend(of_key(keys, text, table.get("rev")));
                } else {
                    walk(value, keys, said);
                }
                keys.pop();
            }
        }
        Value::Array(values) => {
            for value in values {
                match value {
                    Value::String(text) => said.extend(of_key(keys, text, None)),
                    value => walk(value, keys, said),
                }
            }
        }
        _ => {}
    }
}

fn of_key(keys: &[&str], text: &str, revision: Option<&Value>) -> Option<Said> {
    let folded: Vec<String> = keys.iter().map(|key| key.to_ascii_lowercase().replace('_', "-")).collect();
    let (last, above) = folded.split_last()?;
    let among = |names: &[&str]| above.iter().any(|key| names.contains(&key.as_str()));
    let make = |kind, value: String| Some(Said { kind, value, written: text.to_owned() });
    if above.iter().any(|key| key == "scripts") && SCRIPTS.contains(&last.as_str()) {
        return make("script", text.to_owned());
    }
    if !text.contains("://") {
        return None;
    }
    if INDEXES.contains(&last.as_str())
        || (among(&TABLES_OF_INDEXES) && ["url", "index", "registry"].contains(&last.as_str()))
    {
        return make("index", text.trim_start_matches("sparse+").to_owned());
    }
    if last == "git" && !text.starts_with("git+") {
        let at = revision.and_then(Value::as_str).map(|revision| format!("@{revision}"));
        return make("package", format!("git+{text}{}", at.unwrap_or_default()));
    }
    let is_package = among(&PACKAGES) || PACKAGES.contains(&last.as_str());
    if is_package { make("package", address(text)?.to_owned()) } else { None }
}

/// The address in a requirement, as PEP 508 and npm write it: `name @ https://…`, `npm:…`, `https://…`.
fn address(text: &str) -> Option<&str> {
    text.split(['@', ' ', ',', ';']).any(|part| part.contains("://")).then_some(())?;
    let at = text.find("://")?;
    let start = text[..at].rfind([' ', '@', '=', ',']).map_or(0, |before| before + 1);
    text[start..].split_ascii_whitespace().next()
}

/// A line of a requirements file.
fn requirement(line: &str) -> Option<Said> {
    let line = line.split(" #").next().unwrap_or(line).trim();
    if line.starts_with('#') || !line.contains("://") {
        return None;
    }
    let indexes = ["-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--pypi-url"];
    let option = line.split([' ', '=']).next().unwrap_or(line);
    let kind = if indexes.contains(&option) || option.starts_with("-ih") { "index" } else { "package" };
    let value = address(line)?.trim_matches(['"', '\'']).to_owned();
    Some(Said { kind, written: value.clone(), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, text: &str) -> Vec<String> {
        said(path, text).into_iter().map(|Said { kind, value, .. }| format!("{kind} {value}")).collect()
    }

    #[test]
    fn manifests_by_their_keys() {
        for (path, text, says) in [
            (
                "package.json",
                r#"{"\u0064ependencies": {"a": "https:\/\/e.dev\/a"}}"#,
                "package https://e.dev/a",
            ),
            (
                "package.json",
                r#"{"overrides": {"a": {"b": "git+ssh://e.dev/b"}}}"#,
                "package git+ssh://e.dev/b",
            ),
            ("package.json", r#"{"publishConfig": {"registry": "https://e.dev"}}"#, "index https://e.dev"),
            ("package.json", "{\"scripts\": {\"postinstall\": \"x\"}}", "script x"),
            (
                "Cargo.toml",
                "[dependencies.a]\ngit = 'https://e.dev/a'\nrev = \"12\"",
                "package git+https://e.dev/a@12",
            ),
            (
                "Cargo.toml",
                "[target.'cfg(unix)'.dependencies]\na = {git=\"https://e.dev\"}",
                "package git+https://e.dev",
            ),
            (
                ".cargo/config.toml",
                "[source.x]\nregistry = \"sparse+https://e.dev/\"",
                "index https://e.dev/",
            ),
            (
                "pyproject.toml",
                "[project]\ndependencies = ['a[b] @ https://e.dev/a.whl']",
                "package https://e.dev/a.whl",
            ),
            (
                "pyproject.toml",
                "[[tool.poetry.source]]\nname='x'\nurl='https://e.dev/s'",
                "index https://e.dev/s",
            ),
            (
                "pyproject.toml",
                "[tool.uv.sources]\na = { url = 'https://e.dev/a' }",
                "package https://e.dev/a",
            ),
            (
                "pyproject.toml",
                "[build-system]\nrequires = ['a @ https://e.dev/a']",
                "package https://e.dev/a",
            ),
            ("Pipfile", "[[source]]\nurl = 'https://e.dev/simple'", "index https://e.dev/simple"),
            ("requirements-dev.txt", "-i https://e.dev/simple # x", "index https://e.dev/simple"),
            ("requirements.txt", "-e git+https://e.dev/a#egg=a", "package git+https://e.dev/a#egg=a"),
            ("requirements.txt", "https://e.dev/a", "package https://e.dev/a"),
            ("requirements.txt", "a@https://e.dev/a ; python_version > '3'", "package https://e.dev/a"),
        ] {
            assert_eq!(told(path, text), [says], "{text}");
        }
    }

    #[test]
    fn what_a_manifest_only_mentions() {
        for (path, text) in [
            (
                "package.json",
                r#"{"homepage": "https://e.dev", "repository": {"url": "git+https://e.dev/a"}}"#,
            ),
            (
                "package.json",
                r#"{"dependencies": {"a": "^1.0.0", "b": "workspace:*"}, "scripts": {"test": "x"}}"#,
            ),
            ("Cargo.toml", "[package]\nrepository = 'https://e.dev'\n[dependencies]\na = '1'"),
            ("pyproject.toml", "[project.urls]\nHomepage = 'https://e.dev'"),
            ("requirements.txt", "# https://e.dev\na==1 # https://e.dev"),
            ("notes.txt", "https://e.dev/a"),
            ("package.json", "{"),
        ] {
            assert_eq!(told(path, text), [""; 0], "{text}");
        }
    }
}
