//! Signing in with a browser, and out again.

mod error;
mod link;
mod session;

pub use error::SignInError;
pub use link::{make_link, make_link_as_operator, sign_in_url};
pub use session::{Browser, by_link, end_session, end_sessions};
