use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::ConfigError;
use super::layers::Key;
use super::nearest::nearest;

/// A setting in a file: its name, its value as text, its line.
pub(super) type Setting = (&'static str, String, usize);

/// Reads a settings file. A key that is no setting is an error: it was meant as one.
pub(super) fn read(path: &Path, keys: &[Key]) -> Result<Vec<Setting>, ConfigError> {
    let text = fs_err::read_to_string(path).map_err(ConfigError::Unreadable)?;
    let root = DeTable::parse(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let (line, column) = position(&text, at);
        ConfigError::Syntax { path: path.to_owned(), line, column, message: error.message().to_owned() }
    })?;
    let mut found = Vec::new();
    collect(path, &text, "", root.get_ref(), keys, &mut found)?;
    Ok(found)
}

fn collect(
    path: &Path,
    text: &str,
    above: &str,
    table: &DeTable<'_>,
    keys: &[Key],
    found: &mut Vec<Setting>,
) -> Result<(), ConfigError> {
    for (name, value) in table {
        let line = position(text, name.span().start).0;
        let dotted = format!("{above}{}", name.get_ref());
        let below = format!("{dotted}.");
        match value.get_ref() {
            DeValue::Table(inner) if keys.iter().any(|key| key.name.starts_with(&below)) => {
                collect(path, text, &below, inner, keys, found)?;
            }
            scalar => {
                let Some(key) = keys.iter().find(|key| key.name == dotted) else {
                    let nearest = nearest(&dotted, keys.iter().map(|key| key.name));
                    return Err(ConfigError::UnknownKey {
                        path: path.to_owned(),
                        line,
                        key: dotted,
                        nearest,
                    });
                };
                let Some(value) = as_text(scalar) else {
                    return Err(ConfigError::NotScalar { path: path.to_owned(), line, key: key.name });
                };
                found.push((key.name, value, line));
            }
        }
    }
    Ok(())
}

fn as_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Line and column of a byte, both from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}
