use std::fmt;

use ed25519_dalek::Signer as _;
use zeroize::Zeroizing;

use super::{KeyId, PublicKey, Signature};

/// A secret key. Its memory is wiped when it is dropped, and no formatting shows it.
pub struct SigningKey {
    secret: ed25519_dalek::SigningKey,
    public: PublicKey,
}

impl SigningKey {
    /// Derives the key from 32 secret random bytes (RFC 8032 section 5.1.5).
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let secret = ed25519_dalek::SigningKey::from_bytes(seed);
        let public = PublicKey(secret.verifying_key());
        Self { secret, public }
    }

    /// The 32 secret bytes, in memory that wipes itself.
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.secret.to_bytes())
    }

    /// The public half.
    pub const fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The name of the public half.
    pub fn id(&self) -> KeyId {
        self.public.id()
    }

    /// Signs `message`; the same message always gets the same signature.
    pub fn sign(&self, message: &[u8]) -> Signature {
        Signature(self.secret.sign(message).to_bytes())
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.id())
    }
}
