use super::ConfigError;
use super::layers::{Key, Layers};

const FORMAT: Key = Key { name: "log.format", default: "text" };
const LEVEL: Key = Key { name: "log.level", default: "info" };
pub(super) const KEYS: [Key; 2] = [FORMAT, LEVEL];

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// What is logged, and how.
#[derive(Debug, Clone)]
pub struct Log {
    /// `log.format`, `SKILL_REGISTRY_LOG_FORMAT`: `text` or `json`.
    pub format: LogFormat,
    /// `log.level`, `SKILL_REGISTRY_LOG_LEVEL`: `off`, `error`, `warn`, `info`, `debug`, `trace`, or a list of
    /// `target=level`.
    pub level: String,
}

impl Log {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        Ok(Self {
            format: layers.take(FORMAT, |text| match text {
                "text" => Ok(LogFormat::Text),
                "json" => Ok(LogFormat::Json),
                _ => Err("text or json"),
            })?,
            level: layers.take(LEVEL, |text| Ok(text.to_owned()))?,
        })
    }
}
