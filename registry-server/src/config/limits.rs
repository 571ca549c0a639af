use skill_core::api::ServerLimits;

use super::ConfigError;
use super::layers::{Key, Layers};

const ARCHIVE_BYTES: Key = Key { name: "limits.archive_bytes", default: "67108864" };
const FILE_BYTES: Key = Key { name: "limits.file_bytes", default: "10485760" };
const BUNDLE_BYTES: Key = Key { name: "limits.bundle_bytes", default: "52428800" };
const FILES: Key = Key { name: "limits.files", default: "2000" };
const PATH_BYTES: Key = Key { name: "limits.path_bytes", default: "240" };
pub(super) const KEYS: [Key; 5] = [ARCHIVE_BYTES, FILE_BYTES, BUNDLE_BYTES, FILES, PATH_BYTES];

/// What a publish may weigh: `limits.*`, `SKILL_REGISTRY_LIMITS_*`. The defaults are the ceilings of the
/// format (docs/FORMAT.md, "Limits"); a registry can only lower them.
#[derive(Debug, Clone)]
pub struct Limits {
    /// As they are announced.
    pub announced: ServerLimits,
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
