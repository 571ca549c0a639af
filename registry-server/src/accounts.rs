//! Making accounts and tokens: what the command line does now and pages will do later.

mod token;
mod user;

pub use token::{CreateTokenError, NewToken, RevokeTokenError, create_token, revoke_token};
pub(crate) use user::insert_with_publisher;
pub use user::{AddUserError, NewUser, add_user};

/// The actor of whatever is done on the command line.
pub const OPERATOR: &str = "operator";
