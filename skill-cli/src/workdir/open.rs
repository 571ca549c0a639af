use skill_core::lock::{Lock, LockError};
use skill_core::strict_toml::TomlError;

use super::{Search, Workdir, WorkdirError};
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::text::excerpt::Excerpt;
use crate::text::{number, quote};

/// The work directory of this command, as flags and the current folder say.
///
/// # Errors
/// `workdir-absent`, `workdir-global`.
pub fn locate(context: &Context) -> Result<Workdir, Failure> {
    let explicit = context.globals.workdir.as_ref().map(|path| context.absolute(path));
    let search = Search {
        explicit: explicit.as_deref(),
        global: context.globals.global,
        from: &context.world.cwd,
        home: context.world.home.as_deref(),
    };
    search.find().map_err(|error| refused(context, &error))
}

/// What stands in the way of using the work directory.
pub fn refused(context: &Context, error: &WorkdirError) -> Failure {
    let code = Code::named(error.code()).unwrap_or(Code::Internal);
    match error {
        WorkdirError::Busy { path, process, since } => {
            let process = process.map(|process| format!(" (process {process})")).unwrap_or_default();
            let since = since.map(|since| format!(" since {}", number::moment(since))).unwrap_or_default();
            let path = context.shown(path);
            Failure::new(code, format!("another `skill`{process} works in {path}{since}"))
                .nothing_changed()
                .hint("wait until it is done, then run this again")
        }
        WorkdirError::Link(path) => {
            Failure::new(code, format!("{} is a link, not a folder or file of its own", context.shown(path)))
                .because("what comes with a checkout does not say where to write")
                .nothing_changed()
                .hint("put what it points to in its place")
        }
        WorkdirError::Journal { path, why } => {
            let path = context.shown(path);
            Failure::new(code, format!("{path} is no journal that can be finished"))
                .because(why.as_str())
                .nothing_changed()
                .hint("if another user works here too, let them run `skill verify`, which finishes their change")
                .hint(format!("else look at it, move it away from {path}, and run `skill verify`"))
        }
        WorkdirError::Absent(path) => {
            Failure::new(code, format!("{} is not a folder", context.shown(path))).nothing_changed()
        }
        WorkdirError::Io { path, error } => Failure::disk(error, &context.shown(path)).nothing_changed(),
        _ => Failure::new(code, error.to_string()).nothing_changed(),
    }
}

/// The lock of a work directory; none if there is no such file.
///
/// # Errors
/// `lock-conflict`, `lock-unreadable`, `lock-newer`, `disk-…`.
pub fn read_lock(context: &Context, workdir: &Workdir) -> Result<Option<Lock>, Failure> {
    let path = workdir.lock();
    let shown = context.shown(&path);
    let Some(bytes) = files::read(&path, limit::LOCK).map_err(|error| Failure::disk(&error, &shown))? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(Code::LockUnreadable, format!("{shown} is not UTF-8"))
            .hint("restore it from version control")
    })?;
    Lock::parse(&text).map(Some).map_err(|error| unreadable(&shown, &error))
}

fn unreadable(shown: &str, error: &LockError) -> Failure {
    let code = Code::named(error.code()).unwrap_or(Code::LockUnreadable);
    match error {
        LockError::Conflict { line } => {
            Failure::new(code, format!("{shown} holds conflict markers, line {line}"))
                .key("line", *line)
                .hint("merge it, or take one side of each conflict")
        }
        LockError::Unreadable(TomlError { line, column, end_column, excerpt, reason }) => {
            let failure = Failure::new(code, format!("{shown}:{line}:{column}: {reason}"))
                .key("line", *line)
                .key("column", *column)
                .hint("restore it from version control");
            let excerpt =
                Excerpt { line: *line, column: *column, end_column: *end_column, text: excerpt, label: None };
            excerpt.lines().into_iter().fold(failure, Failure::block)
        }
        LockError::Newer { .. } => Failure::new(code, error.to_string()).hint("update `skill`"),
        LockError::Empty => Failure::new(code, error.to_string()).hint("restore it from version control"),
    }
}

/// `lock-absent`: nothing is locked here.
pub fn lock_absent(workdir: &Workdir, context: &Context) -> Failure {
    let place = quote::path(&context.shown(workdir.root()));
    Failure::new(Code::LockAbsent, format!("there is no skills.lock in {place} or above"))
        .hint("run `skill install REF` to install something, or name the folder with `--workdir`")
}
