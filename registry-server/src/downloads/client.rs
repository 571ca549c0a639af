use std::net::IpAddr;

use skill_core::digest::Sha256;

use crate::auth::Caller;
use crate::mac;
use crate::network::of_one_customer;

/// Who counts as one client: a user, or, where nobody is known, an address. Of IPv6 that is the beginning which one
/// customer of a network is given, as all addresses in it are theirs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    User(String),
    Address(IpAddr),
}

/// The key under which the clients of one day are digested. An address is one of few: whoever had a digest of it
/// without a key could try them all. The key goes with the digests, and then nobody can.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct DayKey([u8; 32]);

impl Client {
    /// Without a user and an address it is nobody: all such clients would count as one.
    pub(crate) fn of(caller: &Caller, address: Option<IpAddr>) -> Option<Self> {
        match caller {
            Caller::User(identity) => Some(Self::User(identity.user.id.clone())),
            Caller::Anonymous => address.map(|address| Self::Address(of_one_customer(address))),
        }
    }
}

impl DayKey {
    pub(super) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) fn digest(&self, client: &Client) -> Sha256 {
        mac::of(
            &self.0,
            match client {
                Client::User(id) => format!("user {id}"),
                Client::Address(address) => format!("address {address}"),
            },
        )
    }
}

impl std::fmt::Debug for DayKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DayKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Option<Client> {
        Client::of(&Caller::Anonymous, address.parse().ok())
    }

    #[test]
    fn one_customer_is_one_client() {
        assert_eq!(client("2001:db8:1:2:3::4"), client("2001:db8:1:2:ffff::9"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.7"), client("192.0.2.7"));
        assert_ne!(client("192.0.2.7"), client("192.0.2.8"));
        assert_eq!(client("nowhere"), None);
    }

    #[test]
    fn another_day_another_digest() {
        let (client, other) = (client("192.0.2.7").unwrap(), client("192.0.2.8").unwrap());
        let (today, tomorrow) = (DayKey::new([1; 32]), DayKey::new([2; 32]));
        assert_ne!(today.digest(&client), tomorrow.digest(&client));
        assert_ne!(today.digest(&client), today.digest(&other));
        assert_ne!(today.digest(&client), Sha256::of("address 192.0.2.7"));
    }
}
