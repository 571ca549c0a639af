//! Root metadata: which keys speak for which role, and for which part of the log (docs/FORMAT.md,
//! "Root metadata").
//!
//! `root.json` is a DSSE envelope of type [`PAYLOAD_TYPE`] whose payload is a [`Root`]. Version 1
//! names the registry for ever: the registry id is the SHA-256 of its bytes. Each later version
//! is signed by the threshold of root keys of the one before and of its own.

mod chain;
mod check;
mod error;
mod first;
mod trusted;

use std::collections::BTreeMap;
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

pub use chain::RootChain;
pub use error::{InvalidRoot, RootError, RootKeyError};
pub use trusted::TrustedRoot;

use crate::key::{KeyId, PublicKey};
use crate::role::Role;

/// DSSE payload type of root metadata.
pub const PAYLOAD_TYPE: &str = "application/vnd.skill-registry.root+json";

/// `schema` of root metadata.
pub const SCHEMA: &str = "skill.root.v1";

/// The longest a co-located root lives: 10 years.
pub const CO_LOCATED_LIFE: SignedDuration = SignedDuration::from_hours(24 * 3653);

/// The longest an offline root lives: 2 years.
pub const OFFLINE_LIFE: SignedDuration = SignedDuration::from_hours(24 * 731);

/// How long before its end a root is warned about: 90 days.
pub const EXPIRY_WARNING: SignedDuration = SignedDuration::from_hours(24 * 90);

/// How long a timestamp note counts unless the operator says otherwise: 7 days.
pub const TIMESTAMP_VALIDITY_SECONDS: u64 = 7 * 24 * 60 * 60;

/// Where the root key lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Custody {
    /// On the machine that serves: whoever has the machine has the registry.
    CoLocated,
    /// Elsewhere.
    Offline,
}

impl Custody {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CoLocated => "co-located",
            Self::Offline => "offline",
        }
    }

    /// The longest a root in this custody may live.
    pub const fn longest_life(self) -> SignedDuration {
        match self {
            Self::CoLocated => CO_LOCATED_LIFE,
            Self::Offline => OFFLINE_LIFE,
        }
    }
}

impl fmt::Display for Custody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The signed content of one `root.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Root {
    /// [`SCHEMA`].
    pub schema: String,
    /// 1, 2, 3 and so on without a gap.
    pub version: u64,
    /// Where the root key lies.
    pub custody: Custody,
    /// When this version was made.
    pub created_at: Timestamp,
    /// When it ends. An ended root stops new installs, never a verification.
    pub expires_at: Timestamp,
    /// How long a timestamp note counts.
    pub timestamp_validity_seconds: u64,
    /// Every key, by its id.
    #[serde(deserialize_with = "crate::unique::deserialize")]
    pub keys: BTreeMap<KeyId, RootKey>,
    /// Every role.
    #[serde(deserialize_with = "crate::unique::deserialize")]
    pub roles: BTreeMap<Role, RoleKeys>,
}

/// A key as root metadata lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootKey {
    /// The algorithm.
    pub keytype: KeyType,
    /// The public bytes.
    pub public: PublicKey,
}

/// The algorithms that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyType {
    /// Ed25519 (RFC 8032), verified strictly.
    Ed25519,
}

/// The keys of one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleKeys {
    /// How many different keys must sign.
    pub threshold: u32,
    /// The keys, past ones included: what they signed inside their range still counts.
    pub keys: Vec<KeyRange>,
}

/// A key, and the leaves of the log for which it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRange {
    /// Which key.
    #[serde(rename = "keyid")]
    pub key_id: KeyId,
    /// The first leaf.
    pub from: u64,
    /// The last leaf; `null` while the key is in use. Compromise closes the range at the last
    /// good leaf.
    pub until: Option<u64>,
}

impl KeyRange {
    /// Whether the leaf `log_index` lies in it.
    pub const fn contains(&self, log_index: u64) -> bool {
        self.from <= log_index
            && match self.until {
                Some(until) => log_index <= until,
                None => true,
            }
    }

    /// Whether the key is in use.
    pub const fn is_open(&self) -> bool {
        self.until.is_none()
    }
}

impl Root {
    /// The bytes to sign: compact JSON.
    pub fn to_json(&self) -> Vec<u8> {
        crate::json(self)
    }

    /// The keys of `role`, or none if the root does not list it (a checked root lists all).
    pub fn role(&self, role: Role) -> Option<&RoleKeys> {
        self.roles.get(&role)
    }
}
