use std::sync::Arc;
use std::time::Duration;

/// How the network is used by one command.
#[derive(Clone)]
pub struct Options {
    /// Open nothing at all.
    pub offline: bool,
    /// `--timeout`: all of the command's network use together.
    pub total: Option<Duration>,
    /// Until a connection stands.
    pub connect: Duration,
    /// Without a byte from the other side.
    pub idle: Duration,
    /// The proxy that `https` goes through.
    pub proxy: Option<Proxy>,
    /// Is told of every request that was answered or given up.
    pub observer: Option<Observer>,
}

/// A proxy, and what does not go through it, as HTTPS_PROXY and NO_PROXY say. It sees names and
/// sizes: TLS goes through it to the registry. Plain `http`, which it could read, never goes there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Its URL.
    pub url: String,
    /// Hosts, domains and networks that are reached without it.
    pub except: Option<String>,
}

/// Is told of requests.
pub type Observer = Arc<dyn Fn(&RequestLine) + Send + Sync>;

impl Default for Options {
    fn default() -> Self {
        Self {
            offline: false,
            total: None,
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            proxy: None,
            observer: None,
        }
    }
}

/// One request, as `--verbose` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLine {
    /// HTTP method.
    pub method: String,
    /// URL without its query, which may hold what nobody else should read.
    pub url: String,
    /// Status of the answer; none if there was none.
    pub status: Option<u16>,
    /// Length that the answer announced.
    pub bytes: Option<u64>,
    /// How long it took until the answer began.
    pub elapsed: Duration,
}
