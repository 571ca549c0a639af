use std::time::Duration;

use skill_core::name::SkillName;

use super::ConfigError;
use super::duration::duration;
use super::layers::{Key, Layers};

const KEEP_DELETED: Key = Key { name: "names.keep_deleted", default: "30d" };
const USED_FROM: Key = Key { name: "names.used_from", default: "5" };
const PROTECTED: Key = Key { name: "names.protected", default: "" };
pub(super) const KEYS: [Key; 3] = [KEEP_DELETED, USED_FROM, PROTECTED];

/// What becomes of names.
#[derive(Debug, Clone)]
pub struct Names {
    /// `names.keep_deleted`, `SKILL_REGISTRY_NAMES_KEEP_DELETED`: how long nobody else may take the bare slug of a
    /// deleted skill.
    pub keep_deleted: Duration,
    /// `names.used_from`, `SKILL_REGISTRY_NAMES_USED_FROM`: from how many downloads by people in 60 days on a name can be
    /// one of the 100 that are much used; the first release of what is easily taken for one of them is held.
    pub used_from: u64,
    /// `names.protected`, `SKILL_REGISTRY_NAMES_PROTECTED`: names, as in acme/github, with commas between, that count as
    /// much used, there or not.
    pub protected: Vec<SkillName>,
}

impl Names {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            keep_deleted: layers.take(KEEP_DELETED, duration)?,
            used_from: layers.take(USED_FROM, |text| {
                text.parse().ok().filter(|count| *count > 0).ok_or("a whole number above 0")
            })?,
            protected: layers.take(PROTECTED, |text| {
                let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
                names
                    .map(|name| name.parse().ok())
                    .collect::<Option<_>>()
                    .ok_or("names with commas between, as in acme/github")
            })?,
        })
    }
}
