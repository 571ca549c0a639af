//! A YAML value that knows where it stands.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::{Location, Spanned};

/// Where a key or value stands in the file: its first line and the columns it takes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Place {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
    /// Characters it takes; of a text over several lines more than its first line has.
    pub(crate) length: u32,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) at: Place,
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
    pub(crate) key: String,
    pub(crate) at: Place,
    pub(crate) value: Node,
}

impl Node {
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
        Self { kind, at }
    }

    /// The value alone; of keys that stand twice the last one.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Kind::Map(pairs) => Value::Object(to_map(pairs)),
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
}

/// Moves pairs and all below them down by a number of lines.
pub(crate) fn move_down(pairs: &mut [Pair], lines: u32) {
    for pair in pairs {
        pair.at.line += lines;
        move_node_down(&mut pair.value, lines);
    }
}

fn move_node_down(node: &mut Node, lines: u32) {
    node.at.line += lines;
    match &mut node.kind {
        Kind::Scalar(_) => {}
        Kind::List(items) => items.iter_mut().for_each(|item| move_node_down(item, lines)),
        Kind::Map(pairs) => move_down(pairs, lines),
    }
}

/// Pairs as a map in the order of first mention; of keys that stand twice the last value.
pub(crate) fn to_map(pairs: &[Pair]) -> Map<String, Value> {
    pairs.iter().map(|pair| (pair.key.clone(), pair.value.to_value())).collect()
}

fn place(at: Location) -> Place {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    Place { line: narrow(at.line()), column: narrow(at.column()), length: narrow(at.span().len()) }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value, referenced, .. } = Spanned::<Kind>::deserialize(deserializer)?;
        Ok(Self { kind: value, at: place(referenced) })
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.to_string().into()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.to_string().into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Kind::Scalar(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Kind, E> {
        Ok(Kind::Scalar(value.into()))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Kind, E> {
        Ok(Kind::Scalar(String::from_utf8_lossy(value).into()))
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Kind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<Node>()? {
            let at = key.at;
            let key = match key.to_value() {
                Value::String(text) => text,
                other => other.to_string(),
            };
            pairs.push(Pair { key, at, value: map.next_value()? });
        }
        Ok(Kind::Map(pairs))
    }
}
