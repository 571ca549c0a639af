//! `skills.toml`: what a project wants (docs/FORMAT.md, "skills.toml").
//!
//! ```toml
//! default = "corp"
//!
//! [registry.corp]
//! url = "https://skills.corp.example"
//!
//! [skills]
//! "acme/github" = "^3.4.1"                                    # installed as github
//! "acme/search" = { version = "~1.2", registry = "other" }    # from another registry
//! gh = { skill = "octo/github", version = "2.x" }             # installed as gh
//! dirry = { path = "../dirry" }
//! gitty = { git = "https://git.example/r", ref = "v1", path = "skills/gitty" }
//! tarry = { archive = "t.tar.gz" }
//! ```
//!
//! A skill of a registry stands under its full name; under its local name, with the full name in
//! `skill`, only if the two differ. A bare slug with a requirement is refused: whom it belongs to is
//! the registry's to say, and a project's wishes must not depend on it. Tables of other concerns
//! (`[security.rules]`, `[runtime]`) are kept as they are.

use std::collections::BTreeMap;

use toml_edit::DocumentMut;

use crate::digest::RegistryId;
use crate::name::{SkillName, Slug};
use crate::reference::Location;
use crate::requirement::{Requirement, RequirementWarning};
use crate::strict_toml::{self, Fields, TomlError};

mod edit;
mod read;

/// What a project wants, and the text it was read from, comments included.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    document: DocumentMut,
    default: Option<String>,
    registries: BTreeMap<String, WantedRegistry>,
    skills: BTreeMap<Slug, WantedSkill>,
    warnings: Vec<RequirementWarning>,
}

/// A registry that a project names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedRegistry {
    /// Where it is reached.
    pub url: Location,
    /// Who it is; without it the first contact pins whoever answers.
    pub id: Option<RegistryId>,
}

/// One wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedSkill {
    /// A release of a registry.
    Registry {
        /// Whose and which.
        name: SkillName,
        /// Which releases.
        requirement: Requirement,
        /// From which registry, by name; the default one if it is `None`.
        registry: Option<String>,
    },
    /// A folder.
    Path {
        /// Relative to the work directory, with `/`, or absolute.
        path: String,
    },
    /// A git repository.
    Git {
        /// The repository; reads as a [`crate::reference::GitSource`].
        url: Location,
        /// A branch, a tag or a commit.
        reference: Option<String>,
        /// The folder inside it.
        path: Option<String>,
    },
    /// An archive.
    Archive {
        /// A URL, or a path relative to the work directory, with `/`.
        archive: Location,
        /// The folder inside it.
        path: Option<String>,
    },
}

/// A `skills.toml` that does not say what it wants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("skills.toml, {0}")]
pub struct WantedError(#[from] pub TomlError);

impl WantedError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        "wanted-unreadable"
    }
}

impl Wanted {
    /// What the file is called.
    pub const FILE_NAME: &str = "skills.toml";

    /// Reads the file. An empty one wants nothing.
    pub fn parse(text: &str) -> Result<Self, WantedError> {
        // A marker may stand in a string of several lines, so that one is looked for only where this is no TOML.
        let document =
            strict_toml::document(text).map_err(|error| strict_toml::conflict(text).unwrap_or(error))?;
        let mut wanted = read::wanted(Fields::of(&document))?;
        wanted.document = document.into_mut();
        Ok(wanted)
    }

    /// The text of the file: what was read, and the edits made since.
    pub fn to_toml(&self) -> String {
        self.document.to_string()
    }

    /// The name of the registry in which references without one resolve.
    pub fn default_registry(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// The registries that the project names.
    pub const fn registries(&self) -> &BTreeMap<String, WantedRegistry> {
        &self.registries
    }

    /// What is wanted, by local name.
    pub const fn skills(&self) -> &BTreeMap<Slug, WantedSkill> {
        &self.skills
    }

    /// What was read with a smile.
    pub fn warnings(&self) -> &[RequirementWarning] {
        &self.warnings
    }

    /// Names a registry, so that everybody who works with the project resolves to the same one.
    pub fn set_registry(&mut self, name: &str, registry: WantedRegistry) {
        edit::set_registry(&mut self.document, name, &registry);
        self.registries.insert(name.to_owned(), registry);
    }

    /// Wants `skill` as `name`, in the place of what was wanted under that name. Comments and the
    /// order of everything else stay.
    pub fn set(&mut self, name: &Slug, skill: WantedSkill) {
        edit::set(&mut self.document, name, &skill);
        self.skills.insert(name.clone(), skill);
    }

    /// Wants nothing as `name` any more; whether anything was.
    pub fn remove(&mut self, name: &Slug) -> bool {
        edit::remove(&mut self.document, name);
        self.skills.remove(name).is_some()
    }
}

#[cfg(test)]
mod tests;
