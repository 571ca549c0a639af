//! Who calls, and what they may do.
//!
//! The text of a token is `skr_`, 64 hexadecimal digits of chance and 6 of checksum, so that a mangled
//! one is told from a foreign one without asking the database, and scanners of leaked secrets can find
//! it. The database knows its SHA-256 alone.

mod caller;
mod extract;
mod login;
mod scope;
mod token;

pub use caller::{Caller, Identity};
pub use extract::Auth;
pub use login::{authenticate, login};
pub use scope::{Scope, Scopes};
pub use token::{TokenText, Unreadable};
