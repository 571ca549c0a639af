use std::os::unix::fs::PermissionsExt as _;

use skill_core::digest::Sha256;

use super::folder::{make_private, write_once};
use super::{DataError, Folder};
use crate::entropy::Entropy;
use crate::sealed::WebKey;

const NAME: &str = "web.key";

/// Reads `keys/web.key`, 64 hexadecimal digits and a line end, or makes it: a folder of an earlier program has none.
pub(super) fn read_or_make(folder: &Folder, entropy: &Entropy) -> Result<WebKey, DataError> {
    let path = folder.keys().join(NAME);
    if !path.exists() {
        make_private(&folder.keys())?;
        let text = format!("{}\n", Sha256::from_bytes(entropy.bytes()?));
        write_once(&path, text.as_bytes(), 0o600)?;
    }
    let mode = fs_err::metadata(&path)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(DataError::KeyExposed { path, mode });
    }
    let text = fs_err::read_to_string(&path)?;
    match text.trim_end().parse::<Sha256>() {
        Ok(bytes) => Ok(WebKey::of(bytes.as_bytes())),
        Err(_) => Err(DataError::WebKeyUnreadable { path }),
    }
}
