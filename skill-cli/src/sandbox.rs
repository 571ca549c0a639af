//! Runs whole commands in a folder of their own: no server, no environment, a clock that stands still.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use fs_err as fs;
use tempfile::TempDir;

use crate::args::Globals;
use crate::context::{Clock, Context, Stop, Terminal, World};
use crate::screen::Screen;

/// A sink that can be read afterwards.
#[derive(Clone, Default)]
pub(crate) struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A folder to work in, and a home beside it.
pub(crate) struct Sandbox {
    disk: TempDir,
    env: Vec<(String, String)>,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let disk = tempfile::tempdir().unwrap();
        fs::create_dir_all(disk.path().join("work")).unwrap();
        fs::create_dir_all(disk.path().join("home")).unwrap();
        Self {
            disk,
            env: [("LANG", "C.UTF-8"), ("NO_COLOR", "1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        }
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path below the work folder.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.disk.path().join("work").join(path)
    }

    /// A path below the home.
    pub(crate) fn home(&self, path: &str) -> PathBuf {
        self.disk.path().join("home").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        put(self.path(path), text);
        self
    }

    pub(crate) fn write_home(&self, path: &str, text: &str) -> &Self {
        put(self.home(path), text);
        self
    }

    /// Runs a command line; gives its two streams and its exit code as one block.
    pub(crate) fn run(&self, line: &str) -> String {
        let (out, err, exit) = self.run_words(&line.split_whitespace().collect::<Vec<_>>());
        let mut block = String::new();
        for (name, text) in [("stdout", out), ("stderr", err)] {
            if !text.is_empty() {
                block.extend(["-- ", name, "\n", &text]);
            }
        }
        block.extend(["-- exit ", &exit.to_string(), "\n"]);
        block.replace(&self.disk.path().display().to_string(), "/tmp")
    }

    fn world(&self) -> World {
        World {
            env: self.env.iter().cloned().collect(),
            home: Some(self.home("")),
            cwd: self.path(""),
            terminal: Terminal { stdin: false, stdout: true, stderr: true, columns: Some(80) },
            clock: Clock::fixed("2026-11-30T16:00:00Z".parse().unwrap()),
            system_config: self.disk.path().join("etc/config.toml"),
            system_owner: rustix::process::geteuid().as_raw(),
            stop: Stop::default(),
        }
    }

    /// What a command gets, without flags.
    pub(crate) fn context(&self) -> Context {
        let (globals, world) = (Globals::default(), self.world());
        let screen = Screen::new(&globals, &world, Sink::default(), Sink::default());
        Context::new(globals, world, screen)
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> (String, String, u8) {
        self.run_until(words, std::future::pending())
    }

    /// Runs a command line until it ends or `interrupt` comes.
    pub(crate) fn run_until(
        &self,
        words: &[&str],
        interrupt: impl Future<Output = ()>,
    ) -> (String, String, u8) {
        let world = self.world();
        let words: Vec<_> = std::iter::once("skill").chain(words.iter().copied()).map(Into::into).collect();
        let (out, err) = (Sink::default(), Sink::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let command = crate::run(&words, world, interrupt, out.clone(), err.clone());
        let exit = runtime.block_on(command);
        for hint in err.text().lines().filter(is_advice) {
            for command in hint.split('`').skip(1).step_by(2).filter(|text| text.starts_with("skill ")) {
                let parsed = crate::args::parse(&crate::docs::filled(command));
                assert!(parsed.is_ok(), "{hint}: {parsed:?}");
            }
        }
        (out.text(), err.text(), exit)
    }
}

fn put(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A hint whose commands are whole; the nearest verb to a wrong one is not.
fn is_advice(line: &&str) -> bool {
    line.starts_with("hint:") && !line.starts_with("hint: did you mean")
}

/// A SKILL.md that reads well.
pub(crate) const SKILL_MD: &str =
    "---\nname: notes\ndescription: Keeps short notes in one file.\n---\n\n# Notes\n";
