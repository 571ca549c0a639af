//! Signing in with a browser, and out again.

mod error;
mod guesser;
mod link;
mod password;
mod session;

pub use error::SignInError;
pub use link::{make_link, make_link_as_operator, sign_in_url};
pub use password::{
    Chooser, NewPassword, by_password, choose_password, confirm, may_choose, set_password_as_operator,
};
pub use session::{Browser, by_link, end_session, end_sessions};
