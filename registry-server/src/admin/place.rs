use std::path::PathBuf;

use super::{Env, Failure};
use crate::clock::Clock;
use crate::config::{Config, Flags};
use crate::data;
use crate::entropy::Entropy;
use crate::store::Db;

/// Where the registry is: flags that every command takes.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Place {
    /// Folder that holds database, keys and archives
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// Settings [default: config.toml in the data folder]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Place {
    /// The settings that hold there.
    pub(super) fn settings(&self, env: &Env, flags: Flags) -> Result<Config, Failure> {
        Ok(Config::load(self.config.clone(), env, flags.with("data", self.data.clone()))?)
    }

    /// The database of the registry that is there.
    pub(super) async fn database(&self, env: &Env) -> Result<Db, Failure> {
        let config = self.settings(env, Flags::default())?;
        Ok(data::open_made(&config, &Clock::System, &Entropy::System).await?)
    }

    /// `--data DIR`, as it was given, for hints.
    pub(super) fn as_flags(&self) -> String {
        let data = self.data.iter().map(|data| format!(" --data {data}"));
        let config = self.config.iter().map(|config| format!(" --config {}", config.display()));
        data.chain(config).collect()
    }
}
