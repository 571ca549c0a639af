//! The parts of a [`Manifest`](super::Manifest).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// What has to be there before a skill can work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Requires {
    /// Programs that must all be on PATH.
    pub bins: Vec<String>,
    /// Programs of which one is enough.
    pub any_bins: Vec<String>,
    /// Environment variables that must be set.
    pub env: Vec<String>,
    /// Settings of the agent that must be truthy, as dotted paths.
    pub config: Vec<String>,
    /// Tools that the agent must offer.
    pub tools: Vec<String>,
    /// Other skills: a reference (`owner/slug`) to a version requirement, both as written.
    pub skills: BTreeMap<String, String>,
}

/// Which program brings a dependency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InstallKind {
    /// Homebrew.
    Brew,
    /// npm, globally.
    Node,
    /// `go install`.
    Go,
    /// `uv tool install`.
    Uv,
    /// A file from a URL.
    Download,
    /// Anything else, as written.
    #[serde(untagged)]
    Other(String),
}

/// One way to get a dependency. Shown to a person, never run by this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Install {
    /// Which program brings it.
    pub kind: InstallKind,
    /// Name among the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What to call it in front of people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What to install: formula (with its tap), package or module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Address of a download.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Programs it brings.
    pub bins: Vec<String>,
    /// Systems it is for, named as in [`Manifest::os`](super::Manifest::os); empty means all.
    pub os: Vec<String>,
}

/// One environment variable that a skill reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvVar {
    /// Its name.
    pub name: String,
    /// Whether the skill cannot work without it (default true).
    pub required: bool,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Addresses, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Links {
    /// Where it lives (`homepage`, `website`, `url`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Where its source is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// Where it is explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
    /// Where its changes are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changelog: Option<String>,
}

/// What a skill takes or gives, from a JSON Schema or from a map of names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameters {
    /// The parameters in the order of the file.
    pub parameters: Vec<Parameter>,
    /// A JSON Schema (an object with `type`, `properties`, `required`): as written if it was one,
    /// else made from the map.
    pub schema: Value,
}

/// One parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// JSON Schema type (`string`, `integer`, ...), if said.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub kind: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// In a schema: listed under `required`. In a map: no default and not `required: false`.
    pub required: bool,
    /// The value it has when none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Values to learn from.
    pub examples: Vec<Value>,
}
