use skill_core::version::Version;

use super::ConfigError;
use super::layers::{Key, Layers};

const MINIMUM: Key = Key { name: "clients.minimum", default: "" };
pub(super) const KEYS: [Key; 1] = [MINIMUM];

/// Which clients are answered.
#[derive(Debug, Clone)]
pub struct Clients {
    /// `clients.minimum`, `SKILL_REGISTRY_CLIENTS_MINIMUM`: the oldest `skill` that is.
    pub minimum: Option<Version>,
}

impl Clients {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let minimum = layers.take(MINIMUM, |text| match text.parse() {
            Ok(version) => Ok(Some(version)),
            Err(_) if text.is_empty() => Ok(None),
            Err(_) => Err("a version of skill, as in 0.2.0"),
        })?;
        Ok(Self { minimum })
    }
}
