use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::say;

/// Runs `skill` in a work directory and a home of its own, and shows what it prints.
pub(super) struct Shell {
    program: PathBuf,
    work: PathBuf,
    home: PathBuf,
}

impl Shell {
    pub(super) fn new(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let (work, home) = (folder.join("work"), folder.join("home"));
        fs_err::create_dir(&work)?;
        fs_err::create_dir(&home)?;
        Ok(Self { program: program.to_path_buf(), work, home })
    }

    /// Says what comes next.
    #[expect(clippy::unused_self, reason = "reads as part of the session")]
    pub(super) fn step(&self, text: &str) {
        say(&format!("\n# {text}"));
    }

    /// Runs `skill` with `args`; it has to end with 0.
    pub(super) fn skill(&self, args: &[&str]) -> anyhow::Result<()> {
        self.skill_ends(args, 0)
    }

    /// Like [`Shell::skill`], but `secret` is not shown.
    pub(super) fn skill_hiding(&self, args: &[&str], secret: &str) -> anyhow::Result<()> {
        self.show(args, secret);
        self.execute(args, 0)
    }

    /// Runs `skill` with `args`; it has to end with `code`.
    pub(super) fn skill_ends(&self, args: &[&str], code: i32) -> anyhow::Result<()> {
        self.show(args, "");
        self.execute(args, code)
    }

    #[expect(clippy::unused_self, reason = "reads as part of the session")]
    fn show(&self, args: &[&str], secret: &str) {
        let shown: Vec<&str> = args.iter().map(|arg| if *arg == secret { "…" } else { arg }).collect();
        say(&format!("$ skill {}", shown.join(" ")));
    }

    fn execute(&self, args: &[&str], code: i32) -> anyhow::Result<()> {
        let status = Command::new(&self.program)
            .args(args)
            .current_dir(&self.work)
            .env("SKILL_HOME", &self.home)
            .env("HOME", &self.home)
            .env_remove("SKILL_REGISTRY")
            .env_remove("SKILL_TOKEN")
            .status()?;
        anyhow::ensure!(
            status.code() == Some(code),
            "skill {} ended with {status}, not {code}",
            args.join(" ")
        );
        Ok(())
    }

    /// The `SKILL_HOME`.
    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Copies a folder to a place below the work directory.
    pub(super) fn copy(&self, folder: &Path, to: &str) -> anyhow::Result<()> {
        say(&format!("$ cp -R {} {to}", folder.display()));
        let status = Command::new("cp").arg("-R").arg(folder).arg(self.work.join(to)).status()?;
        anyhow::ensure!(status.success(), "cp ended with {status}");
        Ok(())
    }

    /// Whether something is there, below the work directory.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.work.join(path).exists()
    }

    /// The text of a file below the work directory.
    pub(super) fn read(&self, path: &str) -> anyhow::Result<String> {
        Ok(fs_err::read_to_string(self.work.join(path))?)
    }

    /// Adds `text` to a file below the work directory.
    pub(super) fn append(&self, path: &str, text: &str) -> anyhow::Result<()> {
        say(&format!("$ printf … >> {path}"));
        let mut file = fs_err::OpenOptions::new().append(true).open(self.work.join(path))?;
        file.write_all(text.as_bytes())?;
        Ok(())
    }

    /// A command line for whoever wants to go on by hand.
    pub(super) fn invitation(&self) -> String {
        format!(
            "cd {} && SKILL_HOME={} {} list",
            self.work.display(),
            self.home.display(),
            self.program.display()
        )
    }
}
