//! Where a request comes from: the other end of its connection or, where that is a proxy that the operator trusts, who
//! the proxy says it is.

mod forwarded;

use std::net::IpAddr;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use http::{Extensions, HeaderMap};

use crate::network::Network;
pub use forwarded::Forwarded;

/// A connection, by a number that no other connection of this process has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectionId(u64);

impl ConnectionId {
    /// The number of a new connection.
    pub fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The number as bytes.
    pub const fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }
}

/// The other end of a connection: an extension of every request that came over one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// The connection.
    pub connection: ConnectionId,
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remote {
    /// The client's address, as IPv4 where it is one; `None` if a trusted proxy does not tell it.
    pub address: Option<IpAddr>,
    /// The connection that the request came over.
    pub connection: ConnectionId,
}

/// The proxies that are believed (`server.trusted_proxies`, `server.forwarded`).
#[derive(Debug)]
pub struct Proxies {
    trusted: Vec<Network>,
    header: Forwarded,
    told: Once,
}

impl Proxies {
    /// Proxies in these networks say in this header whom they ask for.
    pub const fn new(trusted: Vec<Network>, header: Forwarded) -> Self {
        Self { trusted, header, told: Once::new() }
    }

    /// Where a request comes from; `None` if it came over no connection.
    ///
    /// Headers of a peer that is not trusted say nothing. Of a trusted one's, the last address counts that is no trusted
    /// proxy: what stands before it was written by whoever asked. If all are trusted the first one asked.
    pub fn remote(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<Remote> {
        let peer = extensions.get::<Peer>()?;
        let address = peer.address.to_canonical();
        let address = if self.trusts(address) {
            let client = self.header.client(headers, |hop| self.trusts(hop));
            if client.is_none() {
                self.tell(address, "a trusted proxy does not say in this header whom it asks for");
            }
            client
        } else {
            if self.trusted.is_empty() && headers.contains_key(self.header.name()) {
                self.tell(address, "no proxy is trusted: whoever comes through one counts as the proxy");
            }
            Some(address)
        };
        Some(Remote { address, connection: peer.connection })
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(address))
    }

    /// Says once what an operator has to know; a line for each request would hide the rest of the log.
    fn tell(&self, peer: IpAddr, what: &'static str) {
        self.told.call_once(|| {
            let header = self.header.name();
            tracing::warn!(%peer, %header, "{what} (server.trusted_proxies, server.forwarded)");
        });
    }
}

#[cfg(test)]
mod tests {
    use http::Request;
    use proptest::prelude::*;

    use super::*;

    fn of(proxies: &Proxies, request: &Request<()>) -> Option<Remote> {
        proxies.remote(request.extensions(), request.headers())
    }

    /// Where `peer` comes from with these lines of the header, behind proxies in 10.0.0.0/8 and fd00::/8.
    fn remote(header: Forwarded, peer: &str, lines: &[&str]) -> Option<IpAddr> {
        let proxies = Proxies::new(Network::list("10.0.0.0/8, fd00::/8").unwrap(), header);
        let mut request = Request::builder();
        for line in lines {
            request = request.header(header.name(), *line);
        }
        let mut request = request.body(()).unwrap();
        let peer = Peer { address: peer.parse().unwrap(), connection: ConnectionId::next() };
        request.extensions_mut().insert(peer);
        of(&proxies, &request).unwrap().address
    }

