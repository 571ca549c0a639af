use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::{HeaderMap, HeaderName, header};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The header in which proxies say whom they ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Forwarded {
    /// `X-Forwarded-For`: addresses with commas between, each proxy adds the one that asked it.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239): the same in pairs, `for=192.0.2.7;proto=https`.
    Rfc7239,
}

impl Forwarded {
    /// The name of the header.
    pub const fn name(self) -> HeaderName {
        match self {
            Self::XForwardedFor => X_FORWARDED_FOR,
            Self::Rfc7239 => header::FORWARDED,
        }
    }

    /// The last hop that is not `trusted`, or the first one if all are. `None` if there is none, or if the hops behind
    /// it are not all readable.
    pub(super) fn client(self, headers: &HeaderMap, trusted: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
        let mut client = None;
        let mut hops = 0;
        let mut pass = |hop: Option<IpAddr>| {
            hops += 1;
            if hops == 1 || !hop.is_some_and(&trusted) {
                client = hop;
            }
        };
        for line in headers.get_all(self.name()) {
            // A line that is no text hides what it says, and not what the next one adds.
            let line = line.to_str().unwrap_or("?");
            match self {
                Self::XForwardedFor => line.split(',').for_each(|hop| pass(address(hop))),
                Self::Rfc7239 => {
                    for element in parts(line, ',') {
                        pass(element.and_then(asked_for));
                    }
                }
            }
        }
        client
    }
}

/// The address of a hop, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim_matches([' ', '\t']);
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    text.parse().ok().or_else(bracketed).or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// What an element of RFC 7239 says behind `for`; nothing if it says it twice.
fn asked_for(element: &str) -> Option<IpAddr> {
    let mut found = None;
    let mut times = 0;
    for pair in parts(element, ';') {
        let Some((name, value)) = pair.and_then(|pair| pair.split_once('=')) else { continue };
        if name.trim().eq_ignore_ascii_case("for") {
            times += 1;
            let value = value.trim();
            found = address(value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value));
        }
    }
    found.filter(|_| times == 1)
}

/// The parts of `text` between `separator`s that stand outside quotes. It is read from its end, which is what the last
/// proxy wrote: a quote that a client left open spoils what stands before it, and nothing behind. Such a part is `None`.
fn parts(text: &str, separator: char) -> Vec<Option<&str>> {
    let (mut end, mut quoted, mut found) = (text.len(), false, Vec::new());
    for (at, character) in text.char_indices().rev() {
        match character {
            '"' if !(quoted && is_escaped(text, at)) => quoted = !quoted,
            _ if character == separator && !quoted => {
                found.push(text.get(at + 1..end));
                end = at;
            }
            _ => {}
        }
    }
    found.push(text.get(..end).filter(|_| !quoted));
    found.reverse();
    found
}

/// Whether what stands at `at` has an odd number of backslashes before it.
fn is_escaped(text: &str, at: usize) -> bool {
    text.bytes().take(at).rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}
