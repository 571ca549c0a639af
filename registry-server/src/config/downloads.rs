use super::ConfigError;
use super::layers::{Key, Layers};
use crate::network::Network;

const MIRRORS: Key = Key { name: "downloads.mirrors", default: "" };
pub(super) const KEYS: [Key; 1] = [MIRRORS];

/// How downloads are counted.
#[derive(Debug, Clone)]
pub struct DownloadSettings {
    /// `downloads.mirrors`, `SKILL_REGISTRY_DOWNLOADS_MIRRORS`: networks with commas between; whoever downloads from
    /// them counts as a mirror.
    pub mirrors: Vec<Network>,
}

impl DownloadSettings {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let mirrors = layers.take(MIRRORS, |text| {
            Network::list(text).map_err(|_| "networks with commas between, as in 10.0.0.0/8, 192.0.2.7")
        })?;
        Ok(Self { mirrors })
    }
}
