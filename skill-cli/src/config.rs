//! Which registries are known, and which one is the default: the layers of configuration.
//!
//! Precedence: flag, environment, project (skills.toml), user (config.toml), system. A project may
//! only name registries; all else that it says here is ignored with a warning.

mod edit;
mod file;
mod layer;
mod registry;

use std::io;

use fs_err as fs;
use skill_core::strict_toml::TomlError;
use skill_core::wanted::{Wanted, WantedError};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
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
    /// `config-unreadable` for the user's file. A system file that cannot be used is kept as a
    /// reason for [`Config::check_install`].
    pub fn load(context: &Context, wanted: Option<&Wanted>) -> Result<Self, Failure> {
        let user = File::read(&context.dirs.config, &context.shown(&context.dirs.config))?;
        let path = &context.world.system_config;
        let (system, problem) = match File::read(path, &context.shown(path)) {
            Ok(file) => (file, None),
            Err(failure) => (File::default(), Some(failure)),
        };
        let project = wanted.map(File::of_project).unwrap_or_default();
        let layers = vec![(Layer::Project, project), (Layer::User, user), (Layer::System, system)];
        Ok(Self { layers, system: problem })
    }

    /// Refuses an install where a layer asks for an install policy that this build cannot ask, and where
    /// the system's file cannot be used: what binds is never skipped.
    ///
    /// # Errors
    /// `policy-config`.
    pub fn check_install(&self, context: &Context) -> Result<(), Failure> {
        if let Some(problem) = &self.system {
            return Err(Failure::new(Code::PolicyConfig, problem.message.clone())
                .because("the system's file binds every install")
                .nothing_changed());
        }
        let asks = self.layers.iter().find(|(_, file)| file.has_security);
        let Some((layer, _)) = asks else { return Ok(()) };
        let path = match layer {
            Layer::System => context.shown(&context.world.system_config),
            Layer::User => context.shown(&context.dirs.config),
            _ => "skills.toml".to_owned(),
        };
        Err(Failure::new(Code::PolicyConfig, format!("{path} asks for an install policy"))
            .because("this build has none, and what binds is not skipped")
            .nothing_changed())
    }

    /// What a command says about configuration that is not used: tables of skills.toml that nothing
    /// reads, and a system file that cannot be read (which refuses installs).
    pub fn warnings(&self) -> Vec<Message> {
        let ignored =
            self.layers.iter().flat_map(|(_, file)| &file.ignored).map(|key| {
                Message::warning(Code::ConfigIgnored, format!("[{key}] in skills.toml is not read"))
            });
        let system = self.system.iter().map(|problem| {
            Message::warning(Code::PolicyConfig, problem.message.clone())
                .line("installs are refused until it can be read")
        });
        ignored.chain(system).collect()
    }
}

/// The skills.toml of the work directory, if there is one.
///
/// # Errors
/// `wanted-unreadable` with line, column and caret; `disk-…`; what finding the work directory gives.
pub fn project(context: &Context) -> Result<Option<Wanted>, Failure> {
    let path = workdir::locate(context)?.wanted();
    match fs::read_to_string(&path) {
        Ok(text) => Wanted::parse(&text).map(Some).map_err(|error| unreadable(&context.shown(&path), &error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::disk(&error, &context.shown(&path))),
    }
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
