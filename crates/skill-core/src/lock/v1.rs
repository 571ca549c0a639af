//! Format 1.

use std::fmt::Write as _;

use super::{Lock, LockedRegistry, LockedSkill, LockedSource};
use crate::name::Slug;
use crate::reference::{GitSource, Location, git_ref, subpath};
use crate::strict_toml::{Fields, TomlError};

const HEAD: &str = "\
# What is installed, exactly. `skill` writes this file: commit it, and do not edit it.
format = 1
";

/// The keys of every kind of entry.
const SHARED: [&str; 7] = ["source", "requirement", "tree", "verdict", "findings", "accepted", "targets"];

pub(super) fn read(fields: Fields<'_>) -> Result<Lock, TomlError> {
    fields.deny_unknown(&["format", "registry", "skills"])?;
    let mut lock = Lock::default();
    if let Some(registries) = fields.table("registry")? {
        for name in registries.keys() {
            let Some(registry) = registries.table(name)? else { continue };
            registry.deny_unknown(&["id", "url"])?;
            let registry = LockedRegistry { id: registry.need("id")?, url: registry.need("url")? };
            lock.registries.insert(name.to_owned(), registry);
        }
    }
    if let Some(skills) = fields.table("skills")? {
        for key in skills.keys() {
            let Some(skill) = skills.table(key)? else { continue };
            let name: Slug = key.parse().map_err(|error| skills.wrong_key(key, error))?;
            lock.skills.insert(name, read_skill(skill)?);
        }
    }
    Ok(lock)
}

fn read_skill(fields: Fields<'_>) -> Result<LockedSkill, TomlError> {
    let kind: String = fields.need("source")?;
    let source = match kind.as_str() {
        "registry" => {
            deny_unknown(
                fields,
                &["registry", "owner", "slug", "version", "archive_sha256", "publisher", "log_index"],
            )?;
            LockedSource::Registry {
                registry: fields.need("registry")?,
                owner: fields.need("owner")?,
                slug: fields.need("slug")?,
                version: fields.need("version")?,
                archive: fields.need("archive_sha256")?,
                publisher: fields.need("publisher")?,
                log_index: fields.need_number("log_index")?,
            }
        }
        "path" => {
            deny_unknown(fields, &["path"])?;
            LockedSource::Path { path: fields.need("path")? }
        }
        "archive" => {
            deny_unknown(fields, &["location", "archive_sha256", "path"])?;
            LockedSource::Archive {
                location: fields.need("location")?,
                sha256: fields.need("archive_sha256")?,
                path: fields.read_with("path", subpath)?.flatten(),
            }
        }
        "git" => {
            deny_unknown(fields, &["url", "ref", "commit", "path"])?;
            LockedSource::Git {
                url: git_location(fields, "url")?,
                reference: fields.read_with("ref", git_ref)?,
                commit: fields.read_with("commit", commit)?.ok_or_else(|| fields.missing("commit"))?,
                path: fields.read_with("path", subpath)?.flatten(),
            }
        }
        _ => return Err(fields.wrong_value("source", "a source is registry, path, archive or git")),
    };
    Ok(LockedSkill {
        source,
        requirement: fields.read("requirement")?,
        tree: fields.need("tree")?,
        verdict: fields.need("verdict")?,
        findings: fields.need("findings")?,
        accepted: fields.need_bool("accepted")?,
        targets: fields.need_texts("targets")?,
    })
}

fn deny_unknown(fields: Fields<'_>, own: &[&'static str]) -> Result<(), TomlError> {
    fields.deny_unknown(&[own, &SHARED].concat())
}

/// A repository, which goes to git's command line: what git would run is refused here, too.
fn git_location(fields: Fields<'_>, key: &'static str) -> Result<Location, TomlError> {
    fields.read_with(key, str::parse::<GitSource>)?;
    fields.need(key)
}

fn commit(text: &str) -> Result<String, &'static str> {
    let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if hex && matches!(text.len(), 40 | 64) {
        Ok(text.to_owned())
    } else {
        Err("a commit is 40 or 64 lower-case hexadecimal digits")
    }
}

pub(super) fn write(lock: &Lock) -> String {
    let mut text = Writer(HEAD.to_owned());
    for (name, registry) in &lock.registries {
        text.table("registry", name);
        text.text("id", &registry.id);
        text.text("url", &registry.url);
    }
    for (name, skill) in &lock.skills {
        text.table("skills", name.as_str());
        write_skill(&mut text, skill);
    }
    text.0
}

fn write_skill(text: &mut Writer, skill: &LockedSkill) {
    text.text("source", &skill.source.kind());
    match &skill.source {
        LockedSource::Registry { registry, owner, slug, version, archive, publisher, log_index } => {
            text.text("registry", registry);
            text.text("owner", owner);
            text.text("slug", slug);
            text.text("version", version);
            text.text("archive_sha256", archive);
            text.text("publisher", publisher);
            text.bare("log_index", log_index);
        }
        LockedSource::Path { path } => text.text("path", path),
        LockedSource::Archive { location, sha256, path } => {
            text.text("location", location);
            text.text("archive_sha256", sha256);
            text.optional("path", path.as_ref());
        }
        LockedSource::Git { url, reference, commit, path } => {
            text.text("url", url);
            text.optional("ref", reference.as_ref());
            text.text("commit", commit);
            text.optional("path", path.as_ref());
        }
    }
    text.optional("requirement", skill.requirement.as_ref());
    text.text("tree", &skill.tree);
    text.text("verdict", &skill.verdict);
    text.text("findings", &skill.findings);
    text.bare("accepted", &skill.accepted);
    let targets: Vec<String> = skill.targets.iter().map(|target| quoted(target)).collect();
    text.bare("targets", &format!("[{}]", targets.join(", ")));
}

/// Writes TOML in one spelling that no other crate's version can change.
struct Writer(String);

impl Writer {
    fn table(&mut self, parent: &str, name: &str) {
        let bare = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        let plain = !name.is_empty() && name.bytes().all(bare);
        let name = if plain { name.to_owned() } else { quoted(name) };
        self.line(format_args!("\n[{parent}.{name}]"));
    }

    fn text(&mut self, key: &str, value: &impl ToString) {
        self.line(format_args!("{key} = {}", quoted(&value.to_string())));
    }

    fn optional(&mut self, key: &str, value: Option<&impl ToString>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn bare(&mut self, key: &str, value: &impl std::fmt::Display) {
        self.line(format_args!("{key} = {value}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot end in an error.
        let _ = writeln!(self.0, "{line}");
    }
}

/// A basic string of TOML 1.0.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
