use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

/// `restoration`: a quarantine or a takedown is lifted. Nothing else lifts one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestorationPredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: Owner,
    /// Which skill.
    pub slug: Slug,
    /// Which release.
    pub version: Version,
    /// Sequence of the restriction that is lifted.
    pub lifts: u64,
    /// Why, for people.
    pub reason: String,
    /// Number of the restoration; see `RestrictionPredicate::sequence`.
    pub sequence: u64,
    /// When.
    pub at: Timestamp,
}
