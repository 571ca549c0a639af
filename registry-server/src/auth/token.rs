use skill_core::token::TokenText;

use crate::entropy::{Entropy, EntropyError};

/// A new token.
pub fn new_token(entropy: &Entropy) -> Result<TokenText, EntropyError> {
    entropy.bytes().map(TokenText::of_secret)
}
