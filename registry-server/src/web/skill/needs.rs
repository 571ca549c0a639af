//! What a skill says that it needs, takes and is for, read from the manifest as it was stored.

use serde::Serialize;
use serde_json::Value;

use crate::web::address::{Address, Pages};

/// One thing that has to be there.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Need {
    kind: &'static str,
    name: String,
    /// Ways to get it, as commands; shown, never run.
    commands: Vec<Command>,
    note: String,
}

impl Need {
    /// What it is called.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// A way to get something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Command {
    line: String,
    /// The systems it is for; empty: all.
    only: String,
}

/// One value that a skill takes.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Input {
    name: String,
    kind: String,
    example: String,
    description: String,
}

/// Another skill that it needs.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Dependency {
    reference: String,
    address: Option<Address>,
    requirement: String,
}

fn texts<'a>(manifest: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = manifest.pointer(pointer).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A text of the manifest; empty if it is not there.
pub(super) fn text(manifest: &Value, pointer: &str) -> String {
    manifest.pointer(pointer).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

/// Everything that has to be there, programs first.
pub(super) fn needs(manifest: &Value) -> Vec<Need> {
    let plain = |kind, name: &str, note: &str| Need {
        kind,
        name: name.to_owned(),
        commands: Vec::new(),
        note: note.to_owned(),
    };
    let program =
        |name: &str, note: &str| Need { commands: ways(manifest, name), ..plain("Program", name, note) };
    let mut needs: Vec<Need> = Vec::new();
    needs.extend(texts(manifest, "/requires/bins").into_iter().map(|name| program(name, "")));
    let one_of = texts(manifest, "/requires/anyBins");
    let hint = if one_of.len() > 1 { "One of these programs is enough." } else { "" };
    needs.extend(one_of.into_iter().map(|name| program(name, hint)));
    needs.extend(variables(manifest));
    needs.extend(
        texts(manifest, "/requires/config")
            .into_iter()
            .map(|key| plain("Setting", key, "A setting of the agent.")),
    );
    needs.extend(
        texts(manifest, "/requires/tools")
            .into_iter()
            .map(|tool| plain("Tool", tool, "Offered by the agent.")),
    );
    needs
}

/// Variables that must be set, then described ones; each once.
fn variables(manifest: &Value) -> Vec<Need> {
    let described = manifest.get("envVars").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let words = |name: &str| {
        let variable = described.iter().find(|variable| text(variable, "/name") == name);
        variable.map(|variable| text(variable, "/description")).unwrap_or_default()
    };
    let mut names: Vec<(String, bool)> = Vec::new();
    let mut add = |name: String, required| {
        if !name.is_empty() && names.iter().all(|(known, _)| *known != name) {
            names.push((name, required));
        }
    };
    for name in texts(manifest, "/requires/env") {
        add(name.to_owned(), true);
    }
    add(text(manifest, "/primaryEnv"), true);
    for variable in described {
        let required = variable.get("required").and_then(Value::as_bool).unwrap_or(true);
        add(text(variable, "/name"), required);
    }
    let need = |(name, required): (String, bool)| {
        let optional = if required { "" } else { "Optional. " };
        let note = format!("{optional}{}", words(&name));
        Need { kind: "Variable", commands: Vec::new(), note: note.trim().to_owned(), name }
    };
    names.into_iter().map(need).collect()
}

/// The install entries that bring a program.
fn ways(manifest: &Value, program: &str) -> Vec<Command> {
    let entries = manifest.get("install").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    entries.iter().filter(|entry| texts(entry, "/bins").contains(&program)).filter_map(command).collect()
}

fn command(entry: &Value) -> Option<Command> {
    let package = text(entry, "/package");
    let line = match (text(entry, "/kind").as_str(), package.as_str()) {
        ("download", _) => text(entry, "/url"),
        (_, "") => return None,
        ("brew", package) => format!("brew install {package}"),
        ("node", package) => format!("npm install -g {package}"),
        ("go", package) => format!("go install {package}"),
        ("uv", package) => format!("uv tool install {package}"),
        (other, package) => format!("{other}: {package}"),
    };
    let only = texts(entry, "/os").join(", ");
    (!line.is_empty()).then_some(Command { line, only })
}

/// What it takes, in the order of the file.
pub(super) fn inputs(manifest: &Value) -> Vec<Input> {
    let list = manifest.pointer("/inputParameters/parameters").and_then(Value::as_array);
    let shown = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let input = |parameter: &Value| {
        let required = parameter.get("required").and_then(Value::as_bool).unwrap_or(false);
        let kind = text(parameter, "/type");
        let kind = if kind.is_empty() { "any".to_owned() } else { kind };
        let example = parameter.pointer("/examples/0").or_else(|| parameter.get("default"));
        Input {
            name: text(parameter, "/name"),
            kind: if required { format!("{kind}, required") } else { kind },
            example: shown(example),
            description: text(parameter, "/description"),
        }
    };
    list.into_iter().flatten().map(input).collect()
}

/// The skills that it needs.
pub(super) fn dependencies(manifest: &Value) -> Vec<Dependency> {
    let map = manifest.pointer("/requires/skills").and_then(Value::as_object);
    let dependency = |(reference, requirement): (&String, &Value)| {
        let name = reference.trim_start_matches('@').parse::<skill_core::name::SkillName>().ok();
        Dependency {
            address: name.map(|name| Pages::named(&name).skill()),
            reference: reference.clone(),
            requirement: requirement.as_str().unwrap_or_default().to_owned(),
        }
    };
    map.into_iter().flatten().map(dependency).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn programs_with_their_commands_then_variables_once() {
        let manifest = json!({
            "requires": { "bins": ["gh"], "anyBins": ["rg", "grep"], "env": ["TOKEN"], "tools": ["Read"] },
            "install": [
                { "kind": "brew", "package": "gh", "bins": ["gh"], "os": ["macos"] },
                { "kind": "apt", "package": "gh", "bins": ["gh"], "os": [] },
                { "kind": "brew", "bins": ["gh"] },
            ],
            "primaryEnv": "TOKEN",
            "envVars": [{ "name": "TOKEN", "description": "of GitHub" }, { "name": "HOST", "required": false }],
        });
        let lines: Vec<String> = needs(&manifest)
            .iter()
            .map(|need| {
                let commands: Vec<_> =
                    need.commands.iter().map(|one| format!("{} [{}]", one.line, one.only)).collect();
                format!("{} {}: {} {}", need.kind, need.name, commands.join("; "), need.note)
            })
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        Program gh: brew install gh [macos]; apt: gh [] 
        Program rg:  One of these programs is enough.
        Program grep:  One of these programs is enough.
        Variable TOKEN:  of GitHub
        Variable HOST:  Optional.
        Tool Read:  Offered by the agent.
        ");
    }

    #[test]
    fn inputs_with_an_example() {
        let manifest = json!({ "inputParameters": { "parameters": [
            { "name": "repo", "type": "string", "required": true, "examples": ["a/b"] },
            { "name": "limit", "required": false, "default": 50 },
        ] } });
        let lines: Vec<_> =
            inputs(&manifest).iter().map(|i| format!("{} | {} | {}", i.name, i.kind, i.example)).collect();
        assert_eq!(lines, ["repo | string, required | a/b", "limit | any | 50"]);
    }
}
