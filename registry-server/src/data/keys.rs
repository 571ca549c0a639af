use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use skill_trust::key::KeyFile;
use skill_trust::{Role, SigningKey, TrustedRoot};

use super::folder::{make_private, write_once};
use super::{DataError, Folder};
use crate::entropy::Entropy;

/// The keys that this registry signs with, one per role; root and restore may lie elsewhere.
#[derive(Debug)]
pub struct Keys(BTreeMap<Role, SigningKey>);

impl Keys {
    /// Reads the keys of a folder and makes those that are missing: for a registry that has no root yet.
    pub(super) fn make(folder: &Folder, entropy: &Entropy) -> Result<Self, DataError> {
        make_private(&folder.keys())?;
        let mut keys = BTreeMap::new();
        for role in Role::ALL {
            let path = path_of(folder, role);
            if !path.exists() {
                let key = SigningKey::from_seed(&entropy.bytes()?);
                write_once(&path, KeyFile { role, key }.to_text().as_bytes(), 0o600)?;
            }
            keys.insert(role, read(&path, role)?);
        }
        Ok(Self(keys))
    }

    /// Reads the keys of a folder. Those of online roles must be there.
    pub(super) fn open(folder: &Folder) -> Result<Self, DataError> {
        let mut keys = BTreeMap::new();
        for role in Role::ALL {
            let path = path_of(folder, role);
            if path.exists() {
                keys.insert(role, read(&path, role)?);
            } else if role.is_online() {
                return Err(DataError::KeyMissing { role, path });
            }
        }
        Ok(Self(keys))
    }

    /// Reads the keys of a folder, which must be those that the root names.
    pub fn of(folder: &Folder, root: &TrustedRoot) -> Result<Self, DataError> {
        let keys = Self::open(folder)?;
        keys.check(root)?;
        Ok(keys)
    }

    /// Refuses keys that the root does not give their role.
    pub(super) fn check(&self, root: &TrustedRoot) -> Result<(), DataError> {
        match self.0.iter().find(|(role, key)| root.role_of(key.id()) != Some(**role)) {
            Some((&role, _)) => Err(DataError::KeyNotInRoot { role }),
            None => Ok(()),
        }
    }

    /// The key of a role, if it lies here.
    pub fn get(&self, role: Role) -> Option<&SigningKey> {
        self.0.get(&role)
    }

    /// All keys that lie here.
    pub const fn all(&self) -> &BTreeMap<Role, SigningKey> {
        &self.0
    }
}

fn path_of(folder: &Folder, role: Role) -> PathBuf {
    folder.keys().join(format!("{role}.key"))
}

fn read(path: &Path, role: Role) -> Result<SigningKey, DataError> {
    let mode = fs_err::metadata(path)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(DataError::KeyExposed { path: path.to_owned(), mode });
    }
    let text = fs_err::read_to_string(path)?;
    let file: KeyFile =
        text.parse().map_err(|source| DataError::KeyUnreadable { path: path.to_owned(), source })?;
    if file.role != role {
        return Err(DataError::KeyMisplaced { path: path.to_owned(), found: file.role });
    }
    Ok(file.key)
}
