use skill_core::api::Access;

use super::ConfigError;
use super::layers::{Key, Layers};

const READ: Key = Key { name: "access.read", default: "public" };
pub(super) const KEYS: [Key; 1] = [READ];

/// Who may read.
#[derive(Debug, Clone)]
pub struct AccessSettings {
    /// `access.read`, `SKILL_REGISTRY_ACCESS_READ`: `public`, or `token`, which shows nothing, not even
    /// names, to whoever has none.
    pub read: Access,
}

impl AccessSettings {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            read: layers.take(READ, |text| match text {
                "public" => Ok(Access::Public),
                "token" => Ok(Access::Token),
                _ => Err("public or token"),
            })?,
        })
    }
}
