use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::{ConfigError, ENV_PREFIX, file, keys, masked};

/// A setting: its dotted name and what it is when nobody says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) name: &'static str,
    /// Empty: unset.
    pub(super) default: &'static str,
}

impl Key {
    /// The environment's name for it.
    fn env(self) -> String {
        format!("{ENV_PREFIX}{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody said.
    Default,
    /// A settings file.
    File {
        /// Which.
        path: PathBuf,
        /// In which line, from 1.
        line: usize,
    },
    /// The environment.
    Env {
        /// Name of the variable.
        name: String,
    },
    /// The command line.
    Flag {
        /// Name of the flag.
        name: String,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Env { name } => f.write_str(name),
            Self::Flag { name } => f.write_str(name),
        }
    }
}

/// One line of `config show`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The setting.
    pub key: &'static str,
    /// Its value as text; `None` if it is unset.
    pub value: Option<String>,
    /// Where that came from.
    pub source: Source,
}

/// What the command line says, by the dotted name of the setting.
#[derive(Debug, Clone, Default)]
pub struct Flags(BTreeMap<&'static str, String>);

impl Flags {
    /// Adds what a flag says, if it was given.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: Option<String>) -> Self {
        self.0.extend(value.map(|value| (key, value)));
        self
    }
}

/// Values by key, the layer that wins on top.
#[derive(Debug)]
pub(super) struct Layers {
    values: BTreeMap<&'static str, (String, Source)>,
    file_from_env: Option<PathBuf>,
    unknown_env: Vec<String>,
    shown: Vec<Shown>,
}

impl Layers {
    pub(super) fn new(flags: Flags, env: &BTreeMap<OsString, OsString>) -> Result<Self, ConfigError> {
        let mut layers =
            Self { values: BTreeMap::new(), file_from_env: None, unknown_env: Vec::new(), shown: Vec::new() };
        layers.add_env(env)?;
        for (key, value) in flags.0 {
            let name = format!("--{}", key.replace(['.', '_'], "-"));
            layers.values.insert(key, (value, Source::Flag { name }));
        }
        Ok(layers)
    }

    fn add_env(&mut self, env: &BTreeMap<OsString, OsString>) -> Result<(), ConfigError> {
        let keys = keys();
        for (name, value) in env {
            let Some(name) = name.to_str().filter(|name| name.starts_with(ENV_PREFIX)) else { continue };
            let Some(value) = value.to_str() else {
                return Err(ConfigError::EnvEncoding { name: name.to_owned() });
            };
            if value.is_empty() {
                continue;
            }
            if name.strip_prefix(ENV_PREFIX) == Some("CONFIG") {
                self.file_from_env = Some(PathBuf::from(value));
            } else if let Some(key) = keys.iter().find(|key| key.env() == name) {
                let source = Source::Env { name: name.to_owned() };
                self.values.insert(key.name, (value.to_owned(), source));
            } else {
                self.unknown_env.push(name.to_owned());
            }
        }
        Ok(())
    }

    /// The settings file that the environment names.
    pub(super) fn file_from_env(&self) -> Option<PathBuf> {
        self.file_from_env.clone()
    }

    /// Puts a file below what is there.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        for (key, value, line) in file::read(path, &keys())? {
            let source = Source::File { path: path.to_owned(), line };
            self.values.entry(key).or_insert((value, source));
        }
        Ok(())
    }

    /// The value of `key` as `read` takes it, without showing it.
    pub(super) fn peek<T>(
        &self,
        key: Key,
        read: impl FnOnce(&str) -> Result<T, &'static str>,
    ) -> Result<T, ConfigError> {
        let (text, source) = self.find(key);
        read(&text).map_err(|wanted| {
            let text = masked(&text);
            ConfigError::Value { key: key.name, from: source, text, wanted }
        })
    }

    /// The value of `key` as `read` takes it; it will be shown.
    pub(super) fn take<T>(
        &mut self,
        key: Key,
        read: impl FnOnce(&str) -> Result<T, &'static str>,
    ) -> Result<T, ConfigError> {
        let value = self.peek(key, read)?;
        let (text, source) = self.find(key);
        let value_shown = (!text.is_empty()).then(|| masked(&text));
        self.shown.push(Shown { key: key.name, value: value_shown, source });
        Ok(value)
    }

    fn find(&self, key: Key) -> (String, Source) {
        self.values.get(key.name).cloned().unwrap_or_else(|| (key.default.to_owned(), Source::Default))
    }

    pub(super) fn unknown_env(&self) -> &[String] {
        &self.unknown_env
    }

    pub(super) fn into_shown(self) -> Vec<Shown> {
        self.shown
    }
}
