use std::path::{Path, PathBuf};
use std::process::Command;

use super::done;
use super::skills::SkillSet;
use crate::registry::Registry;

/// Who publishes.
pub(super) const PUBLISHER: &str = "bench";

/// A registry, and an author with skills and a token.
pub(super) struct Site {
    pub(super) server: Registry,
    pub(super) token: String,
    pub(super) skills: SkillSet,
    program: PathBuf,
    home: PathBuf,
}

impl Site {
    pub(super) fn new(
        program: PathBuf,
        home: PathBuf,
        server: Registry,
        token: String,
        skills: SkillSet,
    ) -> anyhow::Result<Self> {
        fs_err::create_dir_all(&home)?;
        let site = Self { server, token, skills, program, home };
        done(site.author().args(["login", "--token", &site.token]))?;
        Ok(site)
    }

    /// `skill` as the author runs it.
    pub(super) fn author(&self) -> Command {
        self.skill(&self.home, &self.home)
    }

    /// `skill` in a folder, with a home of its own.
    pub(super) fn skill(&self, work: &Path, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(work)
            .env("SKILL_HOME", home)
            .env("HOME", home)
            .env("SKILL_REGISTRY", self.server.url())
            .env_remove("SKILL_TOKEN");
        command
    }
}
