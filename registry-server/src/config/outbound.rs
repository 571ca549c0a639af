use super::ConfigError;
use super::layers::{Key, Layers};
use crate::network::Network;

const ALLOW: Key = Key { name: "outbound.allow", default: "" };
pub(super) const KEYS: [Key; 1] = [ALLOW];

/// Whom the registry asks for users.
#[derive(Debug, Clone)]
pub struct OutboundSettings {
    /// `outbound.allow`, `SKILL_REGISTRY_OUTBOUND_ALLOW`: networks with commas between that are asked although they are
    /// not public, and over plain HTTP too.
    pub allow: Vec<Network>,
}

impl OutboundSettings {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let allow = layers.take(ALLOW, |text| {
            Network::list(text).map_err(|_| "networks with commas between, as in 10.0.0.0/8, 192.0.2.7")
        })?;
        Ok(Self { allow })
    }
}
