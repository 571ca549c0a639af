//! Accounts and what they hold: made and changed by the operator on the command line, and by users over HTTP.

mod ban;
pub mod device;
mod hand;
mod invitation;
mod member;
mod publisher;
mod sign_in;
mod site_role;
mod token;
mod user;

pub use ban::{Banned, ban, hide_skills, unban};
pub use hand::{AccountError, Hand};
pub use invitation::{InvitationError, accept, decline, invite, withdraw_invitation};
pub use member::{MemberError, remove_member, set_role};
pub use publisher::{CreatePublisherError, create_publisher};
pub use sign_in::{
    Browser, Chooser, NewPassword, SignInError, by_link, by_password, choose_password, confirm, end_session,
    end_sessions, make_link, make_link_as_operator, may_choose, set_password_as_operator, sign_in_url,
};
pub use site_role::set_site_role;
pub use token::{
    Beyond, CreateTokenError, NewToken, Reach, RevokeTokenError, WantedToken, create_token, make_token,
    revoke_own_token, revoke_token, token_end,
};
pub(crate) use user::insert_with_publisher;
pub use user::{AddUserError, NewUser, add_user};

/// The actor of whatever is done on the command line.
pub const OPERATOR: &str = "operator";
