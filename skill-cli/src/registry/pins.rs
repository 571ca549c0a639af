use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::{RegistryId, Sha256};

use crate::client::Endpoint;
use crate::files::{self, limit};

/// Which registry was found where: kept per user and durably, outside the cache, so that neither cleaning
/// nor a loss of power makes a known registry a stranger.
///
/// `pins/urls/<digest of the URL>.json` says which id was seen at a URL, and
/// `pins/registries/<id>/N.root.json` holds the root chain of an id.
#[derive(Debug, Clone)]
pub struct Pins {
    folder: PathBuf,
}

/// One registry that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pin {
    /// Where.
    pub url: String,
    /// Which.
    pub id: RegistryId,
    /// Since when.
    pub pinned_at: Timestamp,
}

impl Pins {
    /// The pins below `state`, the user's folder for what must last.
    pub fn below(state: &Path) -> Self {
        Self { folder: state.join("pins") }
    }

    /// What was seen at a URL. A file that says nothing readable is an error, never "nothing".
    pub fn at(&self, endpoint: &Endpoint) -> Result<Option<Pin>, PinsError> {
        let path = self.url_path(endpoint);
        let bytes = files::read(&path, limit::PIN).map_err(|error| PinsError::at(&path, error))?;
        let damaged = |error| {
            let text = format!("it is no pin that was written here: {error}");
            PinsError::at(&path, io::Error::new(io::ErrorKind::InvalidData, text))
        };
        bytes.map(|bytes| serde_json::from_slice(&bytes).map_err(damaged)).transpose()
    }

    /// Remembers which registry is at a URL.
    pub fn set(&self, endpoint: &Endpoint, id: RegistryId, now: Timestamp) -> Result<(), PinsError> {
        let path = self.url_path(endpoint);
        let pin = Pin { url: endpoint.to_string(), id, pinned_at: now };
        let bytes = serde_json::to_vec(&pin).map_err(io::Error::other);
        bytes
            .and_then(|bytes| files::replace(&path, &bytes, false))
            .map_err(|error| PinsError::at(&path, error))
    }

    /// Forgets what was seen at a URL; `false` if nothing was known. The root chain stays: what is
    /// installed still needs it.
    pub fn forget(&self, endpoint: &Endpoint) -> io::Result<bool> {
        match fs_err::remove_file(self.url_path(endpoint)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The root chain of a registry as far as it was seen, version 1 first; empty if it was not.
    pub fn chain(&self, id: RegistryId) -> Result<Vec<Vec<u8>>, PinsError> {
        let folder = self.chain_folder(id);
        read_chain(&folder).map_err(|error| PinsError::at(&folder, error))
    }

    /// Keeps a root chain that was checked.
    pub fn keep_chain(&self, id: RegistryId, chain: &[Vec<u8>]) -> Result<(), PinsError> {
        let folder = self.chain_folder(id);
        for (number, bytes) in (1..).zip(chain) {
            let path = folder.join(root_file(number));
            let failed = |error| PinsError::at(&path, error);
            if files::read(&path, limit::ROOT).map_err(failed)?.as_deref() != Some(bytes) {
                files::replace(&path, bytes, false).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn chain_folder(&self, id: RegistryId) -> PathBuf {
        self.folder.join("registries").join(id.to_string())
    }

    fn url_path(&self, endpoint: &Endpoint) -> PathBuf {
        let name = Sha256::of(endpoint.to_string()).to_hex();
        self.folder.join("urls").join(format!("{}.json", &name[..32]))
    }
}

/// A file of the pins that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .path.display(), files::reason(.error))]
pub struct PinsError {
    /// Which file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub error: io::Error,
}

impl PinsError {
    fn at(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_owned(), error }
    }
}

/// The name of a version of the root metadata in a folder of them.
pub fn root_file(number: u64) -> String {
    format!("{number}.root.json")
}

/// The root chain in a folder: version 1, 2 and so on up to the first that is missing.
pub fn read_chain(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut chain = Vec::new();
    for number in 1.. {
        match files::read(&folder.join(root_file(number)), limit::ROOT)? {
            Some(bytes) => chain.push(bytes),
            None => break,
        }
    }
    Ok(chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_remembered_per_url() {
        let state = tempfile::tempdir().unwrap();
        let pins = Pins::below(state.path());
        let [one, other] =
            ["https://h.example/a", "https://h.example/b"].map(|url| Endpoint::parse(url).unwrap());
        let id = RegistryId::new(Sha256::of("root"));
        let now: Timestamp = "2026-11-30T16:00:00Z".parse().unwrap();
        pins.set(&one, id, now).unwrap();
        assert_eq!(pins.at(&one).unwrap().map(|pin| (pin.id, pin.pinned_at)), Some((id, now)));
        assert_eq!(pins.at(&other).unwrap(), None);
        assert!(pins.forget(&one).unwrap());
        assert!(!pins.forget(&one).unwrap());
        assert_eq!(pins.at(&one).unwrap(), None);
    }

    #[test]
    fn a_damaged_pin_does_not_become_a_first_contact() {
        let state = tempfile::tempdir().unwrap();
        let pins = Pins::below(state.path());
        let endpoint = Endpoint::parse("https://h.example").unwrap();
        files::replace(&pins.url_path(&endpoint), b"{}", false).unwrap();
        assert!(pins.at(&endpoint).is_err());
    }

    #[test]
    fn a_chain_comes_back_in_order() {
        let state = tempfile::tempdir().unwrap();
        let pins = Pins::below(state.path());
        let id = RegistryId::new(Sha256::of("root"));
        assert!(pins.chain(id).unwrap().is_empty());
        let chain: Vec<Vec<u8>> = (1..=11).map(|number| vec![number]).collect();
        pins.keep_chain(id, &chain).unwrap();
        assert_eq!(pins.chain(id).unwrap(), chain);
    }
}
