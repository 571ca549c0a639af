//! The way to a registry: typed calls over HTTP, and the rules they all keep.
//!
//! - Nothing is opened before it is needed, and with `--offline` nothing at all.
//! - `http` goes to loopback only, or to a registry that is pinned by its id.
//! - A token belongs to one origin: a redirect to another drops it for good.
//! - Calls that may arrive twice without harm are tried three times, the waits as the registry asks.
//! - Of the environment's proxies the one for `https` is used, and for nothing else.
//! - Every answer has an upper size, and archives are digested while they arrive.

mod author;
mod body;
mod endpoint;
mod error;
mod file;
mod options;
mod public;
mod reading;
mod retry;
mod send;
mod session;
mod token;
mod wait;

pub use author::{DeviceCodes, DeviceRequest, Identity, Membership, Polled, Sent};
pub use body::Downloaded;
pub use endpoint::{Endpoint, EndpointError, Origin};
pub use error::ClientError;
pub use options::{Observer, Options, Proxy, RequestLine};
pub use public::Fetched;
pub use reading::{Bound, Candidate, Index, SearchHit};
pub use send::Client;
pub use session::Session;
pub use token::Token;

#[cfg(test)]
mod tests;
