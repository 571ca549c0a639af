use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::done;
use crate::workspace::env;

/// The program `uv`, the other side of start-up and of an install with nothing to do.
pub(super) struct Uv(PathBuf);

impl Uv {
    /// On PATH, else below `~/.pyenv/versions`. A script that only starts it (a pyenv shim) is passed over.
    pub(super) fn find() -> Option<Self> {
        let on_path = env("PATH").unwrap_or_default();
        let on_path = on_path.split(':').map(|folder| Path::new(folder).join("uv"));
        let home = PathBuf::from(env("HOME").unwrap_or_default());
        let versions = fs_err::read_dir(home.join(".pyenv/versions")).into_iter().flatten();
        let of_pyenv = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin/uv")));
        on_path.chain(of_pyenv).find(|path| is_program(path)).map(Self)
    }

    pub(super) fn command(&self) -> Command {
        Command::new(&self.0)
    }

    /// A virtual environment that claims to hold `count` packages, and the command that finds them there.
    pub(super) fn satisfied(&self, folder: &Path, count: usize) -> anyhow::Result<Satisfied> {
        done(self.command().args(["venv", "--offline", "--quiet"]).arg(folder))?;
        let lib =
            fs_err::read_dir(folder.join("lib"))?.next().context("an environment without a Python")??;
        let packages: Vec<String> = (0..count).map(|n| format!("bench-{n:03}")).collect();
        for name in &packages {
            let info = format!("site-packages/{}-1.0.0.dist-info", name.replace('-', "_"));
            let info = lib.path().join(info);
            fs_err::create_dir(&info)?;
            let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n");
            fs_err::write(info.join("METADATA"), metadata)?;
            fs_err::write(info.join("INSTALLER"), "uv\n")?;
            fs_err::write(info.join("RECORD"), "")?;
        }
        Ok(Satisfied { uv: self.0.clone(), python: folder.join("bin/python"), packages })
    }
}

/// `uv pip install` with nothing to do.
pub(super) struct Satisfied {
    uv: PathBuf,
    python: PathBuf,
    packages: Vec<String>,
}

impl Satisfied {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.uv);
        command.args(["pip", "install", "--offline", "--no-index", "--python"]).arg(&self.python);
        command.args(&self.packages);
        command
    }
}

fn is_program(path: &Path) -> bool {
    path.is_file() && fs_err::read(path).is_ok_and(|bytes| !bytes.starts_with(b"#!"))
}
