use std::cell::OnceCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tokio::time::Instant;

use super::address::Address;
use super::environment::{CONFIG, NO_TRANSPORT, variables};
use super::process::{self, Bounds, Broken, Ended};
use crate::code::Code;
use crate::context::Environment;
use crate::failure::Failure;
use crate::install::Desk;

/// Without `--timeout`: far above what a shallow fetch takes, and still an end.
const PATIENCE: Duration = Duration::from_mins(10);

const DAY: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

/// The git program, for one command.
pub(crate) struct Git<'a> {
    env: &'a Environment,
    offline: bool,
    patience: Duration,
    deadline: OnceCell<Instant>,
    /// Where repositories are made that live as long as the command.
    pub(super) folder: PathBuf,
    /// What has no command any more is older than this.
    pub(super) abandoned: jiff::Timestamp,
}

/// What the remote is called: like none that the user's own configuration has.
pub(super) const REMOTE: &str = "skill-source";

/// One call of git.
pub(super) struct Call<'a> {
    /// Its words.
    pub words: Vec<&'a str>,
    /// What it reads.
    pub input: Vec<u8>,
    /// The most that it may say.
    pub cap: u64,
    /// How many bytes may lie in the repository's packs afterwards.
    pub packs: Option<u64>,
    /// Whether it may speak to the remote.
    pub remote: bool,
}

impl<'a> Git<'a> {
    /// Nothing is run before it is needed.
    pub(crate) fn of(desk: &Desk<'a>) -> Self {
        let patience = desk.context.globals.timeout.map_or(PATIENCE, Duration::from_secs);
        Self {
            env: desk.context.env(),
            offline: desk.context.offline(),
            patience,
            deadline: OnceCell::new(),
            folder: desk.cache.git(),
            abandoned: desk.context.now().saturating_sub(DAY).unwrap_or(jiff::Timestamp::MIN),
        }
    }

    /// # Errors
    /// `offline-miss` where a connection would be opened.
    pub(super) fn online(&self, address: &Address) -> Result<(), Failure> {
        if !self.offline || address.is_local {
            return Ok(());
        }
        Err(Failure::new(Code::OfflineMiss, format!("{} is not in the cache", address.shown))
            .because("--offline opens no connection")
            .nothing_changed()
            .hint("run it once without `--offline`"))
    }

    /// How long the remotes of this command may take together.
    pub(super) const fn patience(&self) -> Duration {
        self.patience
    }

    pub(super) async fn run(
        &self,
        repository: &Path,
        address: &Address,
        call: Call<'_>,
    ) -> Result<Ended, Broken> {
        let deadline = *self.deadline.get_or_init(|| Instant::now() + self.patience);
        let mut command = Command::new("git");
        command.current_dir(repository).env_clear().envs(variables(self.env, &address.secret));
        command.env("GIT_ALLOW_PROTOCOL", if call.remote { address.transports } else { NO_TRANSPORT });
        command.arg("--git-dir=.");
        for setting in CONFIG {
            command.args(["-c", setting]);
        }
        if call.remote {
            command.arg("-c").arg(format!("remote.{REMOTE}.url={}", address.url));
            if let Some(ssh) = self.ssh(repository, address).await {
                command.env("GIT_SSH_COMMAND", ssh);
            }
        }
        command.args(call.words);
        let folder = call.packs.map(|limit| (repository.join("objects/pack"), limit));
        process::run(command, call.input, Bounds { stdout: call.cap, deadline, folder }).await
    }

    /// The user's own ssh command if there is one, else ssh without a question.
    async fn ssh(&self, repository: &Path, address: &Address) -> Option<&'static OsStr> {
        let speaks_ssh = address.url.starts_with("ssh://") || !address.url.contains("://");
        if address.is_local || !speaks_ssh || self.has_own_ssh() {
            return None;
        }
        let mut command = Command::new("git");
        command.current_dir(repository).env_clear().envs(variables(self.env, &[]));
        command.args(["--git-dir=.", "config", "--get", "core.sshCommand"]);
        let bounds =
            Bounds { stdout: 64 << 10, deadline: Instant::now() + Duration::from_secs(10), folder: None };
        let own = process::run(command, Vec::new(), bounds).await.is_ok_and(|ended| ended.status.success());
        (!own).then(|| OsStr::new("ssh -oBatchMode=yes"))
    }

    fn has_own_ssh(&self) -> bool {
        self.env.get("GIT_SSH_COMMAND").is_some() || self.env.get("GIT_SSH").is_some()
    }
}
