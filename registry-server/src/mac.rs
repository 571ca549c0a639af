//! HMAC-SHA-256 (RFC 2104) under keys of this program.

use hmac::{Hmac, KeyInit as _, Mac as _};
use skill_core::digest::Sha256;

/// Bytes of a block of SHA-256, to which HMAC fills a key with zeros.
const BLOCK: usize = 64;

/// The code of `message` under a key of 32 bytes.
pub(crate) fn of(key: &[u8; 32], message: impl AsRef<[u8]>) -> Sha256 {
    let mut block = [0; BLOCK];
    block[..key.len()].copy_from_slice(key);
    let mut mac = Hmac::<sha2::Sha256>::new(&block.into());
    mac.update(message.as_ref());
    Sha256::from_bytes(mac.finalize().into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, 4.2 and 4.3: shorter keys are those with zeros behind.
    #[test]
    fn as_in_the_rfc() {
        let key = |short: &[u8]| {
            let mut key = [0; 32];
            key[..short.len()].copy_from_slice(short);
            key
        };
        assert_eq!(
            of(&key(&[0x0b; 20]), "Hi There").to_hex(),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
        assert_eq!(
            of(&key(b"Jefe"), "what do ya want for nothing?").to_hex(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
