use skill_core::api::Access;

use super::ConfigError;
use super::layers::{Key, Layers};

const READ: Key = Key { name: "metrics.read", default: "token" };
pub(super) const KEYS: [Key; 1] = [READ];

/// Who may read the metrics.
#[derive(Debug, Clone)]
pub struct MetricsSettings {
    /// `metrics.read`, `SKILL_REGISTRY_METRICS_READ`: `token`, which is that of an administrator, or `public`: whoever
    /// reaches the registry.
    pub read: Access,
}

impl MetricsSettings {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            read: layers.take(READ, |text| match text {
                "token" => Ok(Access::Token),
                "public" => Ok(Access::Public),
                _ => Err("token or public"),
            })?,
        })
    }
}
