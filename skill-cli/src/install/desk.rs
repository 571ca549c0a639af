use std::collections::BTreeSet;
use std::sync::Arc;

use skill_core::lock::Lock;
use skill_core::wanted::Wanted;

use super::Acceptance;
use crate::cache::Cache;
use crate::client::Client;
use crate::config::{self, Config};
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::registry::Pins;
use crate::workdir::{self, Guard, Transaction, Workdir};

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
    /// The right to change the work directory; none in a dry run.
    guard: Option<Guard>,
}

impl<'a> Desk<'a> {
    /// Takes the work directory, finishes what an earlier command left, and reads what is there.
    ///
    /// # Errors
    /// `busy`, what lock and skills.toml give, `policy-config`.
    pub fn open(context: &'a Context, workdir: &'a Workdir, options: Options) -> Result<Self, Failure> {
        let guard = if options.dry_run {
            workdir::settle(workdir).map_err(|error| workdir::refused(context, &error))?;
            None
        } else {
            Some(Guard::take_settled(workdir).map_err(|error| workdir::refused(context, &error))?)
        };
        let lock = workdir::read_lock(context, workdir)?;
        let wanted = config::project(context)?;
        let config = Config::load(context, wanted.as_ref())?;
        config.check_install(context)?;
        Ok(Self {
            has_lock: lock.is_some(),
            lock: lock.unwrap_or_default(),
            wanted,
            config,
            pins: Pins::below(&context.dirs.state),
            cache: Cache::at(context.dirs.cache.clone()),
            client: connection::client(context),
            context,
            workdir,
            options,
            guard,
        })
    }

    /// A transaction on the work directory. Without the right to change it nothing is ever staged.
    pub fn transaction(&self) -> Option<Transaction<'_>> {
        let mut random = [0; 8];
        // Without entropy the name is merely guessable; the lock keeps others out.
        let _ = getrandom::fill(&mut random);
        let random = format!("{:016x}", u64::from_le_bytes(random));
        self.guard.as_ref().map(|guard| Transaction::begin(self.workdir, guard, &random))
    }

    /// A failure of the disk at a path of the work directory, before anything was changed.
    pub fn disk(&self, error: &std::io::Error, path: &std::path::Path) -> Failure {
        Failure::disk(error, &self.context.shown(path)).nothing_changed()
    }
}
