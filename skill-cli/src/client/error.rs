use std::time::Duration;

use skill_core::api::Problem;

use super::wait::seconds;

/// Why a call gave no answer that could be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ClientError {
    /// `--offline`, and the answer is not here.
    #[error("{what} is not in the cache")]
    Offline {
        /// What was asked for.
        what: String,
    },
    /// `http` to a host that is neither this machine nor pinned.
    #[error("http to {origin} can be read and changed on the way")]
    Insecure {
        /// Scheme, host and port.
        origin: String,
    },
    /// No connection, or it broke.
    #[error("{origin} does not answer")]
    Unreachable {
        /// Scheme, host and port.
        origin: String,
        /// What the system says.
        cause: String,
        /// How often it was tried.
        tries: u32,
        /// How long all tries took.
        elapsed: Duration,
    },
    /// The host has no address.
    #[error("{host} has no address")]
    NameUnresolved {
        /// The host.
        host: String,
    },
    /// The certificate or the handshake was not accepted.
    #[error("the certificate of {origin} is not accepted")]
    Tls {
        /// Scheme, host and port.
        origin: String,
        /// What the TLS library says.
        cause: String,
    },
    /// The proxy of the environment did not let the call through.
    #[error("the proxy does not let {origin} through")]
    Proxy {
        /// Scheme, host and port.
        origin: String,
        /// What it says.
        cause: String,
    },
    /// Too slow: nothing came for a while, or the command's time is used up.
    #[error("{origin} took longer than {}", seconds(*.after))]
    Timeout {
        /// Scheme, host and port.
        origin: String,
        /// The limit that was reached.
        after: Duration,
    },
    /// Too many requests.
    #[error("{origin} takes no more requests{}", .wait.map(|wait| format!(" for {}", seconds(wait))).unwrap_or_default())]
    RateLimited {
        /// Scheme, host and port.
        origin: String,
        /// How long to wait, if it says so.
        wait: Option<Duration>,
        /// How many it answers in a minute, if it says so.
        limit: Option<u32>,
        /// Whether a token was sent.
        with_token: bool,
    },
    /// The registry reads only: its disk is full.
    #[error("{origin} takes nothing new at the moment")]
    ReadOnly {
        /// Scheme, host and port.
        origin: String,
    },
    /// The registry has a fault.
    #[error("{origin} answers with status {status}")]
    Server {
        /// Scheme, host and port.
        origin: String,
        /// HTTP status.
        status: u16,
        /// What its operator can look for.
        request_id: Option<String>,
    },
    /// An answer that is none of a registry.
    #[error("{url} answers something else than a registry does: {why}")]
    Strange {
        /// URL without its query.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// An answer that is longer than what was asked for can be.
    #[error("{url} answers something else than a registry does: more than {limit} bytes")]
    TooLong {
        /// URL without its query.
        url: String,
        /// The most that was to be read.
        limit: u64,
    },
    /// A token is needed and there is none.
    #[error("{origin} asks for a token")]
    LoginNeeded {
        /// Scheme, host and port.
        origin: String,
    },
    /// The token was sent and is not accepted.
    #[error("{origin} does not accept this token")]
    TokenRejected {
        /// Scheme, host and port.
        origin: String,
        /// Where the token came from.
        found_in: String,
        /// Whether the registry says that its time is over.
        expired: bool,
    },
    /// The account behind the token was closed; another token changes nothing.
    #[error("the account of this token is closed at {origin}")]
    AccountDisabled {
        /// Scheme, host and port.
        origin: String,
    },
    /// The registry says no, with a code of its own.
    #[error("{}", .0.title)]
    Refused(Box<Problem>),
    /// What was received could not be kept.
    #[error("cannot write {path}: {cause}")]
    Disk {
        /// Where to.
        path: String,
        /// What the system says.
        cause: String,
    },
    /// The network could not be set up on this machine.
    #[error("the network cannot be used: {cause}")]
    Setup {
        /// What the system says.
        cause: String,
    },
}

impl ClientError {
    /// The stable code. A refusal has the registry's own, which its reader maps to a known one.
    pub fn code(&self) -> &str {
        match self {
            Self::Offline { .. } => "offline-miss",
            Self::Insecure { .. } => "registry-insecure",
            Self::Unreachable { .. } => "registry-unreachable",
            Self::NameUnresolved { .. } => "name-unresolved",
            Self::Tls { .. } => "tls-untrusted",
            Self::Proxy { .. } => "proxy-refused",
            Self::Timeout { .. } => "registry-timeout",
            Self::RateLimited { .. } => "rate-limited",
            Self::ReadOnly { .. } => "registry-read-only",
            Self::Server { .. } | Self::Strange { .. } | Self::TooLong { .. } => "registry-error",
            Self::LoginNeeded { .. } => "login-needed",
            Self::TokenRejected { expired: true, .. } => "token-expired",
            Self::TokenRejected { .. } => "token-rejected",
            Self::AccountDisabled { .. } => "account-disabled",
            Self::Refused(problem) => &problem.code,
            Self::Disk { .. } => "disk-io",
            Self::Setup { .. } => "internal",
        }
    }

    /// Why, one fact a line.
    pub fn because(&self) -> Vec<String> {
        match self {
            Self::Offline { .. } => vec!["--offline opens no connection".to_owned()],
            Self::Unreachable { origin, cause, tries, elapsed } => {
                let tries = if *tries == 1 { "1 try".to_owned() } else { format!("{tries} tries") };
                vec![format!("{origin}: {cause}, {tries} in {}", seconds(*elapsed))]
            }
            Self::Tls { cause, .. } | Self::Proxy { cause, .. } => vec![cause.clone()],
            Self::RateLimited { limit, with_token, .. } => {
                let with = if *with_token { "with" } else { "without" };
                vec![match limit {
                    Some(limit) => format!("{limit} of {limit} requests a minute are used, {with} a token"),
                    None => format!("the request was made {with} a token"),
                }]
            }
            Self::Server { request_id: Some(id), .. } => vec![format!("the request id is {id}")],
            Self::TokenRejected { found_in, expired, .. } => {
                let why = if *expired { "expired" } else { "unknown there, expired or revoked" };
                vec![format!("the token came from {found_in}; it is {why}")]
            }
            Self::Refused(problem) => problem.detail.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it says nothing of the request itself: sent again later it may be answered.
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::NameUnresolved { .. }
                | Self::Timeout { .. }
                | Self::RateLimited { .. }
                | Self::Server { .. }
        )
    }

    /// How long the registry asks to wait, in seconds (`retryAfterSeconds`).
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::RateLimited { wait, .. } => wait.map(|wait| wait.as_secs()),
            _ => None,
        }
    }
}
