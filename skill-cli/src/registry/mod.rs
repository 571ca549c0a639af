//! Which registry it is that answers: first contact, pins, and the root chain.
//!
//! A registry is its id, the digest of its root version 1; URLs only say where it is reached. The
//! root is fetched and compared before a token goes anywhere ([`Contact::meet`]).

mod contact;
mod error;
mod pins;

pub use contact::{Contact, Expectation, Met};
pub use error::ContactError;
pub use pins::{Pin, Pins, PinsError, read_chain, root_file};
