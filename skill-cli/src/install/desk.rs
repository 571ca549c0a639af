use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skill_core::lock::Lock;
use skill_core::wanted::Wanted;

use super::Acceptance;
use crate::cache::Cache;
use crate::client::Client;
use crate::code::Code;
use crate::config::{self, Config};
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::policy::Gate;
use crate::registry::Pins;
use crate::report::Message;
use crate::workdir::{self, ChangeError, Guard, Seen, Transaction, Workdir, WorkdirError};

/// Where else what is kept for a user can lie.
const SKILL_HOME_HINT: &str = "set SKILL_HOME to a folder that you can write";

/// The flags of an install.
#[derive(Debug, Default)]
pub struct Options {
    /// Exactly what the lock names.
    pub frozen: bool,
    /// Replace a changed copy; it is kept.
    pub force: bool,
    /// Show the plan and stop.
    pub dry_run: bool,
    /// Where to put them, relative to the work directory; empty: where they are, else the usual place.
    pub targets: BTreeSet<String>,
    /// The suspicious releases that are taken.
    pub accepted: Vec<Acceptance>,
    /// Every warning of the install policy is taken.
    pub acknowledge: bool,
    /// The work directory that is asked about, where this one is only to try what would happen there: its
    /// lock is read and nothing of it is written.
    pub instead_of: Option<Workdir>,
}

/// Everything that the stages share: the work directory as it is, and the ways to more.
pub struct Desk<'a> {
    /// The command's context.
    pub context: &'a Context,
    /// Where to.
    pub workdir: &'a Workdir,
    /// The flags.
    pub options: Options,
    /// What is locked now.
    pub lock: Lock,
    /// Whether there is a lock file.
    pub has_lock: bool,
    /// What is wanted now; none if there is no skills.toml.
    pub wanted: Option<Wanted>,
    /// Known registries.
    pub config: Config,
    /// Pinned registries.
    pub pins: Pins,
    /// What was fetched before.
    pub cache: Cache,
    /// The network.
    pub client: Arc<Client>,
    /// The files behind `lock` and `wanted`, as they were read.
    seen: [Option<Seen>; 2],
    /// The install policy, or why it cannot be asked.
    gate: Result<Gate, Failure>,
    /// The right to change the work directory; none in a dry run.
    guard: Option<Guard>,
    /// Why that right could not be had.
    denied: Option<Failure>,
}

impl<'a> Desk<'a> {
    /// Takes the work directory, finishes what an earlier command left, and reads what is there.
    ///
    /// # Errors
    /// `busy`, what lock and skills.toml give.
    pub fn open(context: &'a Context, workdir: &'a Workdir, options: Options) -> Result<Self, Failure> {
        let (guard, denied) = Self::guard(context, workdir, &options)?;
        let found_at = |path: PathBuf| {
            Seen::at(&path).map_err(|error| Failure::disk(&error, &context.shown(&path)).nothing_changed())
        };
        let seen = [found_at(workdir.lock())?, found_at(workdir.wanted())?];
        let asked_about = options.instead_of.as_ref().unwrap_or(workdir);
        let lock = workdir::read_lock(context, asked_about)?;
        let wanted = config::project(context)?;
        let config = Config::load(context, wanted.as_ref())?;
        Ok(Self {
            seen,
            gate: Gate::load(context, &config),
            has_lock: lock.is_some(),
            lock: lock.unwrap_or_default(),
            wanted,
            config,
            pins: Pins::below(&context.dirs.state),
            cache: Cache::open(context.dirs.cache.clone()),
            client: connection::client(context),
            context,
            workdir,
            options,
            guard,
            denied,
        })
    }

    /// The right to change the work directory, or why it cannot be had: who may not write may still learn
    /// with `--frozen` that there is nothing to write.
    fn guard(
        context: &Context,
        workdir: &Workdir,
        options: &Options,
    ) -> Result<(Option<Guard>, Option<Failure>), Failure> {
        let refused = |error: &WorkdirError| workdir::refused(context, error);
        let state = &context.dirs.state;
        if !options.dry_run {
            match Guard::take_settled(workdir, state) {
                Ok(guard) => return Ok((Some(guard), None)),
                Err(error) if options.frozen && error.is_denied() => {
                    workdir::settle(workdir, state).map_err(|error| refused(&error))?;
                    return Ok((None, Some(refused(&error))));
                }
                Err(error) => return Err(refused(&error)),
            }
        }
        workdir::settle(workdir, state).map_err(|error| refused(&error))?;
        Ok((None, None))
    }

