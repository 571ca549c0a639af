use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

/// Scheme, host and port: what a token belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    scheme: String,
    host: String,
    port: u16,
    loopback: bool,
}

impl Origin {
    /// The origin of an `http` or `https` URL; none for any other.
    pub fn of(url: &Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let loopback = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => IpAddr::V4(address).is_loopback(),
            Host::Ipv6(address) => IpAddr::V6(address).is_loopback(),
        };
        Some(Self {
            scheme: url.scheme().to_owned(),
            host: url.host_str()?.to_owned(),
            port: url.port_or_known_default()?,
            loopback,
        })
    }

    /// Whether it is this machine.
    pub const fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// Whether what is sent there can be read on the way.
    pub fn is_plain(&self) -> bool {
        self.scheme == "http"
    }

    /// The host, an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = if self.is_plain() { 80 } else { 443 };
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.port == default { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

/// Where a registry is reached: an `http` or `https` URL, with a path if it lives below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    base: Url,
    origin: Origin,
}

/// A text that is no address of a registry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Not a URL at all.
    #[error("`{text}` does not read as a URL")]
    Unreadable {
        /// What was read.
        text: String,
    },
    /// A scheme that no registry speaks.
    #[error("a registry is reached by https or http, `{scheme}` is neither")]
    Scheme {
        /// The scheme that was read.
        scheme: String,
    },
    /// A user, password, query or fragment, which is never kept.
    #[error("the URL of a registry has no {part}")]
    Part {
        /// Which part is too much.
        part: &'static str,
    },
}

impl EndpointError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        "usage"
    }
}

impl Endpoint {
    /// Reads an address. `https://h` and `https://h/` are the same one.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let unreadable = || EndpointError::Unreadable { text: text.to_owned() };
        let mut base = Url::parse(text).map_err(|_| unreadable())?;
        let part = match &base {
            url if !url.username().is_empty() || url.password().is_some() => Some("user or password"),
            url if url.query().is_some() => Some("query"),
            url if url.fragment().is_some() => Some("fragment"),
            _ => None,
        };
        let scheme = EndpointError::Scheme { scheme: base.scheme().to_owned() };
        if let Some(part) = part {
            return Err(EndpointError::Part { part });
        }
        if !matches!(base.scheme(), "http" | "https") {
            return Err(scheme);
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let origin = Origin::of(&base).ok_or_else(unreadable)?;
        Ok(Self { base, origin })
    }

    /// The origin that tokens and pins go by.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// A URL below the base; each segment is encoded, so that none can leave its place.
    pub fn join(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Whether `http` may be spoken without the registry being pinned.
    pub fn is_guarded(&self) -> bool {
        !self.origin.is_plain() || self.origin.is_loopback()
    }
}

/// Without the closing slash, as people write it and as locks and pins keep it.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.base.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        for text in ["https://H.example", "https://h.example/", "https://h.example:443"] {
            assert_eq!(Endpoint::parse(text).unwrap().to_string(), "https://h.example", "{text}");
        }
        assert_eq!(Endpoint::parse("http://127.0.0.1:80/a").unwrap().to_string(), "http://127.0.0.1/a");
    }

    #[test]
    fn a_base_path_is_kept_and_segments_stay_in_their_place() {
        let endpoint = Endpoint::parse("https://h.example/prefix").unwrap();
        assert_eq!(endpoint.join(&["index", "a", "b"]).as_str(), "https://h.example/prefix/index/a/b");
        assert_eq!(endpoint.join(&["x/../y"]).as_str(), "https://h.example/prefix/x%2F..%2Fy");
    }

    #[test]
    fn what_is_no_address() {
        for text in
            ["h.example", "git://h", "https://u@h", "https://u:p@h", "https://h/?q", "https://h/#f", ""]
        {
            assert!(Endpoint::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn loopback_is_loopback_only() {
        for (text, guarded) in [
            ("http://127.0.0.1:9", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:9", true),
            ("http://localhost", true),
            ("https://h.example", true),
            ("http://h.example", false),
            ("http://localhost.example", false),
            // A resolver may send these anywhere.
            ("http://a.localhost", false),
            ("http://localhost.", false),
            ("http://10.0.0.1", false),
            ("http://127.0.0.1.example", false),
        ] {
            assert_eq!(Endpoint::parse(text).unwrap().is_guarded(), guarded, "{text}");
        }
    }
}
