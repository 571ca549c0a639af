//! A home and a work directory for one test, and `skill` run in them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Output, Registry};

/// One user on one machine. Nothing of the real home or environment is seen.
pub(crate) struct Sandbox {
    folder: tempfile::TempDir,
    url: Option<String>,
    token: Option<String>,
}

impl Sandbox {
    /// A sandbox that knows no registry.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("sandbox-").tempdir().unwrap();
        for name in ["work", "home", "skill-home"] {
            fs_err::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder, url: None, token: None }
    }

    /// A sandbox whose default registry is `registry`, called `corp`.
    pub(crate) fn with(registry: &Registry) -> Self {
        let mut sandbox = Self::new();
        sandbox.url = Some(registry.url());
        sandbox.skill(["registry", "add", &registry.url(), "--name", "corp"]).success();
        sandbox
    }

    /// A sandbox that is logged in as `name`, a new publisher of `registry`.
    pub(crate) fn publisher(registry: &Registry, name: &str) -> Self {
        let mut sandbox = Self::with(registry);
        let token = registry.publisher(name);
        sandbox.skill(["login", "--token", &token]).success();
        sandbox.token = Some(token);
        sandbox
    }

    /// The token it is logged in with.
    pub(crate) fn token(&self) -> &str {
        self.token.as_deref().unwrap()
    }

    /// The work directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The `SKILL_HOME`.
    pub(crate) fn skill_home(&self) -> PathBuf {
        self.folder.path().join("skill-home")
    }

    /// A path below the work directory.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.work().join(path)
    }

    /// Reads a text below the work directory.
    #[track_caller]
    pub(crate) fn read(&self, path: &str) -> String {
        fs_err::read_to_string(self.path(path)).unwrap()
    }

    /// Writes a file below the work directory, folders included.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }

    /// Runs `skill` in the work directory.
    pub(crate) fn skill<A: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Output {
        self.run(self.command().args(args))
    }

    /// `skill` in the work directory, to be given arguments and more environment.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skill"));
        command
            .current_dir(self.work())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8")
            .env("HOME", self.folder.path().join("home"))
            .env("SKILL_HOME", self.skill_home())
            .stdin(Stdio::null());
        command
    }

    /// Runs a prepared command to its end.
    pub(crate) fn run(&self, command: &mut Command) -> Output {
        let out = command.output().unwrap();
        Output {
            code: out.status.code().unwrap_or(-1),
            stdout: self.filtered(&String::from_utf8(out.stdout).unwrap()),
            stderr: self.filtered(&String::from_utf8(out.stderr).unwrap()),
        }
    }

    /// Takes out what differs from run to run: the port, folders, durations.
    pub(crate) fn filtered(&self, text: &str) -> String {
        let mut text = text.replace(&self.folder.path().display().to_string(), "[SANDBOX]");
        if let Some(url) = &self.url {
            text = text.replace(url, "[REGISTRY]");
        }
        durations(&text)
    }

    /// Every file below the work directory with its mode and content, as one text: what "the disk is
    /// as it was" is compared by.
    pub(crate) fn disk(&self) -> String {
        disk(&self.work())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let leftovers: Vec<String> = disk(&self.work())
            .lines()
            .filter(|line| line.contains(".skill-stage-") || line.contains(".skill/journal"))
            .map(str::to_owned)
            .collect();
        assert!(leftovers.is_empty(), "left behind: {leftovers:#?}");
    }
}

/// Lists what lies below `folder`: kind, mode, digest or target, path.
pub(crate) fn disk(folder: &Path) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let mut lines = Vec::new();
    let mut queue = vec![folder.to_path_buf()];
    while let Some(next) = queue.pop() {
        for entry in fs_err::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs_err::symlink_metadata(&path).unwrap();
            let shown = path.strip_prefix(folder).unwrap().display().to_string();
            let mode = metadata.permissions().mode() & 0o7777;
            lines.push(if metadata.is_dir() {
                queue.push(path);
                format!("dir  {mode:04o} {shown}")
            } else if metadata.is_symlink() {
                format!("link {shown} -> {}", fs_err::read_link(&path).unwrap().display())
            } else {
                let digest = skill_core::digest::Sha256::of(fs_err::read(&path).unwrap());
                format!("file {mode:04o} {digest} {shown}")
            });
        }
    }
    lines.sort();
    lines.join("\n")
}

/// `in 0.6 s` becomes `in [TIME]`.
fn durations(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut words = Vec::new();
        let mut parts = line.split(' ').peekable();
        while let Some(word) = parts.next() {
            let is_number = word.parse::<f64>().is_ok();
            let unit = parts
                .peek()
                .is_some_and(|next| matches!(next.trim_end_matches(['\n', ';', ',']), "s" | "ms" | "min"));
            if is_number && unit && words.last() == Some(&"in") {
                words.push("[TIME]");
            } else {
                words.push(word);
            }
        }
        out.push_str(&words.join(" "));
    }
    out
}
