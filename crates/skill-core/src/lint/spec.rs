//! The Agent Skills specification to the letter, where reading is more lenient than it.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, FRONTMATTER_UNKNOWN, rules};

use super::value::folded;
use super::{Family, Findings, Skill};

pub(super) const FAMILY: Family =
    Family { title: "The specification to the letter (`--strict`)", rules: RULES, check };

rules! {
    pub(super) static RULES;

    SPEC_KEY Error "spec-key"
        "a top-level key that the Agent Skills spec does not have (strict)"
        why "The reference validator allows six keys and refuses every other; so do some clients."
        fix "Put it below `metadata`."
        source "reference validator of the Agent Skills specification";
    SPEC_TYPE Error "spec-type"
        "a field holds another type than the Agent Skills spec says (strict)"
        why "Clients that follow the specification read a text where a list or a map stands."
        fix "Write the type that the message names."
        source "Agent Skills specification, frontmatter";
}

/// The keys that the specification has.
pub(super) const KEYS: [&str; 6] =
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

fn check(skill: &Skill<'_>, found: &mut Findings) {
    if !skill.input.strict {
        return;
    }
    let unknown = found.places(FRONTMATTER_UNKNOWN.code);
    for pair in &skill.frontmatter.tree {
        let named = unknown.contains(&(pair.at.line, pair.at.column));
        // One that is only spelled otherwise has a finding of its own.
        if !named && !KEYS.iter().any(|key| folded(key) == folded(&pair.key)) {
            let message = format!("{} is no key of the Agent Skills spec; put it under metadata", pair.key);
            found.push(skill.at_key(Diagnostic::new(&SPEC_KEY, message), Some(pair)));
            continue;
        }
        let wanted = match (pair.key.as_str(), pair.value.to_value()) {
            ("metadata", Value::Object(_)) => continue,
            ("metadata", _) => "a map",
            (
                "name" | "description" | "license" | "compatibility" | "allowed-tools",
                Value::Array(_) | Value::Object(_),
            ) => "a text",
            ("compatibility", Value::String(text)) if text.trim().is_empty() => {
                "a text of 1 to 500 characters"
            }
            ("compatibility", Value::Null) => "a text of 1 to 500 characters",
            _ => continue,
        };
        let message = format!("{} should be {wanted}", pair.key);
        found.push(skill.at_key(Diagnostic::new(&SPEC_TYPE, message), Some(pair)));
    }
}
