use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::Owner;

use crate::key::PublicKey;

/// `publisher-reset`: the owner lost every key; this one starts a new chain. It counts from
/// `effective_at`, 72 hours after it was logged, so that the owner can object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublisherResetPredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose keys are replaced.
    pub owner: Owner,
    /// The key that speaks for the owner from then on.
    pub key: PublicKey,
    /// Why, for people.
    pub reason: String,
    /// When it was asked for.
    pub at: Timestamp,
    /// When it takes effect.
    pub effective_at: Timestamp,
}
