use std::fmt;

use crate::entropy::{Entropy, EntropyError};

/// What nobody takes for something else: no I, O, 0 and 1.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH: usize = 8;

/// A code that a person reads in one place and types in another: `WDJB-MJHT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCode(String);

impl UserCode {
    /// A new one.
    pub fn make(entropy: &Entropy) -> Result<Self, EntropyError> {
        let bytes = entropy.bytes()?;
        let letters = bytes.iter().take(LENGTH).map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
        Ok(Self(letters.collect()))
    }

    /// Reads it as people type it: in any case, with the hyphen, without it, or with a blank.
    pub fn read(text: &str) -> Option<Self> {
        let typed = text.chars().filter(|letter| !matches!(letter, '-' | ' '));
        let code: String = typed.map(|letter| letter.to_ascii_uppercase()).take(LENGTH + 1).collect();
        let reads = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        reads.then_some(Self(code))
    }

    /// The letters alone.
    pub fn letters(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, tail) = self.0.split_at(LENGTH / 2);
        write!(f, "{head}-{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_is_typed() {
        let code = UserCode::make(&Entropy::seeded(3)).unwrap();
        let shown = code.to_string();
        assert_eq!((shown.len(), &shown[4..5]), (9, "-"));
        for typed in [shown.clone(), shown.to_lowercase(), shown.replace('-', ""), shown.replace('-', " - ")]
        {
            assert_eq!(UserCode::read(&typed), Some(code.clone()), "{typed}");
        }
        for typed in ["", "ABCD", "ABCD-EFG0", "ABCD-EFGI", "ABCD-EFGHJ", "ÄBCD-EFGH", &"A".repeat(100_000)]
        {
            assert_eq!(UserCode::read(typed), None);
        }
    }
}
