//! What a skill says about itself: the typed record made from its frontmatter.
//!
//! Fields are read from `metadata.clawdbot`, `.clawdis`, `.openclaw` or `.moltbot` (the first that
//! is a map), else from `metadata` itself, else from the top level of the frontmatter, under each
//! of the spellings in use (`when_to_use`, `when-to-use`, `whenToUse`). Nothing is dropped: what no
//! field takes is in [`Manifest::unknown`].

use serde::Serialize;
use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::frontmatter::Frontmatter;
use crate::frontmatter::node::Pair;
use crate::name::Slug;

mod fields;
mod parameters;
mod parts;
pub(crate) mod prose;
mod requires;
pub(crate) mod unknown;

pub use crate::frontmatter::FrontmatterError as ManifestError;
use fields::Fields;
pub use parts::{EnvVar, Install, InstallKind, Links, Parameter, Parameters, Requires};

/// The record of one release, as search, detail pages, resolver and runtime use it.
///
/// In JSON the keys are camelCase; absent texts are left out, lists and maps are always there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The name as written; without one the slug hint. Often a display name, see [`Manifest::slug`].
    pub name: String,
    /// What the skill does and when to use it, as written; without one the first paragraph of the
    /// text, without that the empty text. Never cut.
    pub description: String,
    /// When to use it, if said apart from the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<String>,
    /// When not to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when_not_to_use: Option<String>,
    /// A licence name or the name of a bundled file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Product, packages and network needs, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// The version that the file claims: shown, never used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Who wrote it, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// One emoji to show beside the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// Addresses that the file gives.
    pub links: Links,
    /// The key under which an agent keeps this skill's settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_key: Option<String>,
    /// The environment variable that holds the main credential.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_env: Option<String>,
    /// Whether the skill is offered although something it requires is missing.
    pub always: bool,
    /// Whether a person may call it by name (default true).
    pub user_invocable: bool,
    /// Whether the model must not choose it by itself (default false).
    pub disable_model_invocation: bool,
    /// `tool` if its command goes to a tool without the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_dispatch: Option<String>,
    /// The tool that such a command goes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_tool: Option<String>,
    /// Tools it may use without asking, as written: `Bash(git:*)`, `Read`.
    pub allowed_tools: Vec<String>,
    /// Systems it runs on: `linux`, `macos`, `windows`, others as written; empty means all.
    pub os: Vec<String>,
    /// What has to be there.
    pub requires: Requires,
    /// Ways to get what has to be there.
    pub install: Vec<Install>,
    /// Environment variables it reads, described.
    pub env_vars: Vec<EnvVar>,
    /// The steps, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<Value>,
    /// What it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_parameters: Option<Parameters>,
    /// What it gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_parameters: Option<Parameters>,
    /// How it is run without effect, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<Value>,
    /// Every top-level key that no field above takes, and `metadata` with what no field takes of it;
    /// in the order of the file. A number that JSON would spell otherwise (`1.10`) is a text.
    pub unknown: Map<String, Value>,
}

impl Manifest {
    /// The name as a slug if it is one; a display name (`Data Analysis`) is none.
    pub fn slug(&self) -> Option<Slug> {
        self.name.parse().ok()
    }

    /// Reads the record from the bytes of a `SKILL.md`.
    ///
    /// `slug_hint` (the slug, else the folder's name) stands in for a missing name. The findings
    /// are warnings: every one that [`Frontmatter::read`] gives, then those of the fields.
    /// Without any frontmatter they hold `frontmatter-missing`: installing goes on, publishing
    /// refuses.
    pub fn read(bytes: &[u8], slug_hint: &str) -> Result<(Self, Vec<Diagnostic>), ManifestError> {
        let frontmatter = Frontmatter::read(bytes)?;
        Ok(Self::of(&frontmatter, &frontmatter.body(bytes), slug_hint))
    }

    /// The record of a frontmatter already read, and every finding of both.
    pub(crate) fn of(frontmatter: &Frontmatter, body: &str, slug_hint: &str) -> (Self, Vec<Diagnostic>) {
        let mut fields = Fields::new(frontmatter);
        let manifest = read_fields(&mut fields, slug_hint, body);
        unknown::unknown(&mut fields);
        let mut found = frontmatter.diagnostics.clone();
        if frontmatter.present {
            found.append(&mut fields.found);
        } else {
            found.push(prose::missing(body, slug_hint));
        }
        found.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        (manifest, found)
    }
}

fn read_fields(fields: &mut Fields<'_>, slug_hint: &str, body: &str) -> Manifest {
    let name = prose::name(fields, slug_hint);
    let description = prose::description(fields, body);
    let allowed_tools =
        fields.take_top(&["allowed-tools"]).map_or_else(Vec::new, |pair| tools(fields, &pair));
    Manifest {
        name,
        description,
        when_to_use: fields.text(&["when_to_use"]),
        when_not_to_use: fields.text(&["when_not_to_use"]),
        license: fields.text(&["license"]),
        compatibility: prose::compatibility(fields),
        version: fields.text(&["version"]),
        author: prose::author(fields),
        emoji: fields.text(&["emoji"]),
        links: prose::links(fields),
        skill_key: fields.text(&["skillKey"]),
        primary_env: fields.text(&["primaryEnv"]),
        always: fields.flag(&["always"]).unwrap_or(false),
        user_invocable: fields.flag(&["user-invocable"]).unwrap_or(true),
        disable_model_invocation: fields.flag(&["disable-model-invocation"]).unwrap_or(false),
        command_dispatch: fields.text(&["command-dispatch"]),
        command_tool: fields.text(&["command-tool"]),
        allowed_tools,
        os: systems(fields.list(&["os", "platform", "platforms"])),
        requires: requires::requires(fields),
        install: requires::install(fields),
        env_vars: requires::env_vars(fields),
        workflow: fields.take(&["workflow"]).map(|pair| pair.value.to_value()),
        input_parameters: parameters::parameters(fields, "input_parameters"),
        output_parameters: parameters::parameters(fields, "output_parameters"),
        dry_run: fields.take(&["dry_run"]).map(|pair| pair.value.to_value()),
        unknown: fields.unknown(),
    }
}

/// Names of systems as one spelling each; what is not known stays as written, in lower case.
fn systems(written: Vec<String>) -> Vec<String> {
    let mut systems: Vec<String> = Vec::new();
    for system in written {
        let system = match system.to_lowercase().as_str() {
            "darwin" | "mac" | "osx" | "macosx" | "mac os" | "os x" => "macos".to_owned(),
            "win32" | "win" | "win64" => "windows".to_owned(),
            other => other.to_owned(),
        };
        if !systems.contains(&system) {
            systems.push(system);
        }
    }
    systems
}

/// `allowed-tools`: a list, or one text cut at blanks and commas outside parentheses.
fn tools(fields: &mut Fields<'_>, pair: &Pair) -> Vec<String> {
    let Value::String(text) = pair.value.to_value() else { return fields.as_list(pair) };
    let mut depth = 0_usize;
    text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    })
    .filter(|tool| !tool.is_empty())
    .map(str::to_owned)
    .collect()
}
