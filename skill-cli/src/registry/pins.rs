use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::{RegistryId, Sha256};

use crate::cache::{keep, read_if_there};
use crate::client::Endpoint;

/// Which registry was found where: kept per user, outside the cache, so that cleaning does not make
/// a known registry a stranger.
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
    pub fn below(state: &std::path::Path) -> Self {
        Self { folder: state.join("pins") }
    }

    /// What was seen at a URL. A file that says nothing readable is an error, never "nothing".
    pub fn at(&self, endpoint: &Endpoint) -> io::Result<Option<Pin>> {
        let path = self.url_path(endpoint);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let pin: Pin = serde_json::from_slice(&bytes).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{} is not readable: {error}", path.display()))
        })?;
        Ok(Some(pin))
    }

    /// Remembers which registry is at a URL.
    pub fn set(&self, endpoint: &Endpoint, id: RegistryId, now: Timestamp) -> io::Result<()> {
        let pin = Pin { url: endpoint.to_string(), id, pinned_at: now };
        let bytes = serde_json::to_vec(&pin).map_err(io::Error::other)?;
        keep(&self.url_path(endpoint), &bytes)
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
    pub fn chain(&self, id: RegistryId) -> io::Result<Vec<Vec<u8>>> {
        read_chain(&self.chain_folder(id))
    }

    /// Keeps a root chain that was checked.
    pub fn keep_chain(&self, id: RegistryId, chain: &[Vec<u8>]) -> io::Result<()> {
        let folder = self.chain_folder(id);
        for (number, bytes) in (1..).zip(chain) {
            let path = folder.join(root_file(number));
            if read_if_there(&path)?.as_deref() != Some(bytes) {
                keep(&path, bytes)?;
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

/// The name of a version of the root metadata in a folder of them.
pub fn root_file(number: u64) -> String {
    format!("{number}.root.json")
}

/// The root chain in a folder: version 1, 2 and so on up to the first that is missing.
pub fn read_chain(folder: &std::path::Path) -> io::Result<Vec<Vec<u8>>> {
    let mut chain = Vec::new();
    for number in 1.. {
        match read_if_there(&folder.join(root_file(number)))? {
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
        keep(&pins.url_path(&endpoint), b"{}").unwrap();
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
