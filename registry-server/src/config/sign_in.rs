use std::time::Duration;

use super::ConfigError;
use super::layers::{Key, Layers};

const SESSION_DAYS: Key = Key { name: "sign_in.session_days", default: "14" };
pub(super) const KEYS: [Key; 1] = [SESSION_DAYS];

/// How browsers are signed in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// `sign_in.session_days`, `SKILL_REGISTRY_SIGN_IN_SESSION_DAYS`: how many days a session lives at most.
    pub session: Duration,
}

impl SignIn {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let days: u64 = layers.take(SESSION_DAYS, |text| {
            text.parse().ok().filter(|days| (1..=365).contains(days)).ok_or("a number of days from 1 to 365")
        })?;
        Ok(Self { session: Duration::from_hours(days * 24) })
    }
}
