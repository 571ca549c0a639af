//! Networks, as settings name them.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// All addresses that begin alike: `10.0.0.0/8`, `2001:db8::/32`, or a single one. An IPv4 address that is written as
/// IPv6 (`::ffff:10.0.0.1`) is that IPv4 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    bits: u8,
}

/// A text that names no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// There is no address before the slash.
    #[error("no address")]
    Address,
    /// What stands behind the slash is no number of bits that such an address has.
    #[error("no number of bits")]
    Bits,
    /// The address is inside the network, not at its beginning: it is unclear which of the two was meant.
    #[error("the address has bits behind the {0} that are shared")]
    Inside(u8),
}

impl Network {
    /// Whether `address` is one of them.
    pub fn contains(self, address: IpAddr) -> bool {
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(other)) => {
                shared(32, self.bits) & u128::from(first.to_bits() ^ other.to_bits()) == 0
            }
            (IpAddr::V6(first), IpAddr::V6(other)) => {
                shared(128, self.bits) & (first.to_bits() ^ other.to_bits()) == 0
            }
            _ => false,
        }
    }

    /// Reads networks with commas between; an empty text is none.
    pub fn list(text: &str) -> Result<Vec<Self>, NetworkError> {
        if text.trim().is_empty() {
            return Ok(Vec::new());
        }
        text.split(',').map(str::parse).collect()
    }
}

/// Ones where addresses of `width` bits have to agree whose first `bits` do.
const fn shared(width: u8, bits: u8) -> u128 {
    match (1_u128).checked_shl((width - bits) as u32) {
        Some(behind) => !(behind - 1),
        None => 0,
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let (address, bits) = match text.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text.trim(), None),
        };
        let written: IpAddr = address.parse().map_err(|_| NetworkError::Address)?;
        let width = if written.is_ipv4() { 32 } else { 128 };
        let bits: u8 = match bits {
            None => width,
            // `u8` itself would take `+8`.
            Some(bits) if bits.bytes().all(|b| b.is_ascii_digit()) => {
                bits.parse().ok().filter(|bits| *bits <= width).ok_or(NetworkError::Bits)?
            }
            Some(_) => return Err(NetworkError::Bits),
        };
        let first = written.to_canonical();
        let bits = match (written, first) {
            (IpAddr::V6(_), IpAddr::V4(_)) => bits.checked_sub(96).ok_or(NetworkError::Inside(bits))?,
            _ => bits,
        };
        let begins = match first {
            IpAddr::V4(first) => !shared(32, bits) & u128::from(first.to_bits()) == 0,
            IpAddr::V6(first) => !shared(128, bits) & first.to_bits() == 0,
        };
        if begins { Ok(Self { first, bits }) } else { Err(NetworkError::Inside(bits)) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// What one customer of a network is given, by any address in it: an IPv4 address, or the first 64 bits of an IPv6
/// address (RFC 6177), as all addresses that begin so are theirs.
pub(crate) fn of_one_customer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_a_network() {
        let read = |text: &str| match text.parse::<Network>() {
            Ok(network) => network.to_string(),
            Err(error) => error.to_string(),
        };
        let texts = [
            "10.0.0.0/8",
            " 192.0.2.7 ",
            "0.0.0.0/0",
            "2001:db8::/32",
            "::1",
            "::ffff:10.0.0.0/104",
            "::ffff:10.0.0.1",
            "10.0.0.1/8",
            "2001:db8::1/32",
            "::ffff:10.0.0.0/90",
            "10.0.0.0/33",
            "10.0.0.0/+8",
            "10.0.0.0/",
            "10.0.0.0/255.0.0.0",
            "10.0.0",
            "proxy.example",
            "",
        ];
        let lines: Vec<String> = texts.iter().map(|text| format!("{text:?}: {}", read(text))).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        "10.0.0.0/8": 10.0.0.0/8
        " 192.0.2.7 ": 192.0.2.7/32
        "0.0.0.0/0": 0.0.0.0/0
        "2001:db8::/32": 2001:db8::/32
        "::1": ::1/128
        "::ffff:10.0.0.0/104": 10.0.0.0/8
        "::ffff:10.0.0.1": 10.0.0.1/32
        "10.0.0.1/8": the address has bits behind the 8 that are shared
        "2001:db8::1/32": the address has bits behind the 32 that are shared
        "::ffff:10.0.0.0/90": the address has bits behind the 90 that are shared
        "10.0.0.0/33": no number of bits
        "10.0.0.0/+8": no number of bits
        "10.0.0.0/": no number of bits
        "10.0.0.0/255.0.0.0": no number of bits
        "10.0.0": no address
        "proxy.example": no address
        "": no address
        "#);
    }

    #[test]
    fn lists_have_commas() {
        let list = |text| Network::list(text).map(|list| list.iter().map(Network::to_string).collect());
        assert_eq!(list(""), Ok(vec![]));
        assert_eq!(list("10.0.0.0/8, ::1"), Ok(vec!["10.0.0.0/8".to_owned(), "::1/128".to_owned()]));
        assert_eq!(list("10.0.0.0/8,"), Err(NetworkError::Address));
    }

    fn bits_of(address: IpAddr) -> String {
        match address {
            IpAddr::V4(address) => format!("{:032b}", address.to_bits()),
            IpAddr::V6(address) => format!("{:0128b}", address.to_bits()),
        }
    }

    proptest! {
        /// A network holds the addresses whose digits begin as its own do, and no others.
        #[test]
        fn holds_what_begins_alike(first: IpAddr, other: IpAddr, bits in 0..=128_u8, flipped in 0..128_u32) {
            let first = first.to_canonical();
            let width = if first.is_ipv4() { 32 } else { 128 };
            let bits = bits.min(width);
            let start = match first {
                IpAddr::V4(first) => {
                    IpAddr::V4((first.to_bits() & shared(32, bits) as u32).into())
                }
                IpAddr::V6(first) => IpAddr::V6((first.to_bits() & shared(128, bits)).into()),
            };
            let network: Network = format!("{start}/{bits}").parse().unwrap();
            let near = match first {
                IpAddr::V4(first) => IpAddr::V4((first.to_bits() ^ 1 << (flipped % 32)).into()),
                IpAddr::V6(first) => IpAddr::V6((first.to_bits() ^ 1 << flipped).into()),
            };
            for address in [first, other, near] {
                let (ours, theirs) = (bits_of(start), bits_of(address.to_canonical()));
                let alike = ours.len() == theirs.len() && ours[..bits.into()] == theirs[..bits.into()];
                prop_assert_eq!(network.contains(address), alike, "{} {}", network, address);
            }
            prop_assert_eq!(network.to_string().parse::<Network>().unwrap(), network);
        }
    }
}
