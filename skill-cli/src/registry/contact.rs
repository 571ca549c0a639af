use std::sync::Arc;

use jiff::Timestamp;
use skill_core::digest::RegistryId;
use skill_trust::{Root, RootChain, TrustedRoot};

use super::{ContactError, Pins, PinsError};
use crate::client::{Client, Endpoint, Session};

/// Which registry must be there, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectation {
    /// The id.
    pub id: RegistryId,
    /// Who names it: `skills.lock`, `pinned`, `the configuration`.
    pub named_by: &'static str,
    /// Since when, if that is known.
    pub since: Option<Timestamp>,
}

/// How to meet a registry.
pub struct Contact<'a> {
    /// The network.
    pub client: &'a Arc<Client>,
    /// What was seen before.
    pub pins: &'a Pins,
    /// Where it is reached.
    pub endpoint: Endpoint,
    /// What the lock or the configuration says; it beats what was pinned.
    pub expected: Option<Expectation>,
    /// What a project's file says. It has to be so, but it replaces neither pin nor first contact.
    pub claimed: Option<Expectation>,
    /// Whether a registry that nobody knows may be met now.
    pub may_pin: bool,
    /// Whether what is learned is kept: the pin and the root chain. A dry run keeps nothing.
    pub keeps: bool,
    /// The time.
    pub now: Timestamp,
}

/// A registry whose root was fetched and compared. The session has no token yet: whoever gives it
/// one knows by now who gets it.
#[derive(Clone)]
pub struct Met {
    /// Which registry.
    pub id: RegistryId,
    /// Its newest root.
    pub root: TrustedRoot,
    /// The root chain, version 1 first.
    pub chain: Vec<Vec<u8>>,
    /// Calls to it.
    pub session: Session,
    /// Whether it was not known before.
    pub is_new: bool,
    /// Why its root chain is not in the user's folder, where what names the registry needs no pin.
    pub unkept: Option<Arc<PinsError>>,
}

impl Contact<'_> {
    /// Fetches what the registry says it is and its root chain, compares both with what is expected
    /// and walks the chain. Nothing of the user is sent.
    pub async fn meet(self) -> Result<Met, ContactError> {
        let pinned = match self.expected {
            // What beats a pin needs none.
            Some(_) => None,
            None => self.pins.at(&self.endpoint)?,
        };
        let expected = self.expected.or(pinned.map(|pin| Expectation {
            id: pin.id,
            named_by: "pinned",
            since: Some(pin.pinned_at),
        }));
        let mut session = Session::new(Arc::clone(self.client), self.endpoint.clone());
        if expected.is_none() && !self.may_pin {
            return Err(ContactError::Unknown { url: self.endpoint.to_string() });
        }
        if expected.or(self.claimed).is_some() {
            session = session.pinned();
        }
        let (info, first) = futures_util::future::try_join(session.well_known(), session.root(1)).await?;
        let found = Root::registry_id(&first);
        let said = [expected, self.claimed].into_iter().flatten();
        if let Some(expected) = said.into_iter().find(|expected| expected.id != info.registry_id) {
            let url = self.endpoint.to_string();
            return Err(ContactError::Changed { url, expected, found: info.registry_id });
        }
        if found != info.registry_id {
            let url = self.endpoint.to_string();
            return Err(ContactError::OtherRoot { url, says: info.registry_id, found });
        }
        let (known, mut unkept) = match self.pins.chain(found) {
            Ok(known) => (known, None),
            Err(error) if self.expected.is_some() => (Vec::new(), Some(error)),
            Err(error) => return Err(error.into()),
        };
        let mut chain = vec![first];
        for number in 2..=info.root_version.min(RootChain::MAX_VERSIONS as u64) {
            chain.push(session.root(number).await?);
        }
        let root = RootChain::verify(&chain, found)?;
        if !known.is_empty() {
            root.continues(&RootChain::verify(&known, found)?)?;
        }
        if self.keeps {
            match self.pins.keep_chain(found, &chain) {
                Err(error) if self.expected.is_some() => unkept = Some(error),
                kept => kept?,
            }
            if expected.is_none() {
                self.pins.set(&self.endpoint, found, self.now)?;
            }
        }
        Ok(Met {
            id: found,
            root,
            chain,
            session: session.pinned(),
            is_new: expected.is_none(),
            unkept: unkept.map(Arc::new),
        })
    }
}
