use std::time::Duration;

use super::ConfigError;
use super::duration::duration;
use super::layers::{Key, Layers};

const KEEP_DELETED: Key = Key { name: "names.keep_deleted", default: "30d" };
pub(super) const KEYS: [Key; 1] = [KEEP_DELETED];

/// What becomes of names.
#[derive(Debug, Clone)]
pub struct Names {
    /// `names.keep_deleted`, `SKILL_REGISTRY_NAMES_KEEP_DELETED`: how long nobody else may take the bare slug of a
    /// deleted skill.
    pub keep_deleted: Duration,
}

impl Names {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self { keep_deleted: layers.take(KEEP_DELETED, duration)? })
    }
}
