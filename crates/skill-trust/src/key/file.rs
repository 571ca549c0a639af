use std::str::FromStr;

use zeroize::Zeroizing;

use super::{KeyError, KeyId, PublicKey, SigningKey};
use crate::base64;
use crate::role::Role;

/// The first line of every key file.
const HEAD: &str = "skill-registry private key v1";

/// A secret key with the role it serves, as it lies on disk.
///
/// ```text
/// skill-registry private key v1
/// role: release
/// keyid: 64 hexadecimal digits
/// public: base64 of 32 bytes
/// secret: base64 of 32 bytes
/// ```
///
/// These five lines, in this order, each ended by one line feed, and nothing else. The file's
/// owner and mode (0600) are the business of whoever opens it.
#[derive(Debug)]
pub struct KeyFile {
    /// The role that the key serves.
    pub role: Role,
    /// The key.
    pub key: SigningKey,
}

/// Why a text is no key file. Never holds anything of the secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// The first line does not name a key file of this version.
    #[error("the first line is not `{HEAD}`")]
    Head,
    /// A line is missing, misplaced or misspelt.
    #[error("line {line} is not `{field}: ...`")]
    Line {
        /// Line from 1.
        line: usize,
        /// The field that belongs there.
        field: &'static str,
    },
    /// Something stands after the last line, or the last line has no end.
    #[error("the file does not end after `secret:` and one line feed")]
    End,
    /// No role has this name.
    #[error("`{text}` is no role")]
    Role {
        /// What was read.
        text: String,
    },
    /// The public half is no acceptable key.
    #[error("public: {0}")]
    Public(#[source] KeyError),
    /// The secret half is not 32 bytes in base64.
    #[error("secret: not 32 bytes in base64")]
    Secret,
    /// The halves do not belong together.
    #[error("the secret half does not belong to the public half")]
    Halves,
    /// The name does not belong to the key.
    #[error("`keyid` is not the id of the key, which is {key}")]
    Id {
        /// The id of the key in the file.
        key: KeyId,
    },
}

impl KeyFile {
    /// The file's text, in memory that wipes itself.
    pub fn to_text(&self) -> Zeroizing<String> {
        let secret = Zeroizing::new(base64::encode(self.key.seed().as_slice()));
        Zeroizing::new(format!(
            "{HEAD}\nrole: {}\nkeyid: {}\npublic: {}\nsecret: {}\n",
            self.role,
            self.key.id(),
            self.key.public(),
            *secret
        ))
    }
}

impl FromStr for KeyFile {
    type Err = KeyFileError;

    fn from_str(text: &str) -> Result<Self, KeyFileError> {
        let mut lines = text.split('\n');
        if lines.next() != Some(HEAD) {
            return Err(KeyFileError::Head);
        }
        let mut field = |line, field: &'static str| {
            lines
                .next()
                .and_then(|text| text.strip_prefix(field)?.strip_prefix(": "))
                .ok_or(KeyFileError::Line { line, field })
        };
        let role = field(2, "role")?;
        let id = field(3, "keyid")?;
        let public = field(4, "public")?;
        let secret = field(5, "secret")?;
        if lines.next() != Some("") || lines.next().is_some() {
            return Err(KeyFileError::End);
        }
        let role = role.parse().map_err(|_| KeyFileError::Role { text: role.to_owned() })?;
        let public: PublicKey = public.parse().map_err(KeyFileError::Public)?;
        let seed = base64::decode(secret).map(Zeroizing::new).ok_or(KeyFileError::Secret)?;
        let seed: &[u8; 32] = seed.as_slice().try_into().map_err(|_| KeyFileError::Secret)?;
        let key = SigningKey::from_seed(seed);
        if *key.public() != public {
            return Err(KeyFileError::Halves);
        }
        if id != key.id().to_string() {
            return Err(KeyFileError::Id { key: key.id() });
        }
        Ok(Self { role, key })
    }
}
