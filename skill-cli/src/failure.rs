//! Why a command did not do what was asked, as data.

mod bundle;
mod call;

use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::code::Code;
use crate::files;
use crate::registry::PinsError;
use crate::report::{Block, Detail, Hint, Table};
use skill_core::reference::shown_without_credentials;

/// `because:` lines that say what did not happen. They are printed, and kept out of the JSON
/// document, where the exit code says the same.
pub const NOTHING_CHANGED: &str = "nothing was changed";
/// Nothing left this machine.
pub const NOTHING_SENT: &str = "nothing was sent";
/// The registry refused before it stored anything.
pub const NOTHING_STORED: &str = "the registry has stored nothing";

/// An error that reaches the user.
///
/// Text form: `error[CODE]: message`, details in order, hints. JSON form: [`Failure::document`].
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Stable code; gives the exit code.
    pub code: Code,
    /// What happened, as a fact, with the names in it.
    pub message: String,
    /// Reasons and lists, in the order in which they are shown.
    pub details: Vec<Detail>,
    /// What to do.
    pub hints: Vec<Hint>,
    /// Keys of the code in the JSON document.
    pub extra: Box<Map<String, Value>>,
    /// Further causes; the gravest is this one.
    pub also: Vec<Failure>,
    exit: Option<u8>,
}