    fn shown(header: Forwarded, cases: &[(&str, &[&str])]) -> String {
        let line = |(peer, lines): &(&str, &[&str])| {
            let from = remote(header, peer, lines).map_or("unknown".to_owned(), |from| from.to_string());
            format!("{peer} says {lines:?}: {from}")
        };
        cases.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn who_comes_through_proxies() {
        let cases: &[(&str, &[&str])] = &[
            ("10.0.0.1", &["192.0.2.7"]),
            ("::ffff:10.0.0.1", &["::ffff:192.0.2.7"]),
            ("fd00::1", &["2001:db8::7"]),
            ("10.0.0.1", &["192.0.2.7:4711"]),
            ("10.0.0.1", &["[2001:db8::7]:4711"]),
            ("10.0.0.1", &["[2001:db8::7]"]),
            ("10.0.0.1", &["198.51.100.9, 192.0.2.7"]),
            ("10.0.0.1", &["198.51.100.9", "192.0.2.7"]),
            ("10.0.0.1", &["192.0.2.7, 10.0.0.2"]),
            ("10.0.0.1", &["192.0.2.7,10.0.0.3 ,\t10.0.0.2"]),
            ("10.0.0.1", &["10.0.0.9, 10.0.0.2"]),
            ("10.0.0.1", &["10.0.0.9, 192.0.2.7, 10.0.0.2"]),
            ("10.0.0.1", &["unknown, 192.0.2.7"]),
        ];
        insta::assert_snapshot!(shown(Forwarded::XForwardedFor, cases), @r#"
        10.0.0.1 says ["192.0.2.7"]: 192.0.2.7
        ::ffff:10.0.0.1 says ["::ffff:192.0.2.7"]: 192.0.2.7
        fd00::1 says ["2001:db8::7"]: 2001:db8::7
        10.0.0.1 says ["192.0.2.7:4711"]: 192.0.2.7
        10.0.0.1 says ["[2001:db8::7]:4711"]: 2001:db8::7
        10.0.0.1 says ["[2001:db8::7]"]: 2001:db8::7
        10.0.0.1 says ["198.51.100.9, 192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["198.51.100.9", "192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["192.0.2.7, 10.0.0.2"]: 192.0.2.7
        10.0.0.1 says ["192.0.2.7,10.0.0.3 ,\t10.0.0.2"]: 192.0.2.7
        10.0.0.1 says ["10.0.0.9, 10.0.0.2"]: 10.0.0.9
        10.0.0.1 says ["10.0.0.9, 192.0.2.7, 10.0.0.2"]: 192.0.2.7
        10.0.0.1 says ["unknown, 192.0.2.7"]: 192.0.2.7
        "#);
    }

    #[test]
    fn a_proxy_that_does_not_tell() {
        let cases: &[(&str, &[&str])] = &[
            ("10.0.0.1", &[]),
            ("10.0.0.1", &[""]),
            ("10.0.0.1", &["192.0.2.7, unknown"]),
            ("10.0.0.1", &["192.0.2.7, "]),
            ("10.0.0.1", &["192.0.2.7, unknown, 10.0.0.2"]),
            ("10.0.0.1", &["192.0.2"]),
            ("10.0.0.1", &["192.0.2.7 192.0.2.8"]),
            ("10.0.0.1", &["[192.0.2.7]"]),
            ("10.0.0.1", &["2001:db8::7]"]),
            ("10.0.0.1", &["[2001:db8::7]x"]),
            ("10.0.0.1", &["192.0.2.7:port"]),
            ("10.0.0.1", &["for=192.0.2.7"]),
        ];
        insta::assert_snapshot!(shown(Forwarded::XForwardedFor, cases), @r#"
        10.0.0.1 says []: unknown
        10.0.0.1 says [""]: unknown
        10.0.0.1 says ["192.0.2.7, unknown"]: unknown
        10.0.0.1 says ["192.0.2.7, "]: unknown
        10.0.0.1 says ["192.0.2.7, unknown, 10.0.0.2"]: unknown
        10.0.0.1 says ["192.0.2"]: unknown
        10.0.0.1 says ["192.0.2.7 192.0.2.8"]: unknown
        10.0.0.1 says ["[192.0.2.7]"]: unknown
        10.0.0.1 says ["2001:db8::7]"]: unknown
        10.0.0.1 says ["[2001:db8::7]x"]: unknown
        10.0.0.1 says ["192.0.2.7:port"]: unknown
        10.0.0.1 says ["for=192.0.2.7"]: unknown
        "#);
    }

    #[test]
    fn who_comes_through_proxies_that_speak_rfc_7239() {
        let cases: &[(&str, &[&str])] = &[
            ("10.0.0.1", &["for=192.0.2.7"]),
            ("10.0.0.1", &["For=\"192.0.2.7:4711\";proto=http;by=203.0.113.43"]),
            ("10.0.0.1", &["proto=http ; for = 192.0.2.7"]),
            ("10.0.0.1", &["for=\"[2001:db8:cafe::17]:4711\""]),
            ("10.0.0.1", &["for=198.51.100.9, for=192.0.2.7, for=10.0.0.2"]),
            ("10.0.0.1", &["for=198.51.100.9", "for=192.0.2.7"]),
            ("10.0.0.1", &["for=192.0.2.7;host=\"a,for=10.0.0.9\""]),
            ("10.0.0.1", &["for=192.0.2.7;host=\"a\\\",for=10.0.0.9\""]),
            ("10.0.0.1", &["host=\"a\", for=192.0.2.7"]),
            ("10.0.0.1", &["for=10.0.0.9, for=10.0.0.2"]),
            ("10.0.0.1", &["for=192.0.2.7, for=_hidden"]),
            ("10.0.0.1", &["for=192.0.2.7, for=unknown"]),
            ("10.0.0.1", &["for=192.0.2.7, proto=http"]),
            ("10.0.0.1", &["for=192.0.2.7;for=10.0.0.9"]),
            ("10.0.0.1", &["for=192.0.2.7;host=\"a"]),
            ("10.0.0.1", &["for=\"192.0.2.7"]),
            ("10.0.0.1", &["192.0.2.7"]),
            ("10.0.0.1", &[]),
        ];
        insta::assert_snapshot!(shown(Forwarded::Rfc7239, cases), @r#"
        10.0.0.1 says ["for=192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["For=\"192.0.2.7:4711\";proto=http;by=203.0.113.43"]: 192.0.2.7
        10.0.0.1 says ["proto=http ; for = 192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["for=\"[2001:db8:cafe::17]:4711\""]: 2001:db8:cafe::17
        10.0.0.1 says ["for=198.51.100.9, for=192.0.2.7, for=10.0.0.2"]: 192.0.2.7
        10.0.0.1 says ["for=198.51.100.9", "for=192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["for=192.0.2.7;host=\"a,for=10.0.0.9\""]: 192.0.2.7
        10.0.0.1 says ["for=192.0.2.7;host=\"a\\\",for=10.0.0.9\""]: 192.0.2.7
        10.0.0.1 says ["host=\"a\", for=192.0.2.7"]: 192.0.2.7
        10.0.0.1 says ["for=10.0.0.9, for=10.0.0.2"]: 10.0.0.9
        10.0.0.1 says ["for=192.0.2.7, for=_hidden"]: unknown
        10.0.0.1 says ["for=192.0.2.7, for=unknown"]: unknown
        10.0.0.1 says ["for=192.0.2.7, proto=http"]: unknown
        10.0.0.1 says ["for=192.0.2.7;for=10.0.0.9"]: unknown
        10.0.0.1 says ["for=192.0.2.7;host=\"a"]: unknown
        10.0.0.1 says ["for=\"192.0.2.7"]: unknown
        10.0.0.1 says ["192.0.2.7"]: unknown
        10.0.0.1 says []: unknown
        "#);
    }

    /// Bug report 111, the other half: whoever is no proxy of ours may write what they like.
    #[test]
    fn headers_of_others_say_nothing() {
        for lines in [&["192.0.2.7"][..], &["10.0.0.1"], &["for=192.0.2.7"], &["unknown"]] {
            for header in [Forwarded::XForwardedFor, Forwarded::Rfc7239] {
                assert_eq!(remote(header, "203.0.113.9", lines), "203.0.113.9".parse().ok());
                assert_eq!(remote(header, "::ffff:203.0.113.9", lines), "203.0.113.9".parse().ok());
            }
        }
        // And whichever header was not chosen says nothing at all.
        let proxies = Proxies::new(Network::list("10.0.0.0/8").unwrap(), Forwarded::Rfc7239);
        let mut request = Request::builder().header("x-forwarded-for", "192.0.2.7").body(()).unwrap();
        let peer = Peer { address: "10.0.0.1".parse().unwrap(), connection: ConnectionId::next() };
        request.extensions_mut().insert(peer);
        assert_eq!(of(&proxies, &request), Some(Remote { address: None, connection: peer.connection }));
    }

    #[test]
    fn no_connection_is_no_remote() {
        assert_eq!(of(&Proxies::new(Vec::new(), Forwarded::default()), &Request::new(())), None);
    }

    fn written(header: Forwarded, address: IpAddr) -> String {
        match (header, address) {
            (Forwarded::XForwardedFor, _) => address.to_string(),
            (Forwarded::Rfc7239, IpAddr::V4(address)) => format!("for={address}"),
            (Forwarded::Rfc7239, IpAddr::V6(address)) => format!("for=\"[{address}]\""),
        }
    }

    fn outside() -> impl Strategy<Value = IpAddr> {
        let proxies = Network::list("10.0.0.0/8, fd00::/8").unwrap();
        any::<IpAddr>().prop_filter("a client", move |a| !proxies.iter().any(|n| n.contains(*a)))
    }

    proptest! {
        /// Nothing that a client writes before the address that the first trusted proxy adds makes it another client.
        #[test]
        fn no_client_chooses_its_address(
            lies in proptest::collection::vec("[ -~]{0,40}", 0..4),
            client in outside(),
            hops in proptest::collection::vec(any::<[u8; 3]>(), 0..4),
        ) {
            for header in [Forwarded::XForwardedFor, Forwarded::Rfc7239] {
                let hops = hops.iter().map(|[b, c, d]| IpAddr::from([10, *b, *c, *d]));
                let added: Vec<String> =
                    std::iter::once(client).chain(hops).map(|hop| written(header, hop)).collect();
                let added = added.join(", ");
                let mut lines: Vec<&str> = lies.iter().map(String::as_str).collect();
                // A proxy adds a line, or goes on with the last one, which may have left a quote open.
                let continued = lines.last().map(|last| format!("{last}, {added}"));
                if let Some(continued) = &continued {
                    let before = &lines[..lines.len() - 1];
                    let lines: Vec<&str> = before.iter().copied().chain([continued.as_str()]).collect();
                    let found = remote(header, "10.0.0.1", &lines);
                    prop_assert_eq!(found, Some(client.to_canonical()), "{:?}", lines);
                }
                lines.push(&added);
                prop_assert_eq!(remote(header, "10.0.0.1", &lines), Some(client.to_canonical()));
            }
        }

        #[test]
        fn no_header_is_too_strange(lines in proptest::collection::vec("[ -~]{0,60}", 0..4)) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            remote(Forwarded::XForwardedFor, "10.0.0.1", &lines);
            remote(Forwarded::Rfc7239, "10.0.0.1", &lines);
        }
    }
}
