use std::net::IpAddr;
use std::time::Duration;

use super::SignInError;
use crate::app::App;
use crate::network::of_one_customer;
use crate::problem::ApiError;
use crate::store::guesses::{self, Guesses};
use crate::store::{QuietTx, StoreError};

/// Wrong guesses at a name from one network that cost no time.
const FREE: u64 = 4;
/// What the next one costs; each further one costs twice as much.
const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_mins(15);
/// Guesses at one name, from wherever, within [`WINDOW`].
const AT_A_NAME: u64 = 50;
/// Guesses from one network, at whatever names, within it.
const FROM_A_NETWORK: u64 = 100;
const WINDOW: Duration = Duration::from_hours(1);

/// Who guesses at what. What is kept of both are codes under the key of the pages.
///
/// A name that nobody has is counted like one that somebody has. However many guess, a link still signs in.
#[derive(Debug)]
pub(super) struct Guesser {
    /// At this name from this network: the network's own guesses slow it down, and nobody else's.
    here: String,
    name: String,
    /// `None`: whoever comes through a proxy on this machine, or from nowhere, shares a count with nobody.
    network: Option<String>,
}

impl Guesser {
    /// Somebody at an address who guesses at the `secret` of a name.
    pub(super) fn at(app: &App, secret: &str, name: &str, address: Option<IpAddr>) -> Self {
        let key = |what: &str, who: &str| app.web_key().of_guesser(&format!("{secret} {what}"), who);
        let network = address.map(of_one_customer);
        let from = network.map(|network| network.to_string()).unwrap_or_default();
        let shared = network.filter(|network| !network.is_loopback());
        Self {
            here: key("here", &format!("{name}\0{from}")),
            name: key("name", name),
            network: shared.map(|_| key("network", &from)),
        }
    }

    /// Counts a guess before it is known whether it is right, so that those who guess at once are counted one after the
    /// other; or says from when on the next one is looked at. One that is not looked at is not counted.
    pub(super) async fn count(&self, tx: &mut QuietTx) -> Result<(), SignInError> {
        let now = tx.now();
        let before = guesses::lock(tx.conn(), &self.here, now).await?;
        if before.until > now {
            return Err(SignInError::Slow { until: before.until });
        }
        let is_old = now.duration_since(before.at).unsigned_abs() >= WINDOW;
        let failures = if is_old { 1 } else { before.failures + 1 };
        let until = now.checked_add(wait(failures)).map_err(ApiError::internal)?;
        guesses::set(tx.conn(), &self.here, Guesses { failures, until, at: now }).await?;
        let (at_name, until) = guesses::count(tx.conn(), &self.name, now, WINDOW).await?;
        if at_name > AT_A_NAME {
            return Err(SignInError::Closed { until });
        }
        if let Some(network) = &self.network {
            let (from_network, until) = guesses::count(tx.conn(), network, now, WINDOW).await?;
            if from_network > FROM_A_NETWORK {
                return Err(SignInError::Slow { until });
            }
        }
        Ok(())
    }

    /// The guess was right.
    pub(super) async fn right(&self, tx: &mut QuietTx) -> Result<(), StoreError> {
        guesses::clear(tx.conn(), &self.here).await?;
        guesses::right(tx.conn(), &self.name).await?;
        if let Some(network) = &self.network {
            guesses::right(tx.conn(), network).await?;
        }
        Ok(())
    }
}

/// What so many wrong guesses cost before the next one.
fn wait(failures: u64) -> Duration {
    if failures <= FREE {
        return Duration::ZERO;
    }
    let doubled = u32::try_from(failures - FREE - 1).ok().and_then(|times| 2_u32.checked_pow(times));
    doubled
        .and_then(|times| FIRST_WAIT.checked_mul(times))
        .map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_costs_twice_as_much() {
        let waits: Vec<u64> = [1, 4, 5, 6, 7, 12, 13, 14, 50, u64::MAX].map(|n| wait(n).as_secs()).into();
        assert_eq!(waits, [0, 0, 2, 4, 8, 256, 512, 900, 900, 900]);
    }
}
