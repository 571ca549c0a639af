//! The text of a token: `skr_`, 64 hexadecimal digits of chance and 6 of checksum.
//!
//! A mangled one is told from a foreign one without asking anybody, and scanners of leaked secrets can
//! find it.

mod life;

use std::fmt;
use std::str::FromStr;

use crate::digest::Sha256;

pub use life::{Life, LifeError};

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
pub enum TokenTextError {
    /// It does not begin with `skr_`.
    #[error("a token begins with skr_")]
    Foreign,
    /// It has another length or other characters.
    #[error("a token is skr_ and 70 digits from 0-9 and a-f")]
    Shape,
    /// A character was changed.
    #[error("the checksum does not match: a character was lost or changed")]
    Checksum,
}

impl TokenText {
    /// The token of 32 random bytes.
    pub fn of_secret(secret: [u8; 32]) -> Self {
        let head = format!("{PREFIX}{}", Sha256::from_bytes(secret));
        let sum = checksum(&head);
        Self(head + &sum)
    }

    /// The first characters, to recognise it by.
    pub fn prefix(&self) -> &str {
        &self.0[..SHOWN]
    }

    /// What a registry keeps of it.
    pub fn digest(&self) -> Sha256 {
        Sha256::of(&self.0)
    }

    /// The text itself: to be shown once, kept for its owner alone, or sent to its origin.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// The last 6 digits of the CRC-32 (IEEE) of what stands before.
fn checksum(head: &str) -> String {
    format!("{:06x}", crc32fast::hash(head.as_bytes()) & 0x00ff_ffff)
}

impl FromStr for TokenText {
    type Err = TokenTextError;

    fn from_str(text: &str) -> Result<Self, TokenTextError> {
        let rest = text.strip_prefix(PREFIX).ok_or(TokenTextError::Foreign)?;
        let digits = rest.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if rest.len() != SECRET + CHECKSUM || !digits {
            return Err(TokenTextError::Shape);
        }
        let (head, sum) = text.split_at(PREFIX.len() + SECRET);
        if sum != checksum(head) {
            return Err(TokenTextError::Checksum);
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

    fn token() -> TokenText {
        TokenText::of_secret(*Sha256::of("a secret").as_bytes())
    }

    #[test]
    fn what_is_made_is_read_and_a_changed_character_is_not() {
        let token = token();
        let text = token.reveal();
        assert_eq!(text.len(), 74);
        assert_eq!(text.parse(), Ok(token.clone()));
        for at in PREFIX.len()..text.len() {
            let mut changed = text.to_owned();
            let other = if &text[at..=at] == "0" { "1" } else { "0" };
            changed.replace_range(at..=at, other);
            assert_eq!(changed.parse::<TokenText>(), Err(TokenTextError::Checksum), "{at}");
        }
        let cases = [
            ("", TokenTextError::Foreign),
            (&text[1..], TokenTextError::Foreign),
            ("skr_", TokenTextError::Shape),
            (&text[..73], TokenTextError::Shape),
            (&text.to_uppercase().replace("SKR_", "skr_"), TokenTextError::Shape),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<TokenText>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_known_token() {
        assert_eq!(
            TokenText::of_secret([0xab; 32]).reveal(),
            "skr_abababababababababababababababababababababababababababababababab4e2eba"
        );
    }

    #[test]
    fn its_debug_form_holds_no_secret() {
        let token = token();
        assert_eq!(format!("{token:?}"), format!("{}...", &token.reveal()[..12]));
    }
}
