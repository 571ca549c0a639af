use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use skill_core::diagnostic::place;
use skill_core::digest::RegistryId;
use skill_core::policy::Security;
use skill_core::strict_toml::TomlError;
use skill_core::wanted::Wanted;

use crate::code::Code;
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::text::excerpt::Excerpt;

/// One file of configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Name of the default registry.
    pub default: Option<String>,
    /// Registries by name.
    pub registries: BTreeMap<String, Entry>,
    /// The URL that `github:owner/repo` is below.
    pub github: Option<String>,
    /// What its `[security]` table asks of installs.
    pub security: Security,
    /// Why that table cannot be used: every install is refused then.
    pub security_flaw: Option<TomlError>,
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
    github: Option<String>,
    #[serde(default)]
    registry: BTreeMap<String, Entry>,
    #[serde(rename = "security")]
    _security: Option<toml::Table>,
}

impl File {
    /// Reads a file; one that is not there is empty. `shown` is its path for messages.
    ///
    /// # Errors
    /// `config-unreadable` with line, column and caret; `disk-denied`, `disk-io`.
    pub fn read(path: &Path, shown: &str) -> Result<Self, Failure> {
        let text = files::read_text(path, limit::TOML).map_err(|error| Failure::disk(&error, shown))?;
        text.map_or_else(|| Ok(Self::default()), |text| Self::parse(&text, shown))
    }

    fn parse(text: &str, shown: &str) -> Result<Self, Failure> {
        let shape: Shape = toml::from_str(text).map_err(|error| unreadable(text, shown, &error))?;
        let registries = shape.registry;
        let (security, security_flaw) = security(text);
        Ok(Self {
            default: shape.default,
            github: shape.github,
            registries,
            security,
            security_flaw,
            ignored: Vec::new(),
        })
    }

    /// What a project may say here: names of registries, and rules that tighten. Other tables are
    /// ignored and named.
    pub fn of_project(wanted: &Wanted) -> Self {
        let registries = wanted
            .registries()
            .iter()
            .map(|(name, registry)| (name.clone(), Entry { url: registry.url.to_string(), id: registry.id }));
        let text = wanted.to_toml();
        let (security, security_flaw) = security(&text);
        let tables = text.parse::<toml::Table>().unwrap_or_default();
        let known = ["default", "registry", "skills", "security"];
        Self {
            default: wanted.default_registry().map(str::to_owned),
            github: None,
            registries: registries.collect(),
            security,
            security_flaw,
            ignored: tables.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect(),
        }
    }
}

fn security(text: &str) -> (Security, Option<TomlError>) {
    match Security::parse(text) {
        Ok(security) => (security, None),
        Err(flaw) => (Security::default(), Some(flaw)),
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
        assert_eq!(file.security, Security::default());
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
    fn a_security_table_that_does_not_read_leaves_the_rest_usable() {
        let file = File::parse("[security.rules]\nrequire = [\"log\"]\n", "config.toml").unwrap();
        assert_eq!(file.security.rules.require.len(), 1);
        assert!(file.security_flaw.is_none());
        let file = File::parse("default = \"corp\"\n[security]\nrule = 1\n", "config.toml").unwrap();
        assert_eq!(file.default.as_deref(), Some("corp"));
        assert_eq!(file.security_flaw.unwrap().line, 3);
    }
}
