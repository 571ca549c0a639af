//! Trust that can be checked offline: keys, DSSE envelopes, in-toto statements, root metadata,
//! the trust envelope of a release, and the leaves of the log (docs/FORMAT.md, "Trust").
//!
//! Pure: no file, socket or clock is opened here. Bytes, expectations and the time come in as
//! arguments; what comes out is either a typed fact or an error that names the one field that
//! is wrong.
//!
//! The way of a statement, from its maker to its reader:
//!
//! 1. [`Statement::release`] and its siblings join a predicate to the bytes it speaks of.
//! 2. [`dsse::Envelope::sign`] signs the exact bytes with the key of the one role that may.
//! 3. [`Leaf`] gives it a place in the log; [`TrustEnvelope`] carries it to the reader.
//! 4. [`RootChain::verify`] says which keys count; [`verify_release`] checks everything, and
//!    [`follow_name`] where a name leads that is no longer a skill's own.

pub mod agreement;
pub mod dsse;
pub mod envelope;
pub mod key;
pub mod leaf;
pub mod predicate;
pub mod role;
pub mod root;
pub mod statement;
pub mod verify;

mod base64;
mod unique;

pub use envelope::{LoggedStatement, TrustEnvelope};
pub use key::{KeyId, PublicKey, Signature, SigningKey};
pub use leaf::Leaf;
pub use predicate::{Kind, Predicate, Signer};
pub use role::Role;
pub use root::{Custody, Root, RootChain, RootError, TrustedRoot};
pub use statement::{Content, Statement};
pub use verify::{Expected, TrustError, VerifiedRelease, follow_name, verify_release};

/// Compact JSON of one of our own types, whose maps all have text for keys: it cannot be
/// refused.
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
