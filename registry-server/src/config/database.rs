use std::path::Path;

use super::ConfigError;
use super::layers::{Key, Layers};
use crate::store::{Engine, Location, file_in};

const URL: Key = Key { name: "database.url", default: "" };
pub(super) const KEYS: [Key; 1] = [URL];

/// Where the metadata is.
#[derive(Debug, Clone)]
pub struct DatabaseSettings {
    /// `database.url`, `SKILL_REGISTRY_DATABASE_URL`: `postgres://...`; unset: an SQLite file in the data
    /// folder.
    pub url: Option<String>,
}

impl DatabaseSettings {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let url = layers.take(URL, |text| match Engine::of_url(text) {
            _ if text.is_empty() => Ok(None),
            Some(Engine::Postgres) => Ok(Some(text.to_owned())),
            _ => Err("postgres://USER@HOST/NAME; unset, the database is a file in the data folder"),
        })?;
        Ok(Self { url })
    }

    /// Where the database of a registry in `data` is.
    pub fn location(&self, data: &Path) -> Location {
        self.url.clone().map_or_else(|| Location::File(file_in(data)), Location::Server)
    }
}
