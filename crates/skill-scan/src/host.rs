//! The host of an address as a browser reads it, compared label by label from its end.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::Host;

/// The host that the address `text` leads to; `None` if readers may disagree about it.
fn host(text: &str) -> Option<Host> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    // A browser takes it for a slash, other programs for a part of the name.
    if authority.contains('\\') {
        return None;
    }
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.find(']') {
        Some(end) if host.starts_with('[') => &host[..=end],
        _ => host.split(':').next().unwrap_or(host),
    };
    Host::parse(host.trim_end_matches('.')).ok()
}

/// A host, or a kind of them, that a rule takes for no finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// A domain and all below it.
    Domain(String),
    /// This machine and private networks.
    Local,
    /// Resolvers that everybody knows.
    Resolver,
    /// Addresses for documentation (RFC 5737).
    Documentation,
    /// A name of one label, which no public server has.
    Bare,
    /// Something to be filled in, in the place of all of the name.
    Placeholder,
}

impl Hosts {
    /// As a rule writes it.
    pub(crate) fn read(text: &str) -> Self {
        match text {
            "<local>" => Self::Local,
            "<resolver>" => Self::Resolver,
            "<documentation>" => Self::Documentation,
            "<bare>" => Self::Bare,
            "<placeholder>" => Self::Placeholder,
            domain => Self::Domain(domain.to_owned()),
        }
    }

    /// Whether the address `text` leads to one of these.
    pub(crate) fn hold(&self, text: &str) -> bool {
        if *self == Self::Placeholder {
            return is_placeholder(text);
        }
        match (self, host(text)) {
            (Self::Domain(domain), Some(Host::Domain(name))) => is_below(&name, domain),
            (Self::Local, Some(Host::Domain(name))) => {
                is_below(&name, "localhost") || name == "host.docker.internal"
            }
            (Self::Local, Some(Host::Ipv4(address))) => is_local(address),
            (Self::Local, Some(Host::Ipv6(address))) => is_local_6(address),
            (Self::Resolver, Some(Host::Ipv4(address))) => {
                matches!(address.octets(), [1, 1, 1, 1] | [1, 0, 0, 1] | [8, 8, 8 | 4, 8 | 4])
            }
            (Self::Documentation, Some(Host::Ipv4(address))) => address.is_documentation(),
            (Self::Bare, Some(Host::Domain(name))) => !name.contains('.'),
            _ => false,
        }
    }
}

fn is_below(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn is_local(address: Ipv4Addr) -> bool {
    let shared = matches!(address.octets(), [100, 64..=127, ..]);
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_broadcast()
        || shared
}

fn is_local_6(address: Ipv6Addr) -> bool {
    let mapped = address.to_ipv4_mapped();
    mapped.is_some_and(is_local)
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
}

/// `<your-host>`, `${GATEWAY}`, `...`: all of the host, and no other one as a default in it.
fn is_placeholder(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest);
    host == "..."
        || host == "…"
        || (host.starts_with(['<', '$', '{', '[']) && !host.contains(['.', '@', '#', '?', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads_to(text: &str) -> String {
        host(text).map_or_else(|| "-".to_owned(), |host| host.to_string())
    }

    #[test]
    fn where_an_address_leads() {
        for (text, host) in [
            ("https://User@Example.COM.:8080/x?y#z", "example.com"),
            ("git+https://a.example.com/x", "a.example.com"),
            ("a.example.com:80", "a.example.com"),
            ("https://a.com@evil.dev", "evil.dev"),
            ("https://evil.dev#@a.com", "evil.dev"),
            ("https://evil.dev?a.com", "evil.dev"),
            (r"https://a.com\@evil.dev", "-"),
            ("http://0x2d090107/a", "45.9.1.7"),
            ("http://755564807/", "45.9.1.7"),
            ("http://010.0.0.1/", "8.0.0.1"),
            ("http://[2001:DB8::1]:80/", "[2001:db8::1]"),
            ("http://127.0.0.1.evil.dev/", "127.0.0.1.evil.dev"),
        ] {
            assert_eq!(leads_to(text), host, "{text}");
        }
    }

    #[test]
    fn kinds_of_hosts() {
        let holds = |kind: &str, text: &str| Hosts::read(kind).hold(text);
        assert!(holds("<local>", "http://127.0.0.1:8080/") && holds("<local>", "http://[::1]/"));
        assert!(
            holds("<local>", "http://[::ffff:127.0.0.1]/") && !holds("<local>", "http://[::ffff:45.9.1.7]/")
        );
        assert!(holds("<local>", "10.1.2.3") && holds("<local>", "http://a.localhost"));
        assert!(
            !holds("<local>", "http://10.45.9.1.7.evil.dev/")
                && !holds("<local>", "http://localhost.evil.dev")
        );
        assert!(holds("<bare>", "http://litellm:4000") && !holds("<bare>", "http://litellm.evil.dev"));
        assert!(
            holds("<placeholder>", "https://<your-host>/v1") && holds("<placeholder>", "https://${GATEWAY}")
        );
        for text in [
            "https://${A}.evil.dev",
            "https://${A:-evil.dev}/",
            "https://<x>@evil.dev/",
            "https://evil.dev/<x>",
        ] {
            assert!(!holds("<placeholder>", text), "{text}");
        }
        assert!(holds("<resolver>", "8.8.4.4") && !holds("<resolver>", "8.8.8.8.evil.dev"));
    }
}
