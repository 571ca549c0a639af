//! What the skill takes.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, rules};

use super::value::{by_name, folded, pair_named};
use super::{Family, Findings, Skill};

pub(super) const FAMILY: Family = Family { title: "Parameters", rules: RULES, check };

rules! {
    pub(super) static RULES;

    PARAMETER_EXAMPLE Warning "parameter-example"
        "a parameter has neither a default nor an example"
        why "The agent guesses the form: a date, a path or a name is written in many ways."
        fix "Add `example:` (or `examples`, `default`, `enum`) below it."
        source "this project";
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let Some(inputs) = &skill.manifest.input_parameters else { return };
    let block = pair_named(&skill.frontmatter.tree, "input_parameters");
    let pairs = block.map(|block| by_name(block.value.pairs())).unwrap_or_default();
    for parameter in &inputs.parameters {
        let about = &inputs.schema["properties"][&parameter.name];
        let says = |key: &str| !matches!(about[key], Value::Null);
        let is_flag = parameter.kind.as_deref() == Some("boolean");
        let shown = parameter.default.is_some() || !parameter.examples.is_empty();
        if shown || is_flag || says("enum") || says("const") {
            continue;
        }
        let message = format!("{} has neither a default nor an example", parameter.name);
        let pair = pairs.get(&folded(&parameter.name)).copied().or(block);
        found.push(skill.at_key(Diagnostic::new(&PARAMETER_EXAMPLE, message), pair));
    }
}
