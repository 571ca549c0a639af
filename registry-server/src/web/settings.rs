//! What a user sets. The forms call what the API calls, with the permit that the gate made.

mod asking;
mod deed;
mod members;
mod password;
mod publishers;
mod refusal;
mod skill;
mod tokens;
mod webhooks;

use axum::response::{IntoResponse as _, Redirect, Response};

use super::account::frame;
use super::address::Address;
use super::page::Frame;
use refusal::Refusal;

pub(super) use asking::{asks, does};
pub(super) use deed::Deed;
pub(super) use members::{ask_to_end, end, invite, members, set_role, withdraw_invitation};
pub(super) use password::{choose_password, password};
pub(super) use publishers::{make_publisher, publishers};
pub(super) use skill::{remove_tag, set_tag, skill};
pub(super) use tokens::{make_token, revoke_token, tokens};
pub(super) use webhooks::{deliveries, hooks, make_hook, ping_hook, remove_hook};

/// `/settings`: the first of them.
pub(super) async fn settings() -> Response {
    Redirect::to(Address::tokens().as_str()).into_response()
}

/// The frame of one of the settings.
fn frame_of(place: &'static str, title: &str) -> Frame {
    Frame { place, ..frame(title) }
}
