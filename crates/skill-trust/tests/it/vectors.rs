//! `tests/vectors/trust.json`, made by `tests/vectors/trust.py`.

use serde::Deserialize;
use skill_core::digest::RegistryId;

pub const TEXT: &str = include_str!("../vectors/trust.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Vectors {
    pub pae: Vec<Pae>,
    pub keys: Vec<Key>,
    pub edge_keys: Vec<EdgeKey>,
    pub edge_message: String,
    pub edge_public: String,
    pub edge_signatures: Vec<EdgeSignature>,
    pub universal: Universal,
    pub registry: RegistryId,
    pub root: String,
    pub statements: Vec<Statement>,
    pub envelope: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pae {
    #[serde(rename = "type")]
    pub kind: String,
    pub payload: String,
    pub encoding: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub role: String,
    pub seed: String,
    pub public: String,
    pub keyid: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeKey {
    pub name: String,
    pub public: String,
    pub good: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeSignature {
    pub name: String,
    pub sig: skill_trust::Signature,
    pub good: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Universal {
    pub public: String,
    pub sig: skill_trust::Signature,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statement {
    pub kind: skill_trust::Kind,
    pub dsse: skill_trust::dsse::Envelope,
    pub leaf: String,
    pub leaf_hash: String,
}

pub fn vectors() -> Vectors {
    serde_json::from_str(TEXT).unwrap()
}
