//! Who calls, and what they may do.
//!
//! What a token reads like is [`skill_core::token`]'s; the database knows its SHA-256 alone.

mod act;
mod caller;
mod login;
mod permit;
mod scope;
mod token;
mod uses;

pub use act::{Act, Binding, Needs, On, Who};
pub use caller::{Caller, Credential, Identity};
pub use login::{authenticate, login};
pub use permit::Permit;
pub use scope::{Scope, Scopes};
pub use skill_core::token::TokenText;
pub use token::new_token;
pub use uses::TokenUses;
