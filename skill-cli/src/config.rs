//! Which registries are known, and which one is the default: the layers of configuration.
//!
//! Precedence: flag, environment, project (skills.toml), user (config.toml), system. A project may
//! only name registries; all else that it says here is ignored with a warning.

mod edit;
mod file;
mod layer;
mod names;
mod registry;
mod security;

use skill_core::strict_toml::TomlError;
use skill_core::wanted::{Wanted, WantedError};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::report::Message;
use crate::text::excerpt::Excerpt;
use crate::workdir;

pub use edit::Edit;
pub use file::{Entry, File};
pub use layer::Layer;
pub use registry::{Choice, Known};

/// The layers as they are on disk.
#[derive(Debug, Default)]
pub struct Config {
    /// By precedence: project, user, system; absent files are empty.
    layers: Vec<(Layer, File)>,
    /// Why the system's file could not be used: installs are refused, other commands warn.
    system: Option<Failure>,
}

impl Config {
    /// Reads the user's and the system's file, below what the project's `wanted` says.
    ///
    /// # Errors
    /// `config-unreadable` for the user's file, and for a project that gives another registry the name of one of
    /// the user's. A system file that cannot be used is kept as a
    /// reason for [`Config::security`].
    pub fn load(context: &Context, wanted: Option<&Wanted>) -> Result<Self, Failure> {
        let user = File::read(&context.dirs.config, &context.shown(&context.dirs.config))?;
        let project = wanted.map(File::of_project).unwrap_or_default();
        let mut config = Self::of_system(context);
        config.layers.splice(0..0, [(Layer::Project, project), (Layer::User, user)]);
        config.check_names()?;
        Ok(config)
    }

    /// Reads the system's file alone.
    fn of_system(context: &Context) -> Self {
        let path = &context.world.system_config;
        let (file, system) = match security::system(path, &context.shown(path), context.world.system_owner) {
            Ok(file) => (file, None),
            Err(failure) => (File::default(), Some(failure)),
        };
        Self { layers: vec![(Layer::System, file)], system }
    }

    /// Says what a command that needs no configuration says of a system file that cannot be used.
    pub fn tell_of_system(context: &Context) {
        for warning in Self::of_system(context).warnings(context) {
            context.screen.tell(&warning);
        }
    }

    /// The URL that `github:owner/repo` is below, if a user's or the system's file says so.
    pub fn github(&self) -> Option<&str> {
        self.layers.iter().find_map(|(_, file)| file.github.as_deref())
    }

    /// What a command says about configuration that is not used: tables of skills.toml that nothing
    /// reads, and a policy that cannot be read (which refuses installs).
    pub fn warnings(&self, context: &Context) -> Vec<Message> {
        let ignored =
            self.layers.iter().flat_map(|(_, file)| &file.ignored).map(|key| {
                Message::warning(Code::ConfigIgnored, format!("[{key}] in skills.toml is not read"))
            });
        ignored.chain(self.security_warnings(context)).collect()
    }
}

/// The skills.toml of the work directory, if there is one.
///
/// # Errors
/// `wanted-unreadable` with line, column and caret; `disk-…`; what finding the work directory gives.
pub fn project(context: &Context) -> Result<Option<Wanted>, Failure> {
    let path = workdir::locate(context)?.wanted();
    let shown = context.shown(&path);
    let text = files::read_text(&path, limit::TOML).map_err(|error| Failure::disk(&error, &shown))?;
    text.map(|text| Wanted::parse(&text).map_err(|error| unreadable(&shown, &error))).transpose()
}

/// `wanted-unreadable`: a skills.toml, shown as `path`, that does not read.
pub fn unreadable(path: &str, error: &WantedError) -> Failure {
    let TomlError { line, column, end_column, excerpt, reason } = &error.0;
    let failure = Failure::new(Code::WantedUnreadable, format!("{path}:{line}:{column}: {reason}"))
        .key("line", *line)
        .key("column", *column);
    let excerpt =
        Excerpt { line: *line, column: *column, end_column: *end_column, text: excerpt, label: None };
    excerpt.lines().into_iter().fold(failure, Failure::block)
}
