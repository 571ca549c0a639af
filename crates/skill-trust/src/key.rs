//! Ed25519 keys and signatures, read strictly.
//!
//! RFC 8032 leaves room for verifiers that disagree; here nothing is left to choose. A public
//! key must be canonically encoded, must not have small order and must have no torsion part; a
//! signature must have `S < L` and a canonical `R` of more than small order. Whatever passes
//! passes with every verifier that follows the RFC, the ones in browsers included.

mod file;
mod signing;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use skill_core::digest::{DigestError, Sha256};

pub use file::{KeyFile, KeyFileError};
pub use signing::SigningKey;

use crate::base64;

/// The name of a key: SHA-256 of its 32 public bytes, as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(Sha256);

impl KeyId {
    /// The first 12 digits, for text that a person reads.
    pub fn short(&self) -> String {
        self.0.short()
    }

    /// The id as a plain digest.
    pub const fn sha256(&self) -> Sha256 {
        self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for KeyId {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        text.parse().map(Self)
    }
}

/// Why 32 bytes are no public key, or 64 bytes no signature by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not padded base64 of 32 bytes.
    #[error("a public key is 32 bytes in base64")]
    Encoding,
    /// No point of the curve has this encoding.
    #[error("the public key is no point of the curve")]
    NotAPoint,
    /// The same point has a shorter, canonical encoding.
    #[error("the public key is not canonically encoded")]
    NonCanonical,
    /// The point has order 1, 2, 4 or 8: everything, or nearly, verifies under it.
    #[error("the public key has small order")]
    SmallOrder,
    /// The point has a torsion part: verifiers may disagree about its signatures.
    #[error("the public key is not in the prime-order group")]
    MixedOrder,
    /// The signature is not one that this key made over these bytes.
    #[error("the signature does not match")]
    Signature,
}

/// A public key that passed every check of its encoding. JSON form: padded base64.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(ed25519_dalek::VerifyingKey);

impl PublicKey {
    /// Takes the 32 bytes of RFC 8032 section 5.1.2.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        let key = ed25519_dalek::VerifyingKey::from_bytes(bytes).map_err(|_| KeyError::NotAPoint)?;
        let point = key.to_edwards();
        if point.compress().as_bytes() != bytes {
            return Err(KeyError::NonCanonical);
        }
        if point.is_small_order() {
            return Err(KeyError::SmallOrder);
        }
        if !point.is_torsion_free() {
            return Err(KeyError::MixedOrder);
        }
        Ok(Self(key))
    }

    /// The 32 public bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The key's name.
    pub fn id(&self) -> KeyId {
        KeyId(Sha256::of(self.as_bytes()))
    }

    /// Checks `signature` over `message`, strictly.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), KeyError> {
        let signature = ed25519_dalek::Signature::from_bytes(&signature.0);
        self.0.verify_strict(message, &signature).map_err(|_| KeyError::Signature)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base64::encode(self.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::from_bytes(&base64::decode_array(text).ok_or(KeyError::Encoding)?)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The 64 bytes of a signature: `R`, then `S`. JSON form: padded base64.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature([u8; 64]);

impl Signature {
    /// Takes 64 bytes; whether they are a signature shows when they are verified.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({})", base64::encode(&self.0))
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        base64::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        base64::decode_array(&text)
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("a signature is 64 bytes in base64"))
    }
}
