//! Requests that this registry sends to others, to addresses that users chose. Nobody gets it to ask what stands behind
//! it: a name is resolved once, every address has to be one of the public internet, and the connection goes to exactly
//! those. No redirect is followed, no proxy asked, nothing remembered between requests.

mod address;
mod names;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use url::{Host, Url};

use crate::network::Network;
pub use address::is_public;
pub use names::Names;

/// From the first name asked to the last byte of the answer.
const TIME: Duration = Duration::from_secs(10);
/// As much of an answer is read; a longer one is an error.
pub const ANSWER_BYTES: usize = 64 * 1024;
/// What this program calls itself.
const USER_AGENT: &str = concat!("skill-registry/", env!("CARGO_PKG_VERSION"));

/// Sends requests.
#[derive(Debug, Clone)]
pub struct Outbound {
    allowed: Vec<Network>,
    names: Names,
    time: Duration,
}

/// What came back, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// A redirect is an answer like any other.
    pub status: StatusCode,
    /// At most [`ANSWER_BYTES`].
    pub body: Bytes,
}

/// Why a request was not sent, or not answered.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// No address that can be asked.
    #[error("only an https URL with a host and without user, password and fragment is asked")]
    Url,
    /// Not encrypted, and not inside a network that the operator allowed.
    #[error("{host} is asked over https only")]
    Plain {
        /// The host of the URL.
        host: String,
    },
    /// The name leads nowhere.
    #[error("{host} has no address")]
    Unresolved {
        /// The host of the URL.
        host: String,
    },
    /// The host, or one of its addresses, is not one of the public internet, and the operator did not allow it. Who chose
    /// the host is told no more: names inside a network are nobody's to look up here.
    #[error("{host} is not on the public internet")]
    Address {
        /// The host of the URL.
        host: String,
        /// The first such address.
        address: IpAddr,
    },
    /// It took too long.
    #[error("{host} did not answer within {} seconds", TIME.as_secs())]
    Slow {
        /// The host of the URL.
        host: String,
    },
    /// The answer is longer than what is read.
    #[error("{host} answers with more than {ANSWER_BYTES} bytes")]
    Large {
        /// The host of the URL.
        host: String,
    },
    /// No connection, no TLS, or no HTTP.
    #[error("{host} cannot be asked")]
    Transport {
        /// The host of the URL.
        host: String,
        /// What went wrong.
        source: reqwest::Error,
    },
}

impl Outbound {
    /// Networks that are `allowed` are reached although they are not public, and over plain HTTP too.
    pub const fn new(allowed: Vec<Network>, names: Names) -> Self {
        Self { allowed, names, time: TIME }
    }

    /// The same with less time for a request, for tests.
    #[must_use]
    pub const fn within(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Whether a text is a URL that may be asked, as far as it says so itself: what its name leads to is looked up
    /// when it is asked.
    pub fn read(&self, text: &str) -> Result<Url, OutboundError> {
        let url = Url::parse(text).map_err(|_| OutboundError::Url)?;
        let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        let host = url.host_str().unwrap_or_default().to_owned();
        if !plain || host.is_empty() || !matches!(url.scheme(), "http" | "https") {
            return Err(OutboundError::Url);
        }
        match literal(&url) {
            Some(address) => self.check(&url, &host, &[address])?,
            // A name may lead into an allowed network.
            None if url.scheme() == "http" && self.allowed.is_empty() => {
                return Err(OutboundError::Plain { host });
            }
            None => {}
        }
        Ok(url)
    }

    /// Sends a request and reads the answer.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, OutboundError> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let asked = tokio::time::timeout(self.time, self.ask(method, url, &host, headers, body)).await;
        asked.unwrap_or(Err(OutboundError::Slow { host }))
    }

    async fn ask(
        &self,
        method: Method,
        url: &Url,
        host: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, OutboundError> {
        let url = self.read(url.as_str())?;
        let addresses = match literal(&url) {
            Some(address) => vec![address],
            None => self.names.addresses(host).await,
        };
        if addresses.is_empty() {
            return Err(OutboundError::Unresolved { host: host.to_owned() });
        }
        self.check(&url, host, &addresses)?;
        let transport = |source| OutboundError::Transport { host: host.to_owned(), source };
        let request = client(addresses).map_err(transport)?.request(method, url).headers(headers).body(body);
        let mut response = request.send().await.map_err(transport)?;
        let status = response.status();
        let mut body = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(transport)? {
            if body.len() + piece.len() > ANSWER_BYTES {
                return Err(OutboundError::Large { host: host.to_owned() });
            }
            body.extend_from_slice(&piece);
        }
        Ok(Answer { status, body: body.freeze() })
    }

    /// Whether all of these may be asked: whoever says several chooses which of them is tried.
    fn check(&self, url: &Url, host: &str, addresses: &[IpAddr]) -> Result<(), OutboundError> {
        for &address in addresses {
            if self.allowed.iter().any(|network| network.contains(address)) {
                continue;
            }
            if !is_public(address) {
                return Err(OutboundError::Address { host: host.to_owned(), address });
            }
            if url.scheme() != "https" {
                return Err(OutboundError::Plain { host: host.to_owned() });
            }
        }
        Ok(())
    }
}

/// The address that a URL names itself, however it is spelled: the parser reads decimal, octal and hexadecimal ones.
fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
        Host::Domain(_) => None,
    }
}

/// A client for one request, for which every name is at these addresses.
fn client(addresses: Vec<IpAddr>) -> Result<reqwest::Client, reqwest::Error> {
    // A second call finds the provider installed, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .dns_resolver(Arc::new(Pinned(addresses)))
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .user_agent(USER_AGENT)
        .build()
}

/// Answers with the addresses that were checked.
struct Pinned(Vec<IpAddr>);

impl Resolve for Pinned {
    fn resolve(&self, _: Name) -> Resolving {
        // Port 0 stands for that of the URL.
        let addresses: Vec<SocketAddr> = self.0.iter().map(|address| SocketAddr::new(*address, 0)).collect();
        let addresses: Addrs = Box::new(addresses.into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}
