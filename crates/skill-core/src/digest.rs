//! SHA-256 digests, and the identities made of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Digest as _;

/// A SHA-256 digest. Text form: 64 lower-case hexadecimal digits, nothing else is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// Digests `bytes` in one go.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Takes the 32 bytes of a digest made elsewhere.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 raw bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 hexadecimal digits.
    pub fn to_hex(self) -> String {
        self.to_string()
    }

    /// The first 12 hexadecimal digits, for text that a person reads.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| DIGITS[usize::from(nibble)];
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a digest of the wanted form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct DigestError {
    /// What was read.
    pub text: String,
    /// What is accepted.
    pub wanted: &'static str,
}

const HEX64: &str = "64 lower-case hexadecimal digits";

impl FromStr for Sha256 {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        parse_hex(text).ok_or_else(|| DigestError { text: text.to_owned(), wanted: HEX64 })
    }
}

fn parse_hex(text: &str) -> Option<Sha256> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(Sha256(bytes))
}

const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// The identity of a bundle's content, whatever archive it travels in.
///
/// Text form: `sha256:` and 64 lower-case hexadecimal digits. How it is computed:
/// docs/FORMAT.md, "Tree digest".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeDigest(Sha256);

impl TreeDigest {
    /// Wraps the digest of a tree's preimage.
    pub const fn new(digest: Sha256) -> Self {
        Self(digest)
    }

    /// The digest without its prefix, as file names below `.skill/` use it.
    pub const fn sha256(&self) -> Sha256 {
        self.0
    }

    /// `sha256:` and the first 12 digits, for text that a person reads.
    pub fn short(&self) -> String {
        format!("sha256:{}", self.0.short())
    }
}

impl fmt::Display for TreeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

impl fmt::Debug for TreeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for TreeDigest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        text.strip_prefix("sha256:").and_then(parse_hex).map(Self).ok_or_else(|| DigestError {
            text: text.to_owned(),
            wanted: "`sha256:` and 64 lower-case hexadecimal digits",
        })
    }
}

/// Which registry: the SHA-256 of its `root.json` version 1, as 64 bare hexadecimal digits.
///
/// Lock entries, pins, statements and cache keys use it; URLs only say where it is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistryId(Sha256);

impl RegistryId {
    /// Wraps the digest of root version 1.
    pub const fn new(digest: Sha256) -> Self {
        Self(digest)
    }

    /// The id as a plain digest.
    pub const fn sha256(&self) -> Sha256 {
        self.0
    }

    /// The first 12 digits, for text that a person reads.
    pub fn short(&self) -> String {
        self.0.short()
    }

    /// `r-` and 8 digits: what a registry known only by its URL is called in a lock.
    pub fn default_name(&self) -> String {
        format!("r-{}", &self.0.to_hex()[..8])
    }
}

impl fmt::Display for RegistryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for RegistryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for RegistryId {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        text.parse().map(Self)
    }
}

macro_rules! serde_as_text {
    ($($name:ty),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}
pub(crate) use serde_as_text;
serde_as_text!(Sha256, TreeDigest, RegistryId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let digest = Sha256::of("abc");
        assert_eq!(digest.to_hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digest.to_hex().parse(), Ok(digest));
        let tree = TreeDigest::new(digest);
        assert_eq!(tree.to_string().parse(), Ok(tree));
    }

    #[test]
    fn only_the_one_spelling_is_read() {
        let hex = Sha256::of("abc").to_hex();
        for other in [hex.to_uppercase(), format!(" {hex}"), hex[1..].to_owned(), format!("sha256:{hex}")] {
            assert!(other.parse::<Sha256>().is_err(), "{other}");
        }
        assert!(hex.parse::<TreeDigest>().is_err());
        assert!(format!("SHA256:{hex}").parse::<TreeDigest>().is_err());
    }
}
