use std::path::{Path, PathBuf};

use super::World;

/// Where the user's own files lie: all below SKILL_HOME if it is set, else in the usual folders
/// of the platform (XDG Base Directory Specification 0.8; a relative path there is ignored).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    /// The user's configuration: `config.toml`.
    pub config: PathBuf,
    /// The user's tokens.
    pub credentials: PathBuf,
    /// Pins, root chains, restriction lists: what must outlive a cleaning.
    pub state: PathBuf,
    /// Archives and other things that can be fetched again.
    pub cache: PathBuf,
}

impl Dirs {
    /// Decides from the environment and HOME. Without either nothing can be
    /// kept: the paths lie below a folder that does not exist, and writing there says so.
    pub fn new(world: &World) -> Self {
        if let Some(home) = world.env.get("SKILL_HOME") {
            let home = world.cwd.join(home);
            return Self {
                config: home.join("config.toml"),
                credentials: home.join("credentials.toml"),
                cache: home.join("cache"),
                state: home,
            };
        }
        let home = world.home.clone().unwrap_or_else(|| "/nonexistent".into());
        let folder = |variable: &str, usual: &str| {
            let set = world.env.get(variable).map(Path::new).filter(|path| path.is_absolute());
            set.map_or_else(|| home.join(usual), Path::to_path_buf).join("skill")
        };
        let (config, state) = (folder("XDG_CONFIG_HOME", ".config"), folder("XDG_DATA_HOME", ".local/share"));
        Self {
            config: config.join("config.toml"),
            credentials: state.join("credentials.toml"),
            cache: folder("XDG_CACHE_HOME", ".cache"),
            state,
        }
    }
}
