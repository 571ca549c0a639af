use std::fmt;

use skill_core::digest::Sha256;

use crate::entropy::{Entropy, EntropyError};

/// What a secret opens; the beginning of its text says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opens {
    /// A session, as the cookie of a browser.
    Session,
    /// The way into one, once, as a part of an address.
    SignIn,
}

impl Opens {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "sks_",
            Self::SignIn => "skl_",
        }
    }
}

/// The text of a session or a link: what it opens, and 64 hexadecimal digits of chance. The registry keeps its digest;
/// its debug form says nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn make(opens: Opens, entropy: &Entropy) -> Result<Self, EntropyError> {
        Ok(Self(format!("{}{}", opens.prefix(), Sha256::from_bytes(entropy.bytes()?))))
    }

    /// One that somebody shows, if it reads like one.
    pub fn read(opens: Opens, text: &str) -> Option<Self> {
        let digits = text.strip_prefix(opens.prefix())?;
        let reads = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        reads.then(|| Self(text.to_owned()))
    }

    /// What the registry keeps of it.
    pub fn digest(&self) -> Sha256 {
        Sha256::of(&self.0)
    }

    /// The text itself, for whom it is made.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
