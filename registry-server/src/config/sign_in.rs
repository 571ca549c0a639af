use std::time::Duration;

use super::ConfigError;
use super::layers::{Key, Layers};

const SESSION_DAYS: Key = Key { name: "sign_in.session_days", default: "14" };
const PASSWORD: Key = Key { name: "sign_in.password", default: "on" };
pub(super) const KEYS: [Key; 2] = [PASSWORD, SESSION_DAYS];

/// How browsers are signed in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// `sign_in.password`, `SKILL_REGISTRY_SIGN_IN_PASSWORD`: whether passwords sign in, `on` or `off`.
    pub password: bool,
    /// `sign_in.session_days`, `SKILL_REGISTRY_SIGN_IN_SESSION_DAYS`: how many days a session lives at most.
    pub session: Duration,
}

impl SignIn {
    pub(super) fn read(layers: &mut Layers) -> Result<Self, ConfigError> {
        let password = layers.take(PASSWORD, |text| match text {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err("on or off"),
        })?;
        let days: u64 = layers.take(SESSION_DAYS, |text| {
            text.parse().ok().filter(|days| (1..=365).contains(days)).ok_or("a number of days from 1 to 365")
        })?;
        Ok(Self { password, session: Duration::from_hours(days * 24) })
    }
}
