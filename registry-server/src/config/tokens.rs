use std::time::Duration;

use skill_core::token::Life;

use super::ConfigError;
use super::layers::{Key, Layers};

const LONGEST: Key = Key { name: "tokens.longest", default: "" };
pub(super) const KEYS: [Key; 1] = [LONGEST];

/// What tokens may be that users make.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// `tokens.longest`, `SKILL_REGISTRY_TOKENS_LONGEST`: how long they live at most. Those that the operator makes live
    /// as long as the operator says.
    pub longest: Option<Duration>,
}

impl Tokens {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let longest = layers.take(LONGEST, |text| match text.parse() {
            Ok(Life::For(longest)) => Ok(Some(longest)),
            Ok(Life::Never) => Ok(None),
            Err(_) if text.is_empty() => Ok(None),
            Err(_) => Err(Life::WANTED),
        })?;
        Ok(Self { longest })
    }
}
