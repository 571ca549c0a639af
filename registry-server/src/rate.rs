//! How many requests of each kind are answered in a minute, counted for every user and, of whoever shows no token, for
//! every address. Nobody shares a count with whom they cannot be told apart from: where an address is not known, or is
//! one of this machine, the connection counts (bug report 111).
//!
//! Counts are in the memory of a process: they begin anew with it, and each of several processes has its own.

mod allowances;
mod counts;
mod minute;

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;

use crate::auth::Caller;
use crate::remote::Remote;
use crate::store::users::SiteRole;
pub use allowances::{Allowance, Allowances, Kind};
use counts::{Counts, Key, What};
use minute::Minute;
pub use minute::RateLimited;

/// Who a request counts for.
#[derive(Debug, Clone, Copy)]
pub enum Asker<'a> {
    /// Whoever is there; no token was shown.
    Remote(Remote),
    /// A user, with whichever of their tokens.
    User {
        /// Their id.
        id: &'a str,
        /// Whether they administrate the registry.
        is_admin: bool,
    },
}

impl<'a> Asker<'a> {
    /// A user wherever they are, else the place; nobody for a request without a token that came over no connection.
    pub fn of(caller: &'a Caller, remote: Option<Remote>) -> Option<Self> {
        match caller {
            Caller::User(identity) => {
                let user = &identity.user;
                Some(Self::User { id: &user.id, is_admin: user.role == SiteRole::Admin })
            }
            Caller::Anonymous => remote.map(Self::Remote),
        }
    }
}

/// The limits, and how much of them was used.
#[derive(Debug)]
pub struct Rates {
    allowances: Allowances,
    counts: Counts,
    /// One for each of [`Kind::ALL`], in its order.
    limited: [AtomicU64; Kind::ALL.len()],
    refused: AtomicU64,
}

impl Rates {
    /// Nothing was used yet.
    pub fn new(allowances: Allowances) -> Self {
        Self {
            allowances,
            counts: Counts::default(),
            limited: Default::default(),
            refused: AtomicU64::new(0),
        }
    }

    /// Counts a request of `kind`, or says that it is one too many.
    pub fn take(&self, kind: Kind, asker: Asker<'_>, now: Timestamp) -> Result<(), RateLimited> {
        let allowance = self.allowances.of(kind);
        let limit = match asker {
            Asker::Remote(_) => allowance.address,
            Asker::User { is_admin: false, .. } => allowance.user,
            Asker::User { is_admin: true, .. } => allowance.admin,
        };
        if limit == 0 {
            return Ok(());
        }
        let minute = Minute::of(now);
        if self.counts.take(&Key::new(What::Asked(kind), asker), limit, minute) {
            return Ok(());
        }
        self.limited[kind as usize].fetch_add(1, Ordering::Relaxed);
        Err(minute.limited(kind.plural(), limit))
    }

    /// Whether a token that is shown from there is still looked up.
    pub fn may_show_a_token(&self, from: Remote, now: Timestamp) -> Result<(), RateLimited> {
        let (limit, minute) = (self.allowances.refused, Minute::of(now));
        let key = Key::new(What::Refused, Asker::Remote(from));
        if limit == 0 || self.counts.used(&key, minute) < limit {
            return Ok(());
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        Err(minute.limited("refused tokens", limit))
    }

    /// How many requests were one too many since this began, by what they are counted as.
    pub(crate) fn limited(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let by_kind = Kind::ALL.into_iter().zip(&self.limited).map(|(kind, count)| (kind.word(), count));
        by_kind.chain([("refused", &self.refused)]).map(|(kind, count)| (kind, count.load(Ordering::Relaxed)))
    }

    /// Counts a token from there that was not good.
    pub fn token_refused(&self, from: Remote, now: Timestamp) {
        if self.allowances.refused > 0 {
            let key = Key::new(What::Refused, Asker::Remote(from));
            self.counts.take(&key, self.allowances.refused, Minute::of(now));
        }
    }
}