    /// The install policy. Nothing is installed without it.
    ///
    /// # Errors
    /// `policy-config`, `policy-project-program`.
    pub fn gate(&self) -> Result<&Gate, Failure> {
        self.gate.as_ref().map_err(Clone::clone)
    }

    /// A transaction on the work directory. Without the right to change it nothing is ever staged.
    pub fn transaction(&self) -> Option<Transaction<'_>> {
        let mut random = [0; 8];
        // Without entropy the name is merely guessable; the lock keeps others out.
        let _ = getrandom::fill(&mut random);
        let random = format!("{:016x}", u64::from_le_bytes(random));
        self.guard.as_ref().map(|guard| Transaction::begin(self.workdir, guard, &random))
    }

    /// Puts skills.lock in its place unless it says the same already; whether it did not.
    pub(super) fn put_lock(&self, transaction: &mut Transaction<'_>, lock: &Lock) -> std::io::Result<bool> {
        let text = lock.to_toml();
        transaction.put_document(&self.workdir.lock(), text.as_bytes(), self.seen[0])
    }

    /// The same of skills.toml.
    pub(super) fn put_wanted(
        &self,
        transaction: &mut Transaction<'_>,
        wanted: &Wanted,
    ) -> std::io::Result<bool> {
        let text = wanted.to_toml();
        transaction.put_document(&self.workdir.wanted(), text.as_bytes(), self.seen[1])
    }

    /// A change that did not come to its end. `disk-differs` for what somebody changed meanwhile.
    pub(super) fn not_changed(&self, error: &ChangeError) -> Failure {
        match error {
            ChangeError::Unfinished(error) => self
                .why_stopped(error)
                .because("the change was begun, and nothing was taken back: the disk refused that, too")
                .hint("run the command again: it finishes the change first"),
            ChangeError::Io(_) => self.why_stopped(error).nothing_changed(),
            ChangeError::Changed(_) => self
                .why_stopped(error)
                .because("it is left as it is now")
                .nothing_changed()
                .hint("run the command again"),
        }
    }

    fn why_stopped(&self, error: &ChangeError) -> Failure {
        match error {
            ChangeError::Io(error) => Failure::disk(error, &self.context.shown(self.workdir.root())),
            ChangeError::Changed(place) => {
                let shown = self.context.shown(place);
                Failure::new(Code::DiskDiffers, format!("{shown} was changed while this command worked"))
                    .key("files", vec![shown])
            }
            ChangeError::Unfinished(error) => self.why_stopped(error),
        }
    }

    /// A refusal of what is staged. Says what of it could not be taken away again.
    pub(super) fn refused(&self, transaction: Option<Transaction<'_>>, failure: Failure) -> Failure {
        let left = transaction.map(Transaction::give_up).unwrap_or_default();
        if left.is_empty() {
            return failure;
        }
        let left: Vec<String> = left.iter().map(|folder| self.context.shown(folder)).collect();
        failure.left_behind(&left)
    }

    /// The work directory that this is about: recorded paths are relative to it.
    pub(super) fn asked_about(&self) -> &Workdir {
        self.options.instead_of.as_ref().unwrap_or(self.workdir)
    }

    /// The folder that recorded paths are relative to.
    pub fn ground(&self) -> &Path {
        self.asked_about().root()
    }

    /// Lets pass whoever may write, or only looks.
    ///
    /// # Errors
    /// `disk-denied`, naming the path.
    pub fn may_write(&self) -> Result<(), Failure> {
        self.denied.clone().map_or(Ok(()), Err)
    }

    /// Says it once where nothing that is fetched can be kept.
    pub fn tell_of_cache(&self) {
        if self.cache.is_temporary() {
            let shown = self.context.shown(&self.context.dirs.cache);
            let text = format!("{shown} cannot be written, so that nothing that is fetched is kept there");
            self.context.screen.tell(&Message::warning(Code::DiskDenied, text).hint(SKILL_HOME_HINT));
        }
    }

    /// A failure of the cache, before anything was changed.
    pub fn cache_failure(&self, error: &std::io::Error) -> Failure {
        self.disk(error, &self.context.dirs.cache).hint(SKILL_HOME_HINT)
    }

    /// A failure of the disk at a path of the work directory, before anything was changed.
    pub fn disk(&self, error: &std::io::Error, path: &Path) -> Failure {
        Failure::disk(error, &self.context.shown(path)).nothing_changed()
    }
}