impl Failure {
    /// A failure without reasons and hints.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: shown_without_credentials(&message.into()),
            details: Vec::new(),
            hints: Vec::new(),
            extra: Box::default(),
            also: Vec::new(),
            exit: None,
        }
    }

    /// A use that the grammar of the command line does not take (exit 2).
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::Usage, message)
    }

    /// An error of the system about the file shown as `path`.
    pub fn disk(error: &io::Error, path: &str) -> Self {
        let code = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::DiskFull,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Code::DiskDenied,
            _ => Code::DiskIo,
        };
        let whole = files::whole_reason(error);
        // Where the system was asked about another file than the one that this is about, it is named.
        let name = Path::new(path).file_name().map(|name| format!("/{}`", name.to_string_lossy()));
        let is_same = name.is_some_and(|name| whole.contains(&name));
        let reason = if is_same { files::reason(error) } else { whole };
        Self::new(code, format!("cannot read or write {path}")).because(reason)
    }

    /// A pin that cannot be read or written.
    pub fn of_pins(PinsError { path, error }: &PinsError) -> Self {
        Self::disk(error, &path.display().to_string())
            .hint("set SKILL_HOME to a folder that you can write, or correct this one")
    }

    /// Adds a reason: one fact.
    #[must_use]
    pub fn because(mut self, fact: impl Into<String>) -> Self {
        self.details.push(Detail::Because(shown_without_credentials(&fact.into())));
        self
    }

    /// Adds a reason that the JSON document holds in other keys or does not need.
    #[must_use]
    pub fn because_in_text(mut self, fact: impl Into<String>) -> Self {
        self.details.push(Detail::BecauseInText(fact.into()));
        self
    }

    /// Adds `because: nothing was changed`. Only where a test proves it.
    #[must_use]
    pub fn nothing_changed(self) -> Self {
        self.because_in_text(NOTHING_CHANGED)
    }

    /// Takes that back: these folders were made, and could not be taken away again.
    #[must_use]
    pub fn left_behind(mut self, folders: &[String]) -> Self {
        self.details
            .retain(|detail| !matches!(detail, Detail::BecauseInText(fact) if fact == NOTHING_CHANGED));
        self.because(format!(
            "nothing was installed, but {} cannot be removed",
            crate::text::quote::list(folders, 3)
        ))
        .key("left", folders)
        .hint("make it removable; the next command here takes it away")
    }

    /// Adds it unless it is there already, for a command that ends before it changes anything however it
    /// ends. A use that the grammar does not take says nothing of it.
    #[must_use]
    pub fn nothing_changed_at_all(self) -> Self {
        let is_said = self.details.iter().any(|detail| match detail {
            Detail::Because(fact) | Detail::BecauseInText(fact) => fact.contains("nothing was "),
            _ => false,
        });
        if is_said || self.exit() == Code::Usage.exit() { self } else { self.nothing_changed() }
    }

    /// Adds a list to choose from or to read.
    #[must_use]
    pub fn list(mut self, table: Table) -> Self {
        self.details.push(Detail::List(table));
        self
    }

    /// Adds a line that hangs under the one before.
    #[must_use]
    pub fn line(mut self, text: impl Into<String>) -> Self {
        self.details.push(Detail::Line(text.into()));
        self
    }

    /// Adds other text, such as an excerpt with a caret.
    #[must_use]
    pub fn block(mut self, block: impl Into<Block>) -> Self {
        self.details.push(Detail::Block(block.into()));
        self
    }

    /// Adds a hint: a line with the command in backticks.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hints.push(Hint::new(shown_without_credentials(&text.into())));
        self
    }

    /// Adds a key to the JSON document.
    #[must_use]
    pub fn key(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a further cause.
    #[must_use]
    pub fn also(mut self, other: Self) -> Self {
        self.also.push(other);
        self
    }

    /// Exits with `exit` instead of the code's own: `verify-failed` for a restriction says 5.
    #[must_use]
    pub fn with_exit(mut self, exit: u8) -> Self {
        self.exit = Some(exit);
        self
    }

    /// Exit code of the program.
    pub fn exit(&self) -> u8 {
        self.exit.unwrap_or_else(|| self.code.exit())
    }

    /// The failure that decides the exit code of several (4, then 5, 6, 3, 1), with the rest as
    /// further causes. `None` if there is none.
    pub fn gravest(failures: Vec<Self>) -> Option<Self> {
        let rank = |failure: &Self| match failure.exit() {
            4 => 0,
            5 => 1,
            6 => 2,
            3 => 3,
            1 => 4,
            _ => 5,
        };
        let mut failures = failures;
        let index = (0..failures.len()).min_by_key(|&index| rank(&failures[index]))?;
        let mut gravest = failures.remove(index);
        gravest.also.extend(failures);
        Some(gravest)
    }

    /// What `--json` prints: `{"error":{…}}`.
    pub fn document(&self) -> Value {
        json!({ "error": self.body() })
    }

    fn body(&self) -> Value {
        let because = self.details.iter().filter_map(|detail| match detail {
            Detail::Because(fact) => Some(Value::from(fact.as_str())),
            _ => None,
        });
        let mut body = Map::new();
        body.insert("code".into(), self.code.as_str().into());
        body.insert("message".into(), self.message.as_str().into());
        body.insert("because".into(), because.collect());
        body.insert("hints".into(), self.hints.iter().flat_map(Hint::bare).map(Value::from).collect());
        body.insert("exit".into(), self.exit().into());
        for (key, value) in self.extra.iter() {
            // A registry's problem document brings keys along; these are not its to say.
            if key != "also" && !body.contains_key(key) {
                body.insert(key.clone(), value.clone());
            }
        }
        if !self.also.is_empty() {
            body.insert("also".into(), self.also.iter().map(Self::body).collect());
        }
        Value::Object(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn because(failure: &Failure) -> String {
        failure.document()["error"]["because"][0].as_str().unwrap().to_owned()
    }

    #[test]
    fn an_error_of_the_system_keeps_its_text_and_its_path() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("absent/file");
        let error = fs_err::read(&path).unwrap_err();
        let failure = Failure::disk(&error, "the cache");
        let reason = format!("cannot open file `{}`: no such file or directory", path.display());
        assert_eq!(because(&failure), reason);
        assert_eq!(because(&Failure::disk(&error, "absent/file")), "no such file or directory");
        let failure = Failure::disk(&io::Error::from_raw_os_error(5), "absent/file");
        assert_eq!(because(&failure), "input/output error");
        let failure = Failure::disk(&io::Error::other("cannot exchange a and b"), "absent/file");
        assert_eq!(because(&failure), "cannot exchange a and b");
    }
}
