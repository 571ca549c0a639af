//! Root chains: the work directory's own, else the user's.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use skill_core::digest::RegistryId;
use skill_trust::{RootChain, RootError, TrustedRoot};

use crate::registry::{Pins, read_chain};
use crate::workdir::Workdir;

/// What is known of the root of a registry.
#[derive(Debug, Clone)]
pub enum Known {
    /// The chain holds.
    Holds {
        /// Its newest root.
        root: Arc<TrustedRoot>,
        /// Whether the user has met the registry.
        pinned: bool,
    },
    /// Nothing is here.
    Absent,
    /// The chain in the work directory does not hold; the user's, if it does.
    Broken {
        /// Why.
        error: RootError,
        /// What to go on with.
        instead: Option<Arc<TrustedRoot>>,
    },
    /// It cannot be read.
    Unreadable(String),
}

/// The root chains, each read and walked once.
pub struct Roots<'a> {
    workdir: &'a Workdir,
    pins: &'a Pins,
    known: Mutex<HashMap<RegistryId, Known>>,
}

impl<'a> Roots<'a> {
    /// Reads nothing yet.
    pub fn new(workdir: &'a Workdir, pins: &'a Pins) -> Self {
        Self { workdir, pins, known: Mutex::new(HashMap::new()) }
    }

    /// What is known of `id`.
    pub fn of(&self, id: RegistryId) -> Known {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(id).or_insert_with(|| self.read(id)).clone()
    }

    /// Every registry of which the work directory holds a chain that holds, except `but`.
    pub fn others(&self, but: RegistryId) -> Vec<Arc<TrustedRoot>> {
        let Ok(folders) = fs_err::read_dir(self.workdir.state().join("trust")) else { return Vec::new() };
        let ids = folders.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut ids: Vec<RegistryId> = ids.filter(|id| *id != but).collect();
        ids.sort();
        let holds = |id| match self.of(id) {
            Known::Holds { root, .. } => Some(root),
            _ => None,
        };
        ids.into_iter().filter_map(holds).collect()
    }

    fn read(&self, id: RegistryId) -> Known {
        match self.try_read(id) {
            Ok(known) => known,
            Err(error) => Known::Unreadable(error.to_string()),
        }
    }

    fn try_read(&self, id: RegistryId) -> io::Result<Known> {
        let users =
            self.pins.chain(id).map_err(|error| io::Error::new(error.error.kind(), error.to_string()))?;
        let pinned = !users.is_empty();
        let own = read_chain(&self.workdir.trust(id))?;
        let walk = |chain: &[Vec<u8>]| RootChain::verify(chain, id).map(Arc::new);
        if own.is_empty() {
            return Ok(match walk(&users) {
                Ok(root) => Known::Holds { root, pinned },
                Err(RootError::Absent) => Known::Absent,
                Err(error) => Known::Broken { error, instead: None },
            });
        }
        Ok(match walk(&own) {
            Ok(root) => Known::Holds { root, pinned },
            Err(error) => Known::Broken { error, instead: walk(&users).ok() },
        })
    }
}
