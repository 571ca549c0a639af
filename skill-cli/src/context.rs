//! What a command knows of the world: facts that the program collected once at its start.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use skill_bundle::Bundle;
use skill_scan::{RuleSet, ScanReport, Stopped, scan_until};

use crate::args::Globals;
use crate::code::Code;
use crate::failure::Failure;
use crate::screen::Screen;

mod dirs;
pub use dirs::Dirs;

/// The environment as it was when the program started. An empty variable counts as unset.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// The value of `name`, if it is set and not empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.raw(name).filter(|value| !value.is_empty())
    }

    /// The value of `name` if it is set, be it empty.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// What [`Environment::get`] gives as text; what is not UTF-8 in it becomes U+FFFD.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(OsStr::to_string_lossy)
    }

    /// Every variable that is set, an empty one too.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

/// What is a terminal, and how wide it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Terminal {
    /// Whether stdin is one.
    pub stdin: bool,
    /// Whether stdout is one.
    pub stdout: bool,
    /// Whether stderr is one.
    pub stderr: bool,
    /// Its columns.
    pub columns: Option<u16>,
}

/// Where the time comes from.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// A clock that asks `now`.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// A clock that stands still.
    pub fn fixed(at: Timestamp) -> Self {
        Self::new(move || at)
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

/// Whether somebody asked the program to stop. What waits is dropped where it waits; what works without
/// waiting asks here between its steps.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether it was asked.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What a handler of signals sets.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// The facts of the world that the program hands down.
#[derive(Debug, Clone)]
pub struct World {
    /// The environment.
    pub env: Environment,
    /// HOME of the user, if there is one.
    pub home: Option<PathBuf>,
    /// The current folder.
    pub cwd: PathBuf,
    /// What is a terminal.
    pub terminal: Terminal,
    /// Where the time comes from.
    pub clock: Clock,
    /// The system's configuration file; the program has no switch for it.
    pub system_config: PathBuf,
    /// Who has to own it: root, by number; a test gives its own user.
    pub system_owner: u32,
    /// Whether it shall stop.
    pub stop: Stop,
}

/// What every command gets.
#[derive(Debug)]
pub struct Context {
    /// The global flags.
    pub globals: Globals,
    /// The facts of the world.
    pub world: World,
    /// Where the user's files lie.
    pub dirs: Dirs,
    /// Where output goes.
    pub screen: Arc<Screen>,
}

impl Context {
    /// Joins flags, facts and screen.
    pub fn new(globals: Globals, world: World, screen: Screen) -> Self {
        let dirs = Dirs::new(&world);
        Self { globals, world, dirs, screen: Arc::new(screen) }
    }

    /// The environment.
    pub fn env(&self) -> &Environment {
        &self.world.env
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.world.clock.now()
    }

    /// Lets work go on that nobody wants to stop; asked between steps that take a moment each.
    ///
    /// # Errors
    /// `interrupted`.
    pub fn go_on(&self) -> Result<(), Failure> {
        if self.world.stop.asked() { Err(interrupted()) } else { Ok(()) }
    }

    /// Scans a bundle with the rules of this program, as long as nobody wants it to stop.
    ///
    /// # Errors
    /// `interrupted`.
    pub fn scan(&self, bundle: &Bundle) -> Result<ScanReport, Failure> {
        scan_until(bundle, RuleSet::builtin(), &self.world.stop.flag()).map_err(|Stopped| interrupted())
    }

    /// `path` below the current folder, unless it is absolute. `~/` at its start is HOME.
    pub fn absolute(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        match (path.strip_prefix("~"), &self.world.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => self.world.cwd.join(path),
        }
    }

    /// `path` as text shows it: relative to the current folder when inside it, `~` for HOME.
    pub fn shown(&self, path: impl AsRef<Path>) -> String {
        crate::text::quote::path_from(path.as_ref(), &self.world.cwd, self.world.home.as_deref())
    }

    /// Whether no connection may be opened: `--offline` or SKILL_OFFLINE.
    pub fn offline(&self) -> bool {
        self.globals.offline || self.env().text("SKILL_OFFLINE").is_some_and(|value| is_on(&value))
    }
}

/// What a command answers that was told to stop.
pub(crate) fn interrupted() -> Failure {
    Failure::new(Code::Interrupted, "stopped by a signal")
}

fn is_on(value: &str) -> bool {
    !matches!(value.to_ascii_lowercase().as_str(), "0" | "false" | "no" | "off")
}
