//! A YAML value that knows where it stands and how it is written.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// Where a key or value stands in the file: its first line and the columns it takes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
    /// Characters it takes on that line.
    pub(crate) length: u32,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) at: Place,
    /// How a plain scalar that is no text is written: `1.10`, which as a number is 1.1.
    pub(crate) written: Option<Box<str>>,
    /// What YAML takes away from a plain text: the comment that ends it or stands in its place, an anchor that
    /// nothing refers to, a tag of no meaning.
    pub(crate) cut: Option<Place>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// Null, a truth value, a number or a text.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the file; a key may stand in it twice.
    Map(Vec<Pair>),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    /// The key as text: a number or truth value as it is written, a list or map as JSON.
    pub(crate) key: String,
    pub(crate) at: Place,
    pub(crate) value: Node,
}

impl Node {
    /// A value without the way it is written.
    pub(crate) fn new(kind: Kind, at: Place) -> Self {
        Self { kind, at, written: None, cut: None }
    }

    /// A value all of which stands at one place.
    pub(crate) fn from_value(value: Value, at: Place) -> Self {
        let kind = match value {
            Value::Array(items) => {
                Kind::List(items.into_iter().map(|item| Self::from_value(item, at)).collect())
            }
            Value::Object(map) => Kind::Map(
                map.into_iter()
                    .map(|(key, value)| Pair { key, at, value: Self::from_value(value, at) })
                    .collect(),
            ),
            scalar => Kind::Scalar(scalar),
        };
        Self::new(kind, at)
    }

    /// The value alone; of keys that stand twice the last one.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Kind::Map(pairs) => Value::Object(to_map(pairs)),
        }
    }

    /// The value for display: as [`to_value`](Self::to_value), but a number whose JSON would be spelled
    /// otherwise (`1.10`, `007`) is a text.
    pub(crate) fn to_written(&self) -> Value {
        match &self.kind {
            Kind::Scalar(Value::Number(number)) => match &self.written {
                Some(written) if **written != number.to_string() => Value::from(&**written),
                _ => Value::Number(number.clone()),
            },
            Kind::Scalar(value) => value.clone(),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_written).collect()),
            Kind::Map(pairs) => Value::Object(to_written_map(pairs)),
        }
    }

    /// A scalar as text, the way it is written; `None` for null, lists and maps.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match (&self.kind, &self.written) {
            (Kind::Scalar(Value::String(text)), _) => Some(Cow::Borrowed(text)),
            (Kind::Scalar(Value::Null) | Kind::List(_) | Kind::Map(_), _) => None,
            (Kind::Scalar(_), Some(written)) => Some(Cow::Borrowed(written)),
            (Kind::Scalar(value), None) => Some(Cow::Owned(value.to_string())),
        }
    }

    /// The value of a key if this is a map; of keys that stand twice the last one.
    pub(crate) fn get(&self, key: &str) -> Option<&Pair> {
        self.pairs().iter().rev().find(|pair| pair.key == key)
    }

    /// The pairs if this is a map, else none.
    pub(crate) fn pairs(&self) -> &[Pair] {
        if let Kind::Map(pairs) = &self.kind { pairs } else { &[] }
    }

    /// The same, taken out.
    pub(crate) fn into_pairs(self) -> Vec<Pair> {
        if let Kind::Map(pairs) = self.kind { pairs } else { Vec::new() }
    }
}

/// Changes every place.
pub(crate) fn replace(pairs: &mut [Pair], change: &impl Fn(Place) -> Place) {
    for pair in pairs {
        pair.at = change(pair.at);
        replace_node(&mut pair.value, change);
    }
}

fn replace_node(node: &mut Node, change: &impl Fn(Place) -> Place) {
    node.at = change(node.at);
    node.cut = node.cut.map(change);
    match &mut node.kind {
        Kind::Scalar(_) => {}
        Kind::List(items) => items.iter_mut().for_each(|item| replace_node(item, change)),
        Kind::Map(pairs) => replace(pairs, change),
    }
}

/// Moves pairs and all below them down by a number of lines.
pub(crate) fn move_down(pairs: &mut [Pair], lines: u32) {
    replace(pairs, &|at| Place { line: at.line + lines, ..at });
}

/// Pairs as a map in the order of first mention; of keys that stand twice the last value.
pub(crate) fn to_map(pairs: &[Pair]) -> Map<String, Value> {
    pairs.iter().map(|pair| (pair.key.clone(), pair.value.to_value())).collect()
}

/// The same for display, see [`Node::to_written`].
pub(crate) fn to_written_map(pairs: &[Pair]) -> Map<String, Value> {
    pairs.iter().map(|pair| (pair.key.clone(), pair.value.to_written())).collect()
}

/// A key without case, hyphens and underscores: `when_to_use`, `when-to-use`, `whenToUse`.
pub(crate) fn folded(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}
