use skill_core::digest::{RegistryId, Sha256};

use super::{PAYLOAD_TYPE, RoleKeys, Root, RootError, TrustedRoot};
use crate::dsse::Envelope;
use crate::role::Role;

/// Root metadata from version 1 to the newest.
#[derive(Debug)]
pub struct RootChain;

impl RootChain {
    /// The most bytes of one `root.json`.
    pub const MAX_BYTES: usize = 64 * 1024;
    /// The most versions that are walked.
    pub const MAX_VERSIONS: usize = 1024;

    /// Walks `files`, the exact bytes of `root.json` version 1, 2, 3 and so on, and gives what
    /// the last one says. The first must be the one that `registry` is named by; each later one
    /// must follow from the one before. Whether the last one has ended is not asked here
    /// ([`TrustedRoot::is_expired`]).
    pub fn verify(files: &[Vec<u8>], registry: RegistryId) -> Result<TrustedRoot, RootError> {
        let first = files.first().ok_or(RootError::Absent)?;
        let found = Root::registry_id(first);
        if found != registry {
            return Err(RootError::OtherRegistry { expected: registry, found });
        }
        if files.len() > Self::MAX_VERSIONS {
            return Err(RootError::TooMany { count: files.len(), limit: Self::MAX_VERSIONS });
        }
        let mut newest: Option<Root> = None;
        let mut digests = Vec::with_capacity(files.len());
        for (file, version) in files.iter().zip(1..) {
            newest = Some(step(newest.as_ref(), version, file)?);
            digests.push(Sha256::of(file));
        }
        newest.map(|root| TrustedRoot::new(registry, root, digests)).ok_or(RootError::Absent)
    }
}

/// Reads one version and checks that it follows from `previous`.
fn step(previous: Option<&Root>, version: u64, file: &[u8]) -> Result<Root, RootError> {
    if file.len() > RootChain::MAX_BYTES {
        return Err(RootError::TooLarge { version, bytes: file.len(), limit: RootChain::MAX_BYTES });
    }
    let envelope = Envelope::parse(file).map_err(|error| RootError::Envelope { version, error })?;
    if envelope.payload_type() != PAYLOAD_TYPE {
        return Err(RootError::PayloadType { version, found: envelope.payload_type().to_owned() });
    }
    let root = Root::parse(envelope.payload()).map_err(|reason| RootError::Invalid { version, reason })?;
    if root.version != version {
        return Err(RootError::Sequence { expected: version, found: root.version });
    }
    if let Some(before) = previous.filter(|before| root.created_at < before.created_at) {
        return Err(RootError::Backdated {
            version,
            created_at: root.created_at,
            before: before.version,
            previous: before.created_at,
        });
    }
    check_signatures(&envelope, &root, previous)?;
    Ok(root)
}

/// Every signature must be right and by a root key of this version or of the one before; both
/// thresholds must be met.
fn check_signatures(envelope: &Envelope, root: &Root, previous: Option<&Root>) -> Result<(), RootError> {
    let version = root.version;
    let (mut own, mut before) = (0, 0);
    for signature in envelope.signatures() {
        let key = signature.key_id;
        let listed = root_key(root, key);
        let listed_before = previous.and_then(|previous| root_key(previous, key));
        let public = listed.or(listed_before).ok_or(RootError::Stranger { version, key })?;
        envelope.verify(public).map_err(|error| RootError::Signature { version, error })?;
        own += u32::from(listed.is_some());
        before += u32::from(listed_before.is_some());
    }
    let threshold = threshold(root);
    if own < threshold {
        return Err(RootError::OwnThreshold { version, found: own, threshold });
    }
    let threshold = previous.map_or(0, self::threshold);
    if before < threshold {
        return Err(RootError::PreviousThreshold { version, found: before, threshold });
    }
    Ok(())
}

fn root_key(root: &Root, key: crate::key::KeyId) -> Option<&crate::key::PublicKey> {
    let listed = root.role(Role::Root)?.keys.iter().any(|range| range.key_id == key);
    listed.then(|| root.keys.get(&key).map(|key| &key.public)).flatten()
}

/// A role that is missing asks for more signatures than anyone has; a checked root has it.
fn threshold(root: &Root) -> u32 {
    root.role(Role::Root).map_or(u32::MAX, |RoleKeys { threshold, .. }| *threshold)
}
