use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use fs_err as fs;
use serde::Deserialize;
use skill_core::digest::RegistryId;
use skill_core::wanted::Wanted;

use crate::code::Code;
use crate::failure::Failure;
use crate::text::excerpt::{Excerpt, place};

/// One file of configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Name of the default registry.
    pub default: Option<String>,
    /// Registries by name.
    pub registries: BTreeMap<String, Entry>,
    /// Whether it has a `[security]` table, which binds installs.
    pub has_security: bool,
    /// Keys that a project file has and may not have.
    pub ignored: Vec<String>,
}

/// A registry in a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Where it is reached.
    pub url: String,
    /// Its id, if the file names it.
    pub id: Option<RegistryId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shape {
    default: Option<String>,
    #[serde(default)]
    registry: BTreeMap<String, Entry>,
    security: Option<toml::Table>,
}

impl File {
    /// Reads a file; one that is not there is empty. `shown` is its path for messages.
    ///
    /// # Errors
    /// `config-unreadable` with line, column and caret; `disk-denied`, `disk-io`.
    pub fn read(path: &Path, shown: &str) -> Result<Self, Failure> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, shown),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(error) => Err(Failure::disk(&error, shown)),
        }
    }

    fn parse(text: &str, shown: &str) -> Result<Self, Failure> {
        let shape: Shape = toml::from_str(text).map_err(|error| unreadable(text, shown, &error))?;
        let registries = shape.registry;
        let has_security = shape.security.is_some();
        Ok(Self { default: shape.default, registries, has_security, ignored: Vec::new() })
    }

    /// What a project may say here: names of registries. A `[security]` table is noticed, other
    /// tables are ignored and named.
    pub fn of_project(wanted: &Wanted) -> Self {
        let registries = wanted
            .registries()
            .iter()
            .map(|(name, registry)| (name.clone(), Entry { url: registry.url.to_string(), id: registry.id }));
        let tables = wanted.to_toml().parse::<toml::Table>().unwrap_or_default();
        let known = ["default", "registry", "skills", "security"];
        Self {
            default: wanted.default_registry().map(str::to_owned),
            registries: registries.collect(),
            has_security: tables.contains_key("security"),
            ignored: tables.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect(),
        }
    }
}

fn unreadable(text: &str, shown: &str, error: &toml::de::Error) -> Failure {
    let message = error.message().lines().next().unwrap_or("not TOML").to_owned();
    let Some(span) = error.span() else {
        return Failure::new(Code::ConfigUnreadable, format!("{shown}: {message}"));
    };
    let (line, column) = place(text, span.start);
    let end = if span.end > span.start { place(text, span.end) } else { (line, column + 1) };
    let excerpt = Excerpt {
        line,
        column,
        end_column: if end.0 == line { end.1 } else { column + 1 },
        text: text.lines().nth(line as usize - 1).unwrap_or_default(),
        label: None,
    };
    let mut failure = Failure::new(Code::ConfigUnreadable, format!("{shown}:{line}:{column}: {message}"))
        .key("line", line)
        .key("column", column);
    for line in excerpt.lines() {
        failure = failure.block(line);
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Failure {
        File::parse(text, "config.toml").unwrap_err()
    }

    #[test]
    fn a_whole_file() {
        let text = "default = \"corp\"\n[registry.corp]\nurl = \"https://skills.corp.example\"\n";
        let file = File::parse(text, "config.toml").unwrap();
        assert_eq!(file.default.as_deref(), Some("corp"));
        assert_eq!(file.registries["corp"].url, "https://skills.corp.example");
        assert!(!file.has_security);
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place() {
        let failure = refused("default = \"corp\"\nregistri = 1\n");
        assert!(failure.message.starts_with("config.toml:2:1: "), "{}", failure.message);
        assert!(failure.message.contains("registri"), "{}", failure.message);
        assert_eq!(failure.extra["line"], 2);
    }

    #[test]
    fn what_is_not_toml_is_named_with_its_place() {
        let failure = refused("default = \n");
        assert!(failure.message.starts_with("config.toml:1:"), "{}", failure.message);
    }

    #[test]
    fn a_security_table_is_noticed_not_read() {
        let file = File::parse("[security.rules]\nrequire = [\"log\"]\n", "config.toml").unwrap();
        assert!(file.has_security);
    }
}
