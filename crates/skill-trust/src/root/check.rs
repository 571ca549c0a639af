use std::collections::BTreeMap;

use super::{InvalidRoot, KeyRange, RoleKeys, Root, SCHEMA};
use crate::key::KeyId;
use crate::role::Role;

const LEAST_TIMESTAMP_VALIDITY: u64 = 60;
const MOST_TIMESTAMP_VALIDITY: u64 = 365 * 24 * 60 * 60;

impl Root {
    /// Reads the signed content and holds it against every rule that needs no other version.
    pub fn parse(json: &[u8]) -> Result<Self, InvalidRoot> {
        let root: Self =
            serde_json::from_slice(json).map_err(|error| InvalidRoot::Shape(error.to_string()))?;
        root.check()?;
        Ok(root)
    }

    /// Holds it against every rule that needs no other version.
    pub fn check(&self) -> Result<(), InvalidRoot> {
        if self.schema != SCHEMA {
            return Err(InvalidRoot::Schema { found: self.schema.clone() });
        }
        self.check_times()?;
        for (&listed, key) in &self.keys {
            let actual = key.public.id();
            if listed != actual {
                return Err(InvalidRoot::KeyId { listed, actual });
            }
        }
        let mut seen = BTreeMap::new();
        for role in Role::ALL {
            let keys = self.role(role).ok_or(InvalidRoot::RoleMissing { role })?;
            self.check_role(role, keys, &mut seen)?;
        }
        match self.keys.keys().find(|key| !seen.contains_key(key)) {
            Some(&key) => Err(InvalidRoot::KeyUnused { key }),
            None => Ok(()),
        }
    }

    fn check_times(&self) -> Result<(), InvalidRoot> {
        let Self { created_at, expires_at, .. } = *self;
        if expires_at <= created_at {
            return Err(InvalidRoot::ExpiresBeforeCreated { created_at, expires_at });
        }
        let latest = created_at.saturating_add(self.custody.longest_life()).unwrap_or(created_at);
        if expires_at > latest {
            return Err(InvalidRoot::LivesTooLong { expires_at, latest });
        }
        let seconds = self.timestamp_validity_seconds;
        let (least, most) = (LEAST_TIMESTAMP_VALIDITY, MOST_TIMESTAMP_VALIDITY);
        if !(least..=most).contains(&seconds) {
            return Err(InvalidRoot::TimestampValidity { seconds, least, most });
        }
        Ok(())
    }

    fn check_role(
        &self,
        role: Role,
        keys: &RoleKeys,
        seen: &mut BTreeMap<KeyId, Role>,
    ) -> Result<(), InvalidRoot> {
        for &KeyRange { key_id: key, from, until } in &keys.keys {
            if !self.keys.contains_key(&key) {
                return Err(InvalidRoot::KeyMissing { role, key });
            }
            if let Some(first) = seen.insert(key, role) {
                return Err(InvalidRoot::KeyShared { key, first, second: role });
            }
            if role == Role::Root && (from, until) != (0, None) {
                return Err(InvalidRoot::RootRange { key });
            }
            if let Some(until) = until.filter(|&until| until < from) {
                return Err(InvalidRoot::RangeReversed { role, key, from, until });
            }
        }
        let open = keys.keys.iter().filter(|range| range.is_open()).count();
        let threshold = keys.threshold;
        if role.is_online() && (open, threshold) != (1, 1) {
            return Err(InvalidRoot::OnlineRole { role, open, threshold });
        }
        if threshold == 0 || threshold as usize > open {
            return Err(InvalidRoot::Threshold { role, threshold, open });
        }
        Ok(())
    }
}
