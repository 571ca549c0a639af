//! Reads what a skill takes and gives: a JSON Schema or a map of names.

use serde_json::{Map, Value, json};

use crate::frontmatter::node::{Kind, Node, Pair};

use super::fields::{Fields, truth, unfolded};
use super::{Parameter, Parameters};

/// Reads one of the two fields.
pub(super) fn parameters(fields: &mut Fields<'_>, name: &str) -> Option<Parameters> {
    let pair = fields.take(&[name])?;
    if let Kind::List(items) = &pair.value.kind {
        let described: Vec<(String, Value)> = items.iter().filter_map(item).collect();
        if described.len() < items.len() {
            fields.items_mistyped(&pair.key, pair.at, "a list of maps with a name");
        }
        return Some(from_described(described));
    }

    let Some(pairs) = unfolded(&pair.value) else {
        fields.mistyped(&pair.key, pair.at, "a JSON Schema or a map of names");
        return None;
    };
    Some(if is_schema(&pairs) { from_schema(&pairs) } else { from_map(&pairs) })
}

/// A JSON Schema of an object says `type: object`, or has `properties` that is a map of maps.
fn is_schema(pairs: &[Pair]) -> bool {
    let get = |key: &str| pairs.iter().rev().find(|pair| pair.key == key).map(|pair| pair.value.to_value());
    get("type") == Some("object".into()) && get("properties").is_none_or(|value| value.is_object())
        || get("$schema").is_some()
        || get("properties")
            .is_some_and(|value| value.as_object().is_some_and(|map| map.values().all(Value::is_object)))
}

fn from_schema(pairs: &[Pair]) -> Parameters {
    let schema: Map<String, Value> =
        pairs.iter().map(|pair| (pair.key.clone(), pair.value.to_value())).collect();
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let parameters = properties
        .into_iter()
        .flatten()
        .map(|(name, about)| parameter(name, about, required.contains(&name.as_str().into())))
        .collect();
    Parameters { parameters, schema: Value::Object(schema) }
}

/// `name: {type, description, default, ...}`; for short `name: description`, `name: [values]` or, if it is a
/// number or truth value, `name: default`.
fn from_map(pairs: &[Pair]) -> Parameters {
    let described = pairs.iter().map(|pair| (pair.key.clone(), pair.value.to_value()));
    from_described(described.collect())
}

/// An item of a list: a map with a `name`, `name: about`, or a name alone.
fn item(item: &Node) -> Option<(String, Value)> {
    if let [only] = item.pairs()
        && only.key != "name"
    {
        return Some((only.key.clone(), only.value.to_value()));
    }
    match item.to_value() {
        Value::Object(mut about) => {
            let name = about.shift_remove("name")?.as_str()?.to_owned();
            Some((name, Value::Object(about)))
        }
        _ => item.text().map(|name| (name.into_owned(), Value::Null)),
    }
}

/// No default and not `required: false` means required.
fn from_described(described: Vec<(String, Value)>) -> Parameters {
    let mut parameters = Vec::with_capacity(described.len());
    let mut properties = Map::new();
    for (name, about) in described {
        let said = |key: &str, value: Value| Map::from_iter([(key.to_owned(), value)]);
        let about = match about {
            Value::Object(about) => about,
            Value::String(_) => said("description", about),
            Value::Array(_) => said("enum", about),
            Value::Bool(_) | Value::Number(_) => said("default", about),
            Value::Null => Map::new(),
        };
        let said = about.get("required").and_then(truth);
        let required = said.unwrap_or(!about.contains_key("default"));
        let about = Value::Object(about);
        parameters.push(parameter(&name, &about, required));
        properties.insert(name, property(about));
    }
    let required: Vec<&str> =
        parameters.iter().filter(|parameter| parameter.required).map(|parameter| &*parameter.name).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    Parameters { parameters, schema }
}

/// The JSON Schema of one parameter: what is no keyword there goes or becomes one.
fn property(about: Value) -> Value {
    let Value::Object(mut about) = about else { return about };
    about.shift_remove("required");
    if let Some(example) = about.shift_remove("example")
        && !about.contains_key("examples")
    {
        about.insert("examples".to_owned(), json!([example]));
    }
    Value::Object(about)
}

fn parameter(name: &str, about: &Value, required: bool) -> Parameter {
    let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut examples = match about.get("examples") {
        Some(Value::Array(examples)) => examples.clone(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one.clone()],
    };
    examples.extend(about.get("example").cloned());
    Parameter {
        name: name.to_owned(),
        kind: text("type"),
        description: text("description"),
        required,
        default: about.get("default").cloned(),
        examples,
    }
}
