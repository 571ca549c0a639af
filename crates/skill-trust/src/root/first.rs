use std::collections::BTreeMap;

use jiff::Timestamp;
use skill_core::digest::{RegistryId, Sha256};

use super::{
    CO_LOCATED_LIFE, Custody, InvalidRoot, KeyRange, KeyType, PAYLOAD_TYPE, RoleKeys, Root, RootError,
    RootKey, SCHEMA, TIMESTAMP_VALIDITY_SECONDS,
};
use crate::dsse::Envelope;
use crate::key::SigningKey;
use crate::role::Role;

impl Root {
    /// Makes version 1 of a new registry: co-located, one key for each role, in range from the
    /// first leaf on, good for ten years. Gives the bytes of `root.json`; store them as they
    /// are, their digest is the registry's id ([`Root::registry_id`]).
    pub fn first(created_at: Timestamp, keys: &BTreeMap<Role, SigningKey>) -> Result<Vec<u8>, RootError> {
        let invalid = |reason| RootError::Invalid { version: 1, reason };
        let root_key =
            keys.get(&Role::Root).ok_or_else(|| invalid(InvalidRoot::RoleMissing { role: Role::Root }))?;
        let root = Self {
            schema: SCHEMA.to_owned(),
            version: 1,
            custody: Custody::CoLocated,
            created_at,
            expires_at: created_at.saturating_add(CO_LOCATED_LIFE).unwrap_or(created_at),
            timestamp_validity_seconds: TIMESTAMP_VALIDITY_SECONDS,
            keys: keys
                .values()
                .map(|key| (key.id(), RootKey { keytype: KeyType::Ed25519, public: *key.public() }))
                .collect(),
            roles: keys
                .iter()
                .map(|(&role, key)| {
                    let range = KeyRange { key_id: key.id(), from: 0, until: None };
                    (role, RoleKeys { threshold: 1, keys: vec![range] })
                })
                .collect(),
        };
        root.check().map_err(invalid)?;
        let envelope = root.sign([root_key])?;
        Ok(envelope.to_json())
    }

    /// Signs this version with `keys`: those of its own root role, and from version 2 on those
    /// of the version before as well.
    pub fn sign<'k>(&self, keys: impl IntoIterator<Item = &'k SigningKey>) -> Result<Envelope, RootError> {
        Envelope::sign(PAYLOAD_TYPE, self.to_json(), keys)
            .map_err(|error| RootError::Envelope { version: self.version, error })
    }

    /// The registry that the bytes of a `root.json` version 1 name.
    pub fn registry_id(first: &[u8]) -> RegistryId {
        RegistryId::new(Sha256::of(first))
    }
}
