use jiff::Timestamp;
use skill_core::digest::{RegistryId, Sha256};

use super::{Custody, EXPIRY_WARNING, KeyRange, Root, RootError, RootKeyError};
use crate::key::{KeyId, PublicKey};
use crate::role::Role;

/// The newest root of a chain that was walked from the registry's id. Only
/// [`RootChain::verify`](super::RootChain::verify) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedRoot {
    registry: RegistryId,
    root: Root,
    /// SHA-256 of each version's bytes, version 1 first.
    digests: Vec<Sha256>,
}

impl TrustedRoot {
    pub(super) const fn new(registry: RegistryId, root: Root, digests: Vec<Sha256>) -> Self {
        Self { registry, root, digests }
    }

    /// Whose root it is.
    pub const fn registry(&self) -> RegistryId {
        self.registry
    }

    /// What the newest version says.
    pub const fn root(&self) -> &Root {
        &self.root
    }

    /// Number of the newest version.
    pub const fn version(&self) -> u64 {
        self.root.version
    }

    /// Where the root key lies.
    pub const fn custody(&self) -> Custody {
        self.root.custody
    }

    /// How many root keys must sign the next version, and how many there are.
    pub fn quorum(&self) -> (u32, usize) {
        self.root.role(Role::Root).map_or((0, 0), |keys| (keys.threshold, keys.keys.len()))
    }

    /// Whether the newest version has ended at `now`: then nothing new is installed. What is
    /// installed still verifies.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        now >= self.root.expires_at
    }

    /// Whether the newest version ends within 90 days of `now`, or has ended.
    pub fn is_expiring(&self, now: Timestamp) -> bool {
        self.is_expired(now.saturating_add(EXPIRY_WARNING).unwrap_or(Timestamp::MAX))
    }

    /// Refuses an ended root, for what would install something new.
    pub fn require_unexpired(&self, now: Timestamp) -> Result<(), RootError> {
        if self.is_expired(now) {
            return Err(RootError::Expired { version: self.version(), expires_at: self.root.expires_at });
        }
        Ok(())
    }

    /// Checks that this chain is `known`, or continues it: no other root under a number that was
    /// seen, no end before the one that was seen.
    pub fn continues(&self, known: &Self) -> Result<(), RootError> {
        if self.registry != known.registry {
            return Err(RootError::OtherRegistry { expected: known.registry, found: self.registry });
        }
        for ((known, found), version) in known.digests.iter().zip(&self.digests).zip(1..) {
            if known != found {
                return Err(RootError::Fork { version, known: *known, found: *found });
            }
        }
        if self.digests.len() < known.digests.len() {
            return Err(RootError::Rollback { known: known.version(), found: self.version() });
        }
        Ok(())
    }

    /// The role that has the key `id`.
    pub fn role_of(&self, id: KeyId) -> Option<Role> {
        self.range(id).map(|(role, _)| role)
    }

    /// The key `id`, if it counts for `role` at the leaf `log_index`.
    pub fn key(&self, role: Role, id: KeyId, log_index: u64) -> Result<&PublicKey, RootKeyError> {
        let unknown = RootKeyError::Unknown { key: id };
        let (actual, range) = self.range(id).ok_or(unknown)?;
        if actual != role {
            return Err(RootKeyError::OtherRole { key: id, needed: role, actual });
        }
        if !range.contains(log_index) {
            let KeyRange { from, until, .. } = range;
            return Err(RootKeyError::OutOfRange { key: id, log_index, from, until });
        }
        self.root.keys.get(&id).map(|key| &key.public).ok_or(unknown)
    }

    /// How many keys of `role` must sign a statement.
    pub fn threshold(&self, role: Role) -> u32 {
        self.root.role(role).map_or(u32::MAX, |keys| keys.threshold)
    }

    fn range(&self, id: KeyId) -> Option<(Role, KeyRange)> {
        self.root.roles.iter().find_map(|(&role, keys)| {
            keys.keys.iter().find(|range| range.key_id == id).map(|&range| (role, range))
        })
    }
}
