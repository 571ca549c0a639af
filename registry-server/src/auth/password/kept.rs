use std::fmt;
use std::str::FromStr;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use skill_core::name::NameError;
use subtle::ConstantTimeEq as _;

/// 19 MiB, two passes, one lane: OWASP's Password Storage Cheat Sheet.
const COST: Cost = Cost { memory: 19_456, passes: 2, lanes: 1 };
const SALT: usize = 16;
const HASH: usize = 32;

/// What computing it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cost {
    /// KiB.
    memory: u32,
    passes: u32,
    lanes: u32,
}

/// What is kept of a password. Text form: that of the Password Hashing Competition,
/// `$argon2id$v=19$m=KIB,t=PASSES,p=LANES$SALT$HASH`, so that the cost can change and older ones stay readable.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptPassword {
    cost: Cost,
    salt: Vec<u8>,
    hash: [u8; HASH],
}

impl KeptPassword {
    /// What is kept of `password`. Takes a moment.
    pub(super) fn of(password: &str, chance: &[u8; 32]) -> Result<Self, argon2::Error> {
        let salt = chance[..SALT].to_vec();
        Ok(Self { hash: computed(COST, &salt, password)?, cost: COST, salt })
    }

    /// One that no password has to be compared with, but costs as much.
    pub(super) fn nobodys() -> Self {
        Self { cost: COST, salt: vec![0; SALT], hash: [0; HASH] }
    }

    /// Whether it is of `password`. Takes a moment.
    pub(super) fn matches(&self, password: &str) -> Result<bool, argon2::Error> {
        Ok(computed(self.cost, &self.salt, password)?.ct_eq(&self.hash).into())
    }

    /// Whether it costs what passwords cost now.
    pub fn is_current(&self) -> bool {
        self.cost == COST
    }
}

fn computed(cost: Cost, salt: &[u8], password: &str) -> Result<[u8; HASH], argon2::Error> {
    let params = Params::new(cost.memory, cost.passes, cost.lanes, Some(HASH))?;
    let mut hash = [0; HASH];
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    argon.hash_password_into(password.as_bytes(), salt, &mut hash)?;
    Ok(hash)
}

impl fmt::Debug for KeptPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeptPassword({:?})", self.cost)
    }
}

impl fmt::Display for KeptPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { memory, passes, lanes } = self.cost;
        let (salt, hash) = (BASE64.encode(&self.salt), BASE64.encode(self.hash));
        write!(f, "$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${hash}")
    }
}

impl FromStr for KeptPassword {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        // Whoever reads the error must not read what is kept.
        read(text)
            .ok_or_else(|| NameError { text: "what is kept".to_owned(), wanted: "an Argon2id password" })
    }
}

fn read(text: &str) -> Option<KeptPassword> {
    let [cost, salt, hash] =
        text.strip_prefix("$argon2id$v=19$")?.split('$').collect::<Vec<_>>().try_into().ok()?;
    let [memory, passes, lanes] = cost.split(',').collect::<Vec<_>>().try_into().ok()?;
    let cost = Cost {
        memory: memory.strip_prefix("m=")?.parse().ok()?,
        passes: passes.strip_prefix("t=")?.parse().ok()?,
        lanes: lanes.strip_prefix("p=")?.parse().ok()?,
    };
    Some(KeptPassword {
        cost,
        salt: BASE64.decode(salt).ok()?,
        hash: BASE64.decode(hash).ok()?.try_into().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by OpenSSL 3.5 (Python's `cryptography` 48).
    const OF_OTHERS: [(&str, &str); 3] = [
        (
            "correct horse battery staple",
            "$argon2id$v=19$m=19456,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$eZ8SueF3EIJEgtgpg1rLafWpNVv3dMTwc0KCOxG5CSg",
        ),
        (
            "correct horse battery staple",
            "$argon2id$v=19$m=64,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$lqiL4VyWibGbFFOhtqk/XGMMWt8/3hvZrQjOuOga2lQ",
        ),
        (
            "password",
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        ),
    ];

    #[test]
    fn what_others_kept_is_read_and_written() {
        for (password, text) in OF_OTHERS {
            let kept: KeptPassword = text.parse().unwrap();
            assert!(kept.matches(password).unwrap() && !kept.matches("another").unwrap(), "{text}");
            assert_eq!(kept.to_string(), text);
        }
        let current = OF_OTHERS.map(|(_, text)| text.parse::<KeptPassword>().unwrap().is_current());
        assert_eq!(current, [true, false, false]);
        assert_eq!(KeptPassword::of(OF_OTHERS[0].0, &[7; 32]).unwrap().to_string(), OF_OTHERS[0].1);
    }

    #[test]
    fn what_is_no_kept_password() {
        let good = OF_OTHERS[0].1;
        for (from, to) in [
            ("$argon2id", "argon2id"),
            ("argon2id", "argon2i"),
            ("v=19", "v=16"),
            ("m=19456,t=2", "t=2,m=19456"),
            (",p=1", ""),
            ("m=19456", "m=99999999999"),
            ("eZ8S", "eZ8"),
            ("BwcH", "B!cH"),
            ("CSg", "CSg="),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good);
            let error = bad.parse::<KeptPassword>().unwrap_err();
            assert!(!error.to_string().contains("eZ8"), "{error}");
        }
    }
}
