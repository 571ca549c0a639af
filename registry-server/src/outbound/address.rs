use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 that is not the public internet: IANA's registry of special-purpose addresses, and multicast (RFC 6890, 5771).
const CLOSED_4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local, and with 169.254.169.254 what clouds tell about a machine.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// All that is given out to the public is in here (RFC 4291, 2.4; IANA).
const GLOBAL_6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// And these parts of it are not: protocols (Teredo among them), and twice what books are written with.
const CLOSED_6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
/// Addresses that a gateway turns into the IPv4 address in their last bits (RFC 6052), and in their second and third
/// group (RFC 3056).
const NAT_64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
const SIX_TO_4: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Whether an address is one of the public internet, where anybody could ask instead of this registry. What stands for an
/// IPv4 address is judged as that.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !CLOSED_4.iter().any(|(first, bits)| {
            (address.to_bits() ^ first.to_bits()).checked_shr(32 - bits).unwrap_or_default() == 0
        }),
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            if is_in(address, NAT_64) {
                is_public(Ipv4Addr::from_bits(bits as u32).into())
            } else if is_in(address, SIX_TO_4) {
                is_public(Ipv4Addr::from_bits((bits >> 80) as u32).into())
            } else {
                is_in(address, GLOBAL_6) && !CLOSED_6.iter().any(|closed| is_in(address, *closed))
            }
        }
    }
}

fn is_in(address: Ipv6Addr, (first, bits): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()).checked_shr(128 - bits).unwrap_or_default() == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLOSED: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.0.1",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:a9fe:a9fe",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::8.8.8.8",
        "100::1",
        "2001::1",
        "2001:0:4136:e378::1",
        "2001:10::1",
        "2001:20::1",
        "2001:1ff::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::",
        "2002:c0a8:1::1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ffff::1",
    ];
    const PUBLIC: &[&str] = &[
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2002:808:808::1",
        "2606:4700:4700::1111",
        "3ffe::1",
    ];

    #[test]
    fn what_is_closed_and_what_is_public() {
        for (texts, wanted) in [(CLOSED, false), (PUBLIC, true)] {
            for text in texts {
                assert_eq!(is_public(text.parse().unwrap()), wanted, "{text}");
            }
        }
    }

    proptest! {
        /// However an IPv4 address is carried, it is judged as itself.
        #[test]
        fn no_spelling_opens_an_address(bits: u32, behind: u128) {
            let plain = is_public(Ipv4Addr::from_bits(bits).into());
            let carried = |first: u128| is_public(Ipv6Addr::from_bits(first).into());
            prop_assert_eq!(carried(0xffff << 32 | u128::from(bits)), plain);
            prop_assert_eq!(carried(0x0064_ff9b << 96 | u128::from(bits)), plain);
            let six_to_4 = 0x2002 << 112 | u128::from(bits) << 80 | behind & ((1 << 80) - 1);
            prop_assert_eq!(carried(six_to_4), plain);
        }
    }
}
