//! Reads what a skill requires and where it comes from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::frontmatter::node::{Kind, Node, Pair};

use super::fields::{Fields, folded, truth, unfolded};
use super::{EnvVar, Install, InstallKind, Requires};

/// The keys of `requires`, for a suggestion to who misspells one.
pub(super) const KEYS: [&str; 6] = ["bins", "anyBins", "env", "config", "tools", "skills"];

/// Reads `requires`.
pub(super) fn requires(fields: &mut Fields<'_>) -> Requires {
    let Some(pair) = fields.take(&["requires"]) else { return Requires::default() };
    let mut requires = Requires::default();
    for pair in fields.as_map(&pair) {
        match folded(&pair.key).as_str() {
            "bins" => requires.bins = fields.as_list(&pair),
            "anybins" => requires.any_bins = fields.as_list(&pair),
            "env" => requires.env = fields.as_list(&pair),
            "config" => requires.config = fields.as_list(&pair),
            "tools" => requires.tools = fields.as_list(&pair),
            "skills" => requires.skills = skills(fields, &pair),
            _ => super::unknown::misspelled(fields, &pair, &KEYS),
        }
    }
    requires
}

/// `requires.skills`: a map from reference to requirement, or a list of `reference@requirement`.
fn skills(fields: &mut Fields<'_>, pair: &Pair) -> BTreeMap<String, String> {
    if let Some(pairs) = unfolded(&pair.value) {
        return pairs
            .into_iter()
            .map(|pair| {
                let requirement = fields.as_text(&pair).unwrap_or_else(|| "*".to_owned());
                (pair.key, requirement)
            })
            .collect();
    }
    let split = |item: String| match item.rsplit_once('@') {
        Some((reference, requirement)) if !reference.is_empty() && !requirement.contains('/') => {
            (reference.to_owned(), requirement.to_owned())
        }
        _ => (item, "*".to_owned()),
    };
    fields.as_list(pair).into_iter().map(split).collect()
}

/// Reads `envVars`, or `env` beside `requires`.
pub(super) fn env_vars(fields: &mut Fields<'_>) -> Vec<EnvVar> {
    let Some(pair) = fields.take(&["envVars", "env"]) else { return Vec::new() };
    let variable = |name: String| EnvVar { name, required: true, description: None };
    match &pair.value.kind {
        Kind::List(items) => items.iter().filter_map(env_var).collect(),
        Kind::Map(pairs) => pairs
            .iter()
            .map(|pair| EnvVar {
                description: pair.value.to_value().as_str().map(str::to_owned),
                required: true,
                name: pair.key.clone(),
            })
            .collect(),
        Kind::Scalar(_) => fields.as_list(&pair).into_iter().map(variable).collect(),
    }
}

fn env_var(item: &Node) -> Option<EnvVar> {
    match item.to_value() {
        Value::String(name) => Some(EnvVar { name, required: true, description: None }),
        Value::Object(map) => Some(EnvVar {
            name: map.get("name")?.as_str()?.to_owned(),
            required: map.get("required").and_then(truth).unwrap_or(true),
            description: map.get("description").and_then(Value::as_str).map(str::to_owned),
        }),
        _ => None,
    }
}

/// Reads `install`: a list of ways, or a single one.
pub(super) fn install(fields: &mut Fields<'_>) -> Vec<Install> {
    let Some(pair) = fields.take(&["install"]) else { return Vec::new() };
    let items: Vec<Node> = match &pair.value.kind {
        Kind::List(items) => items.clone(),
        _ => vec![pair.value.clone()],
    };
    let ways: Vec<Install> = items.iter().filter_map(|item| way(fields, item)).collect();
    if ways.len() < items.len() {
        fields.items_mistyped(&pair.key, pair.at, "a list of maps with a kind");
    }
    ways
}

fn way(fields: &mut Fields<'_>, item: &Node) -> Option<Install> {
    let text = |key: &str| item.get(key)?.value.text().map(Cow::into_owned);
    let written = text("kind").or_else(|| text("type"))?;
    let kind = match written.to_ascii_lowercase().as_str() {
        "brew" | "homebrew" => InstallKind::Brew,
        "node" | "npm" => InstallKind::Node,
        "go" => InstallKind::Go,
        "uv" => InstallKind::Uv,
        "download" => InstallKind::Download,
        _ => InstallKind::Other(written),
    };
    let package = match (text("formula"), text("tap")) {
        (Some(formula), Some(tap)) if !formula.contains('/') => Some(format!("{tap}/{formula}")),
        (Some(formula), _) => Some(formula),
        _ => text("package").or_else(|| text("module")),
    };
    let mut list = |key: &str| item.get(key).map_or_else(Vec::new, |pair| fields.as_list(pair));
    Some(Install {
        kind,
        id: text("id"),
        label: text("label"),
        package,
        url: text("url"),
        bins: list("bins"),
        os: super::systems(list("os")),
    })
}
