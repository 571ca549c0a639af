//! Runs whole commands in a folder of their own: no server, no environment, a clock that stands still.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use fs_err as fs;
use tempfile::TempDir;

use crate::context::{Clock, Terminal, World};

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
        Self { disk, env: [("LANG", "C.UTF-8"), ("NO_COLOR", "1")].map(|(name, value)| (name.to_owned(), value.to_owned())).into() }
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
                block.push_str(&format!("-- {name}\n{text}"));
            }
        }
        block.push_str(&format!("-- exit {exit}\n"));
        block.replace(&self.disk.path().display().to_string(), "/tmp")
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> (String, String, u8) {
        let world = World {
            env: self.env.iter().cloned().collect(),
            home: Some(self.home("")),
            cwd: self.path(""),
            terminal: Terminal { stdin: false, stdout: true, stderr: true, columns: Some(80) },
            clock: Clock::fixed("2026-11-30T16:00:00Z".parse().unwrap()),
            system_config: self.disk.path().join("etc/config.toml"),
        };
        let words: Vec<_> = std::iter::once("skill").chain(words.iter().copied()).map(Into::into).collect();
        let (out, err) = (Sink::default(), Sink::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let command = crate::run(&words, world, std::future::pending(), out.clone(), err.clone());
        let exit = runtime.block_on(command);
        (out.text(), err.text(), exit)
    }
}

fn put(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A SKILL.md that reads well.
pub(crate) const SKILL_MD: &str = "---\nname: notes\ndescription: Keeps short notes in one file.\n---\n\n# Notes\n";
