//! Settings: defaults, then a TOML file, then the environment, then flags; the later layer wins.
//!
//! Every value knows where it came from ([`Config::shown`], `skill-registry config show`). One struct per
//! concern; each reads its own keys.

mod access;
mod clients;
mod database;
mod downloads;
mod duration;
mod error;
mod file;
mod layers;
mod limits;
mod log;
mod masked;
mod metrics;
mod moderation;
mod names;
mod nearest;
mod outbound;
mod rate;
mod server;
mod sign_in;
mod tokens;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

pub use access::AccessSettings;
pub use clients::Clients;
pub use database::DatabaseSettings;
pub use downloads::DownloadSettings;
pub use error::ConfigError;
pub use layers::{Flags, Shown, Source};
pub use limits::Limits;
pub use log::{Log, LogFormat};
pub(crate) use masked::masked;
pub use metrics::MetricsSettings;
pub use moderation::Moderation;
pub use names::Names;
pub use outbound::OutboundSettings;
pub use server::Server;
pub use sign_in::SignIn;
pub use tokens::Tokens;

use crate::rate::Allowances;
use layers::{Key, Layers};

/// Name of the settings file that a data folder may hold.
pub const FILE_NAME: &str = "config.toml";
/// What the environment's names begin with.
pub const ENV_PREFIX: &str = "SKILL_REGISTRY_";

/// Every setting of a registry.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder that holds database, keys and blobs.
    pub data: PathBuf,
    /// Where it listens and how it is reached.
    pub server: Server,
    /// Where the metadata is.
    pub database: DatabaseSettings,
    /// Who may read.
    pub access: AccessSettings,
    /// Which clients are answered.
    pub clients: Clients,
    /// What tokens may be.
    pub tokens: Tokens,
    /// How browsers are signed in.
    pub sign_in: SignIn,
    /// What a publish may weigh.
    pub limits: Limits,
    /// What becomes of names.
    pub names: Names,
    /// How moderators decide.
    pub moderation: Moderation,
    /// How downloads are counted.
    pub downloads: DownloadSettings,
    /// Whom the registry asks.
    pub outbound: OutboundSettings,
    /// `rate.*`, `SKILL_REGISTRY_RATE_*`: how many requests a minute are answered.
    pub rate: Allowances,
    /// Who may read the metrics.
    pub metrics: MetricsSettings,
    /// What is logged, and how.
    pub log: Log,
    /// Variables that look like settings and are none; said in the log, not refused, because
    /// orchestrators put their own there.
    pub unknown_env: Vec<String>,
    shown: Vec<Shown>,
}

/// The folder that holds database, keys and blobs.
const DATA: Key = Key { name: "data", default: "skill-registry-data" };

impl Config {
    /// Reads the settings. `file` is what `--config` names; without it `SKILL_REGISTRY_CONFIG` does, and
    /// without that `config.toml` in the data folder, if it is there.
    pub fn load(
        file: Option<PathBuf>,
        env: &BTreeMap<OsString, OsString>,
        flags: Flags,
    ) -> Result<Self, ConfigError> {
        let mut layers = Layers::new(flags, env)?;
        let named = file.or_else(|| layers.file_from_env());
        let beside = layers.peek(DATA, |text| Ok(PathBuf::from(text)))?.join(FILE_NAME);
        let path = named.or_else(|| Some(beside).filter(|path| path.exists()));
        if let Some(path) = path {
            layers.add_file(&path)?;
        }
        Self::read(layers)
    }

    /// The settings of a registry in `data` with defaults for everything else.
    pub fn in_folder(data: impl Into<PathBuf>) -> Result<Self, ConfigError> {
        let data = data.into().to_string_lossy().into_owned();
        Self::read(Layers::new(Flags::default().with("data", Some(data)), &BTreeMap::new())?)
    }

    fn read(mut layers: Layers) -> Result<Self, ConfigError> {
        let data = layers.take(DATA, |text| Ok(PathBuf::from(text)))?;
        Ok(Self {
            data,
            server: Server::read(&mut layers)?,
            database: DatabaseSettings::read(&mut layers)?,
            access: AccessSettings::read(&mut layers)?,
            clients: Clients::read(&mut layers)?,
            tokens: Tokens::read(&mut layers)?,
            sign_in: SignIn::read(&mut layers)?,
            limits: Limits::read(&mut layers)?,
            names: Names::read(&mut layers)?,
            moderation: Moderation::read(&mut layers)?,
            downloads: DownloadSettings::read(&mut layers)?,
            outbound: OutboundSettings::read(&mut layers)?,
            rate: Allowances::read(&mut layers)?,
            metrics: MetricsSettings::read(&mut layers)?,
            log: Log::read(&mut layers)?,
            unknown_env: layers.unknown_env().to_vec(),
            shown: layers.into_shown(),
        })
    }

    /// Every key with its value and where that came from, in the order of this page. Passwords in URLs
    /// are left out.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }
}

/// Every key there is, for the file and for suggestions.
fn keys() -> Vec<Key> {
    let mut keys = vec![DATA];
    keys.extend(server::KEYS);
    keys.extend(database::KEYS);
    keys.extend(access::KEYS);
    keys.extend(clients::KEYS);
    keys.extend(tokens::KEYS);
    keys.extend(sign_in::KEYS);
    keys.extend(limits::KEYS);
    keys.extend(names::KEYS);
    keys.extend(moderation::KEYS);
    keys.extend(downloads::KEYS);
    keys.extend(outbound::KEYS);
    keys.extend(rate::keys());
    keys.extend(metrics::KEYS);
    keys.extend(log::KEYS);
    keys
}
