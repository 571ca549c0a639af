use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use fs_err as fs;
use skill_core::policy::{self, Security};
use skill_core::strict_toml::TomlError;

use super::{Config, File, Layer};
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::policy::way;
use crate::report::Message;
use crate::text::excerpt::Excerpt;

impl Config {
    /// What each layer asks of installs, the system's first, each with its file as text shows it.
    ///
    /// # Errors
    /// `policy-config`: a table that does not read, or a system file that cannot be used. What binds is
    /// never skipped.
    pub fn security(&self, context: &Context) -> Result<Vec<(policy::Layer, String, Security)>, Failure> {
        if let Some(problem) = &self.system {
            let mut failure = problem.clone();
            failure.code = Code::PolicyConfig;
            return Err(failure
                .because("the system's file binds every install")
                .nothing_changed()
                .hint("run `skill policy check` and ask whoever looks after that file"));
        }
        let mut layers = Vec::new();
        for (layer, file) in self.layers.iter().rev() {
            let (layer, shown) = named(context, *layer);
            if let Some(flaw) = &file.security_flaw {
                return Err(flawed(&shown, flaw));
            }
            layers.push((layer, shown, file.security.clone()));
        }
        Ok(layers)
    }

    /// Makes sure, for commands that install, that the user's file can be read at all: what it holds might be
    /// a policy. The system's file is seen to by [`Config::security`].
    ///
    /// # Errors
    /// `policy-config`.
    pub fn may_hold_policy(context: &Context) -> Result<(), Failure> {
        let path = &context.dirs.config;
        let shown = context.shown(path);
        let read = match fs_err::symlink_metadata(path) {
            Ok(found) if found.is_symlink() && fs_err::metadata(path).is_err() => {
                Err(Failure::new(Code::PolicyConfig, format!("{shown} is a link to nothing")))
            }
            _ => File::read(path, &shown).map(drop),
        };
        read.map_err(|mut failure| {
            failure.code = Code::PolicyConfig;
            failure
                .because("what cannot be read may hold an install policy")
                .nothing_changed()
                .hint("mend it, and see with `skill policy check`")
        })
    }

    /// What other commands say about a policy that refuses every install.
    pub(super) fn security_warnings(&self, context: &Context) -> Vec<Message> {
        let system = self.system.iter().map(|problem| problem.message.clone());
        let flaws = self.layers.iter().filter_map(|(layer, file)| {
            let flaw = file.security_flaw.as_ref()?;
            Some(flawed(&named(context, *layer).1, flaw).message)
        });
        let warning = |text: String| {
            Message::warning(Code::PolicyConfig, text).line("installs are refused until it can be read")
        };
        system.chain(flaws).map(warning).collect()
    }
}

fn named(context: &Context, layer: Layer) -> (policy::Layer, String) {
    match layer {
        Layer::System => (policy::Layer::System, context.shown(&context.world.system_config)),
        Layer::User => (policy::Layer::User, context.shown(&context.dirs.config)),
        _ => (policy::Layer::Project, "skills.toml".to_owned()),
    }
}

fn flawed(file: &str, flaw: &TomlError) -> Failure {
    let TomlError { line, column, end_column, excerpt, reason } = flaw;
    let failure = Failure::new(Code::PolicyConfig, format!("{file}:{line}:{column}: {reason}"))
        .key("line", *line)
        .key("column", *column)
        .because("[security] binds installs, so that all are refused until it reads")
        .nothing_changed()
        .hint("run `skill policy check` once it is corrected");
    let excerpt =
        Excerpt { line: *line, column: *column, end_column: *end_column, text: excerpt, label: None };
    excerpt.lines().into_iter().fold(failure, Failure::block)
}

/// Reads the system's file, which binds everybody: it has to be `owner`'s, and nobody else may write it.
/// Nothing at its place is no file; a link that leads nowhere is a file that cannot be read.
pub(super) fn system(path: &Path, shown: &str, owner: u32) -> Result<File, Failure> {
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(File::default());
        }
        _ => {}
    }
    let metadata = fs::metadata(path).map_err(|error| Failure::disk(&error, shown))?;
    if metadata.uid() != owner {
        let whose = metadata.uid();
        return Err(Failure::new(
            Code::PolicyConfig,
            format!("{shown} belongs to user {whose}, not to root"),
        ));
    }
    if metadata.mode() & 0o022 != 0 {
        let mode = metadata.mode() & 0o7777;
        let text = format!("{shown} can be written by its group or by others (mode {mode:04o})");
        return Err(Failure::new(Code::PolicyConfig, text));
    }
    way(path, owner).map_err(|flaw| {
        let text = format!("{shown} could be replaced by others: {flaw}");
        Failure::new(Code::PolicyConfig, text)
    })?;
    File::read(path, shown)
}
