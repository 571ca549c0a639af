//! From wishes to TOML, in a text that a person wrote.

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::read::local_name;
use super::{WantedRegistry, WantedSkill};
use crate::name::Slug;

pub(super) fn set(document: &mut DocumentMut, name: &Slug, skill: &WantedSkill) {
    let key = key_of(name, skill);
    // Reading has refused whatever is no table there.
    let Some(skills) = skills_table(document) else { return };
    let written: Option<String> =
        skills.iter().map(|(key, _)| key.to_owned()).find(|key| local_name(key).as_ref() == Some(name));
    if let Some(written) = &written
        && *written != key
    {
        skills.remove(written);
    }
    let value = value_of(name, skill);
    match skills.get_mut(&key) {
        // `[skills.dirry]`: a table with a head of its own stays one.
        Some(Item::Table(table)) => refill(table, &value),
        Some(Item::Value(old)) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        _ => {
            skills.insert(&key, Item::Value(value));
        }
    }
}

pub(super) fn remove(document: &mut DocumentMut, name: &Slug) {
    let Some(skills) = document.get_mut("skills").and_then(Item::as_table_like_mut) else { return };
    let written = skills.iter().map(|(key, _)| key.to_owned());
    let written: Vec<String> = written.filter(|key| local_name(key).as_ref() == Some(name)).collect();
    for key in written {
        skills.remove(&key);
    }
}

pub(super) fn set_registry(document: &mut DocumentMut, name: &str, registry: &WantedRegistry) {
    let mut fields = InlineTable::new();
    fields.insert("url", registry.url.to_string().into());
    if let Some(id) = registry.id {
        fields.insert("id", id.to_string().into());
    }
    let mut table = Table::new();
    refill(&mut table, &Value::InlineTable(fields.clone()));
    if document.contains_key("registry") {
        table.decor_mut().set_prefix("\n");
    } else {
        table.decor_mut().set_prefix(take_trailing(document));
        let mut parent = Table::new();
        parent.set_implicit(true);
        document.insert("registry", Item::Table(parent));
    }
    // Reading has refused whatever is no table there.
    let Some(registries) = document.get_mut("registry").and_then(Item::as_table_like_mut) else { return };
    match registries.get_mut(name) {
        Some(Item::Table(old)) => refill(old, &Value::InlineTable(fields)),
        Some(Item::Value(old)) => *old = Value::InlineTable(fields),
        _ => {
            registries.insert(name, Item::Table(table));
        }
    }
}

/// `[skills]`, made at the end of the file if it is not there.
fn skills_table(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    if !document.contains_key("skills") {
        let mut table = Table::new();
        table.decor_mut().set_prefix(take_trailing(document));
        document.insert("skills", Item::Table(table));
    }
    document.get_mut("skills")?.as_table_like_mut()
}

/// What stands last in the file, comments: it comes before a new table, with an empty line between.
fn take_trailing(document: &mut DocumentMut) -> String {
    let mut trailing = document.trailing().as_str().unwrap_or_default().to_owned();
    if !(trailing.is_empty() || trailing.ends_with('\n')) {
        trailing.push('\n');
    }
    if !(document.is_empty() && trailing.trim().is_empty()) {
        trailing.push('\n');
    }
    document.set_trailing("");
    trailing
}

/// A registry's skill stands under its full name, if that says how it is called here.
fn key_of(name: &Slug, skill: &WantedSkill) -> String {
    match skill {
        WantedSkill::Registry { name: full, .. } if full.slug == *name => full.to_string(),
        _ => name.to_string(),
    }
}

fn value_of(name: &Slug, skill: &WantedSkill) -> Value {
    let mut table = InlineTable::new();
    let mut put = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            table.insert(key, value.into());
        }
    };
    match skill {
        WantedSkill::Registry { name: full, requirement, registry } => {
            if full.slug == *name && registry.is_none() {
                return requirement.to_string().into();
            }
            put("skill", (full.slug != *name).then(|| full.to_string()));
            put("version", Some(requirement.to_string()));
            put("registry", registry.clone());
        }
        WantedSkill::Path { path } => put("path", Some(path.clone())),
        WantedSkill::Git { url, reference, path } => {
            put("git", Some(url.to_string()));
            put("ref", reference.clone());
            put("path", path.clone());
        }
        WantedSkill::Archive { archive, path } => {
            put("archive", Some(archive.to_string()));
            put("path", path.clone());
        }
    }
    Value::InlineTable(table)
}

/// Gives a table the entries of `value`, and keeps the comments of those that stay.
fn refill(table: &mut Table, value: &Value) {
    let Value::InlineTable(fields) = value else {
        // A requirement alone, in a table with a head: its one key is `version`.
        let mut fields = InlineTable::new();
        fields.insert("version", value.clone());
        return refill(table, &Value::InlineTable(fields));
    };
    table.retain(|key, _| fields.contains_key(key));
    for (key, value) in fields {
        match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                let decor = old.decor().clone();
                *old = value.clone();
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, Item::Value(value.clone()));
            }
        }
    }
}
