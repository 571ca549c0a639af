//! From TOML to wishes.

use super::{Wanted, WantedRegistry, WantedSkill};
use crate::name::{SkillName, Slug};
use crate::reference::{GitSource, git_ref, subpath};
use crate::requirement::{Requirement, RequirementWarning};
use crate::strict_toml::{Fields, TomlError, TomlReason};

/// The keys that say of which kind an entry is.
const KINDS: [&str; 4] = ["skill", "path", "git", "archive"];

pub(super) fn wanted(fields: Fields<'_>) -> Result<Wanted, TomlError> {
    fields.deny_unknown_but_tables(&["default", "registry", "skills"])?;
    let mut wanted = Wanted { default: fields.read("default")?, ..Wanted::default() };
    if let Some(registries) = fields.table("registry")? {
        for name in registries.keys() {
            let Some(registry) = registries.table(name)? else { continue };
            registry.deny_unknown(&["url", "id"])?;
            let registry = WantedRegistry { url: registry.need("url")?, id: registry.read("id")? };
            wanted.registries.insert(name.to_owned(), registry);
        }
    }
    let Some(skills) = fields.table("skills")? else { return Ok(wanted) };
    let mut keys = Vec::new();
    for key in skills.keys() {
        let (name, skill) = entry(skills, key, &mut wanted.warnings)?;
        if wanted.skills.insert(name.clone(), skill).is_some() {
            let first = keys.iter().find(|(taken, _)| *taken == name).map_or(key, |(_, first)| *first);
            let (first, second) = (first.to_owned(), key.to_owned());
            return Err(skills.at_key(key, TomlReason::NameTwice { first, second, name: name.to_string() }));
        }
        keys.push((name, key));
    }
    Ok(wanted)
}

/// The local name that a key gives its entry.
pub(super) fn local_name(key: &str) -> Option<Slug> {
    match key.parse::<SkillName>() {
        Ok(name) => Some(name.slug),
        Err(_) => key.parse().ok(),
    }
}

fn entry(
    skills: Fields<'_>,
    key: &str,
    warnings: &mut Vec<RequirementWarning>,
) -> Result<(Slug, WantedSkill), TomlError> {
    let full = if key.contains('/') && !key.starts_with('@') {
        Some(key.parse::<SkillName>().map_err(|error| skills.wrong_key(key, error))?)
    } else {
        None
    };
    let local = match &full {
        Some(name) => name.slug.clone(),
        None => key.parse::<Slug>().map_err(|error| skills.wrong_key(key, error))?,
    };
    if skills.is_text(key) {
        let Some(name) = full else {
            return Err(skills.at_key(key, TomlReason::OwnerMissing { slug: key.to_owned() }));
        };
        let requirement = requirement(skills, key, warnings)?.unwrap_or_else(Requirement::any);
        return Ok((local, WantedSkill::Registry { name, requirement, registry: None }));
    }
    let Ok(Some(fields)) = skills.table(key) else {
        return Err(skills.wrong_type(key, "a text or a table"));
    };
    let skill = match full {
        Some(name) => registry(fields, name, &["version", "registry"], warnings)?,
        None => by_kind(skills, key, fields, warnings)?,
    };
    Ok((local, skill))
}

fn by_kind(
    skills: Fields<'_>,
    key: &str,
    fields: Fields<'_>,
    warnings: &mut Vec<RequirementWarning>,
) -> Result<WantedSkill, TomlError> {
    if fields.has("skill") {
        let name = fields.need("skill")?;
        return registry(fields, name, &["skill", "version", "registry"], warnings);
    }
    if fields.has("git") {
        fields.deny_unknown(&["git", "ref", "path"])?;
        fields.read_with("git", str::parse::<GitSource>)?;
        return Ok(WantedSkill::Git {
            url: fields.need("git")?,
            reference: fields.read_with("ref", git_ref)?,
            path: fields.read_with("path", subpath)?.flatten(),
        });
    }
    if fields.has("archive") {
        fields.deny_unknown(&["archive", "path"])?;
        let path = fields.read_with("path", subpath)?.flatten();
        return Ok(WantedSkill::Archive { archive: fields.need("archive")?, path });
    }
    if fields.has("path") {
        fields.deny_unknown(&["path"])?;
        return Ok(WantedSkill::Path { path: fields.need("path")? });
    }
    if fields.has("version") {
        return Err(skills.at_key(key, TomlReason::OwnerMissing { slug: key.to_owned() }));
    }
    fields.deny_unknown(&KINDS)?;
    Err(fields.missing("path"))
}

fn registry(
    fields: Fields<'_>,
    name: SkillName,
    known: &[&'static str],
    warnings: &mut Vec<RequirementWarning>,
) -> Result<WantedSkill, TomlError> {
    fields.deny_unknown(known)?;
    let requirement = requirement(fields, "version", warnings)?.ok_or_else(|| fields.missing("version"))?;
    Ok(WantedSkill::Registry { name, requirement, registry: fields.read("registry")? })
}

fn requirement(
    fields: Fields<'_>,
    key: &str,
    warnings: &mut Vec<RequirementWarning>,
) -> Result<Option<Requirement>, TomlError> {
    let Some((requirement, warning)) = fields.read_with(key, Requirement::parse)? else { return Ok(None) };
    warnings.extend(warning);
    Ok(Some(requirement))
}
