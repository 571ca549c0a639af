use super::ConfigError;
use super::layers::{Key, Layers};

const TWO_PERSONS: Key = Key { name: "moderation.two_persons", default: "off" };
pub(super) const KEYS: [Key; 1] = [TWO_PERSONS];

/// How moderators decide.
#[derive(Debug, Clone)]
pub struct Moderation {
    /// `moderation.two_persons`, `SKILL_REGISTRY_MODERATION_TWO_PERSONS`: `on`, and what was closed is given back only
    /// when a second moderator approves it; or `off`.
    pub two_persons: bool,
}

impl Moderation {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            two_persons: layers.take(TWO_PERSONS, |text| match text {
                "on" => Ok(true),
                "off" => Ok(false),
                _ => Err("on or off"),
            })?,
        })
    }
}
