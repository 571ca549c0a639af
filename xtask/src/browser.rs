//! Journeys through the web catalogue in headless Chromium: `tests/browser`, run by Node's own test runner.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{self, env, programs, root, say};

mod site;

use site::Site;

/// The oldest Node whose test runner knows what the journeys ask of it.
const NODE: u32 = 20;

/// Which journeys to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Journeys {
    /// Through the examples and through skills written to be hostile.
    Every,
    /// Through the real skills of `CORPUS_DIR`.
    RealSkills,
}

/// Everything that journeys need, found.
pub(crate) struct Browser {
    chromium: PathBuf,
}

/// What journeys need and this machine lacks.
#[derive(Debug)]
pub(crate) enum Lacking {
    Chromium,
    Node,
    Packages,
}

impl fmt::Display for Lacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chromium => f.write_str("no program named chromium"),
            Self::Node => write!(f, "no Node, or one older than {NODE}"),
            Self::Packages => f.write_str("the npm packages of tests/browser are not there, or are others"),
        }
    }
}

impl Browser {
    /// Looks for the browser, Node and the packages.
    pub(crate) fn find() -> Result<Self, Lacking> {
        let chromium = on_path("chromium").ok_or(Lacking::Chromium)?;
        if node_version().is_none_or(|version| version < NODE) {
            return Err(Lacking::Node);
        }
        let folder = folder();
        let installed = packages(&folder.join("node_modules/.package-lock.json"));
        if installed.is_none() || installed != packages(&folder.join("package-lock.json")) {
            return Err(Lacking::Packages);
        }
        Ok(Self { chromium })
    }

    /// Starts a registry, publishes to it, and runs the journeys. Screenshots are left below `browser` in the
    /// target folder.
    pub(crate) fn run(&self, journeys: Journeys) -> anyhow::Result<()> {
        let programs = programs()?;
        let shots = programs.parent().unwrap_or(&programs).join("browser");
        let temporary = tempfile::Builder::new().prefix("skill-browser-").tempdir()?;
        let site = Site::open(&programs, temporary.path())?;
        let surroundings = [
            ("CHROMIUM", self.chromium.display().to_string()),
            ("REGISTRY", site.url()),
            ("TOKENS", site.tokens().to_string()),
            ("PASSWORD", site::PASSWORD.to_owned()),
            ("SCREENSHOTS", shots.display().to_string()),
            ("TMPDIR", temporary.path().display().to_string()),
        ];
        let node = || {
            let mut node = Command::new("node");
            node.current_dir(folder()).envs(surroundings.clone());
            node
        };
        if journeys == Journeys::Every {
            workspace::run(node().arg("seed.js"))?;
        }
        let mut node = node();
        // Two at a time, each with a browser of its own.
        node.args(["--test", "--test-concurrency=2", "--test-reporter=spec"]);
        match journeys {
            Journeys::Every => node.args(files("journeys")?),
            Journeys::RealSkills => node.arg("corpus.js"),
        };
        let outcome = workspace::run(&mut node);
        say(&format!("screenshots: {}", shots.display()));
        outcome
    }
}

/// Installs what [`Browser::find`] misses: Debian's packages, and the npm packages as they are locked.
pub(crate) fn install() -> anyhow::Result<()> {
    let mut missing = Vec::new();
    if on_path("chromium").is_none() {
        missing.push("chromium");
    }
    if node_version().is_none() {
        missing.push("nodejs");
    }
    if on_path("npm").is_none() {
        missing.push("npm");
    }
    if !missing.is_empty() {
        say(&format!("installing {}", missing.join(", ")));
        workspace::run(Command::new("apt-get").args(["update", "-qq"]))?;
        let mut apt = Command::new("apt-get");
        apt.args(["install", "-y", "-qq", "--no-install-recommends"]).args(missing);
        workspace::run(apt.env("DEBIAN_FRONTEND", "noninteractive"))?;
    }
    if matches!(Browser::find(), Err(Lacking::Packages)) {
        workspace::run(Command::new("npm").current_dir(folder()).arg("ci"))?;
    }
    Ok(())
}

fn folder() -> PathBuf {
    root().join("tests/browser")
}

/// The scripts in a folder of `tests/browser`, by name.
fn files(name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder().join(name))? {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env("PATH")?;
    path.split(':').map(|folder| Path::new(folder).join(program)).find(|file| file.is_file())
}

/// The first number of `node --version`, which prints `v20.1.0`.
fn node_version() -> Option<u32> {
    let out = Command::new("node").arg("--version").output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    text.strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Names and digests of the packages that a lock of npm lists; none if it cannot be read.
fn packages(lock: &Path) -> Option<Vec<(String, String)>> {
    let lock: Value = serde_json::from_slice(&fs_err::read(lock).ok()?).ok()?;
    let packages = lock["packages"].as_object()?.iter().filter(|(name, _)| !name.is_empty());
    let mut all: Vec<(String, String)> = packages
        .map(|(name, package)| Some((name.clone(), package["integrity"].as_str()?.to_owned())))
        .collect::<Option<_>>()?;
    all.sort();
    Some(all)
}
