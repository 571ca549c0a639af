use std::fmt;
use std::str::FromStr;

use skill_core::digest::Sha256;

use crate::entropy::{Entropy, EntropyError};

const PREFIX: &str = "skr_";
const SECRET: usize = 64;
const CHECKSUM: usize = 6;
/// Characters by which a token is recognised in lists.
const SHOWN: usize = 12;

/// The text of a token, as its holder keeps it. Never logged: its debug form is its prefix.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenText(String);

/// A text that no registry of ours gave out, or one that was mangled on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It does not begin with `skr_`.
    #[error("a token begins with skr_")]
    Foreign,
    /// It has another length or other characters.
    #[error("a token is skr_ and 70 digits from 0-9 and a-f")]
    Shape,
    /// A character was changed.
    #[error("the token's checksum does not match")]
    Checksum,
}

impl TokenText {
    /// A new token.
    pub fn generate(entropy: &Entropy) -> Result<Self, EntropyError> {
        let secret = Sha256::from_bytes(entropy.bytes()?);
        let head = format!("{PREFIX}{secret}");
        let sum = checksum(&head);
        Ok(Self(head + &sum))
    }

    /// The first characters, to recognise it by.
    pub fn prefix(&self) -> &str {
        &self.0[..SHOWN]
    }

    /// What the database keeps of it.
    pub fn digest(&self) -> Sha256 {
        Sha256::of(&self.0)
    }

    /// The text itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// The last 6 digits of the CRC-32 (IEEE) of what stands before.
fn checksum(head: &str) -> String {
    format!("{:06x}", crc32fast::hash(head.as_bytes()) & 0x00ff_ffff)
}

impl FromStr for TokenText {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let rest = text.strip_prefix(PREFIX).ok_or(Unreadable::Foreign)?;
        let digits = rest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if rest.len() != SECRET + CHECKSUM || !digits {
            return Err(Unreadable::Shape);
        }
        let (head, sum) = text.split_at(PREFIX.len() + SECRET);
        if sum != checksum(head) {
            return Err(Unreadable::Checksum);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for TokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}...", self.prefix())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_generated_is_read_and_a_changed_character_is_not() {
        let token = TokenText::generate(&Entropy::seeded(1)).unwrap();
        let text = token.reveal();
        assert_eq!(text.len(), 74);
        assert_eq!(text.parse(), Ok(token.clone()));
        for at in PREFIX.len()..text.len() {
            let mut changed = text.to_owned();
            let other = if &text[at..=at] == "0" { "1" } else { "0" };
            changed.replace_range(at..=at, other);
            assert_eq!(changed.parse::<TokenText>(), Err(Unreadable::Checksum), "{at}");
        }
        assert_eq!(text[1..].parse::<TokenText>(), Err(Unreadable::Foreign));
        assert_eq!(text[..73].parse::<TokenText>(), Err(Unreadable::Shape));
        assert_eq!(text.to_uppercase().replace("SKR_", "skr_").parse::<TokenText>(), Err(Unreadable::Shape));
    }

    #[test]
    fn its_debug_form_holds_no_secret() {
        let token = TokenText::generate(&Entropy::seeded(1)).unwrap();
        assert_eq!(format!("{token:?}"), format!("{}...", &token.reveal()[..12]));
    }
}
