mod create;
mod make;
mod reach;
mod revoke;

pub(super) use create::insert;
pub use create::{CreateTokenError, NewToken, create_token};
pub use make::{WantedToken, make_token, token_end};
pub(super) use make::{end, room};
pub use reach::{Beyond, Reach};
pub use revoke::{RevokeTokenError, revoke_own_token, revoke_token};
