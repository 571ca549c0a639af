use std::time::Duration;

use skill_core::api::ServerLimits;

use super::ConfigError;
use super::duration::duration;
use super::layers::{Key, Layers};

const ARCHIVE_BYTES: Key = Key { name: "limits.archive_bytes", default: "67108864" };
const FILE_BYTES: Key = Key { name: "limits.file_bytes", default: "10485760" };
const BUNDLE_BYTES: Key = Key { name: "limits.bundle_bytes", default: "52428800" };
const FILES: Key = Key { name: "limits.files", default: "2000" };
const PATH_BYTES: Key = Key { name: "limits.path_bytes", default: "240" };
const NEW_SKILLS_DAY: Key = Key { name: "limits.new_skills_day", default: "100" };
const NEW_ACCOUNT: Key = Key { name: "limits.new_account", default: "0s" };
pub(super) const KEYS: [Key; 7] =
    [ARCHIVE_BYTES, FILE_BYTES, BUNDLE_BYTES, FILES, PATH_BYTES, NEW_SKILLS_DAY, NEW_ACCOUNT];

/// What a publish may weigh, and what is looked at first: `limits.*`, `SKILL_REGISTRY_LIMITS_*`. The defaults of the
/// weights are the ceilings of the format (docs/FORMAT.md, "Limits"); a registry can only lower them.
#[derive(Debug, Clone)]
pub struct Limits {
    /// As they are announced.
    pub announced: ServerLimits,
    /// `limits.new_skills_day`: how many new names a user publishes in 24 hours before the next one is held for a moderator;
    /// 0: any number.
    pub new_skills_day: u64,
    /// `limits.new_account`: how old an account is before its new names are not held any more.
    pub new_account: Duration,
}

impl Limits {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            announced: ServerLimits {
                archive_bytes: up_to_default(layers, ARCHIVE_BYTES)?,
                file_bytes: up_to_default(layers, FILE_BYTES)?,
                bundle_bytes: up_to_default(layers, BUNDLE_BYTES)?,
                files: up_to_default(layers, FILES)? as u32,
                path_bytes: up_to_default(layers, PATH_BYTES)? as u32,
            },
            new_skills_day: layers.take(NEW_SKILLS_DAY, |text| text.parse().map_err(|_| "a whole number"))?,
            new_account: layers.take(NEW_ACCOUNT, |text| match text {
                "0s" => Ok(Duration::ZERO),
                text => duration(text),
            })?,
        })
    }
}

fn up_to_default(layers: &mut Layers, key: Key) -> Result<u64, ConfigError> {
    let value = layers.take(key, |text| {
        text.parse::<u64>().ok().filter(|value| *value > 0).ok_or("a whole number above 0")
    })?;
    let ceiling = key.default.parse().unwrap_or(u64::MAX);
    if value > ceiling {
        return Err(ConfigError::LimitAbove { key: key.name, value, ceiling });
    }
    Ok(value)
}
