//! Who calls, and what they may do.
//!
//! What a token reads like is [`skill_core::token`]'s; the database knows its SHA-256 alone, and so it is with sessions.

mod act;
mod caller;
mod cookie;
mod form;
mod login;
mod password;
mod permit;
mod scope;
mod secret;
mod token;
mod user_code;
mod uses;

pub use act::{Act, Binding, Needs, On, Who};
pub use caller::{Caller, Credential, Identity};
pub use cookie::Cookie;
pub(crate) use form::is_own as form_is_own;
pub(crate) use login::signed_in;
pub use login::{authenticate, login};
pub use password::{KeptPassword, LONGEST, Password, PasswordError, Passwords, SHORTEST};
pub use permit::Permit;
pub use scope::{Scope, Scopes};
pub use secret::{Opens, Secret};
pub use skill_core::token::TokenText;
pub use token::new_token;
pub use user_code::UserCode;
pub use uses::Uses;
