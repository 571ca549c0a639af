//! Publishers as their members set them: who acts for one, and whom it tells.

use axum::routing::{get, post};

use super::Page;
use crate::auth::Act;
use crate::http::{OnPath, Row};
use crate::web::settings;

const LIST: &str = "/settings/publishers";
const MEMBERS: &str = "/settings/publishers/{owner}";
const ROLE: &str = "/settings/publishers/{owner}/members/role";
const END: &str = "/settings/publishers/{owner}/members/remove";
const INVITE: &str = "/settings/publishers/{owner}/invitations";
const UNINVITE: &str = "/settings/publishers/{owner}/invitations/withdraw";
const HOOKS: &str = "/settings/publishers/{owner}/webhooks";
const UNHOOK: &str = "/settings/publishers/{owner}/webhooks/remove";
const PING: &str = "/settings/publishers/{owner}/webhooks/ping";
const SENT: &str = "/settings/publishers/{owner}/webhooks/deliveries";

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::own(LIST, Act::Whoami), &[], || get(settings::publishers)),
    Page::fresh(Row::form(LIST, Act::MakePublisher), &[], || post(settings::make_publisher)),
    Page::fresh(own(MEMBERS, Act::ReadPublisher), &["cursor"], || get(settings::members)),
    Page::fresh(form(ROLE, Act::SetRole), &[], || post(settings::set_role)),
    Page::fresh(own(END, Act::Leave), &["user"], || get(settings::ask_to_end)),
    Page::fresh(form(END, Act::Leave), &[], || post(settings::end)),
    Page::fresh(form(INVITE, Act::Invite), &[], || post(settings::invite)),
    Page::fresh(form(UNINVITE, Act::Invite), &[], || post(settings::withdraw_invitation)),
    Page::fresh(own(HOOKS, Act::Webhooks), &[], || get(settings::hooks)),
    Page::fresh(form(HOOKS, Act::Webhooks), &[], || post(settings::make_hook)),
    Page::fresh(form(UNHOOK, Act::Webhooks), &[], || post(settings::remove_hook)),
    Page::fresh(form(PING, Act::Webhooks), &[], || post(settings::ping_hook)),
    Page::fresh(own(SENT, Act::Webhooks), &["webhook"], || get(settings::deliveries)),
];

/// A page about a publisher for its members.
const fn own(path: &'static str, act: Act) -> Row {
    Row::own(path, act).about(OnPath::Owner)
}

/// A form that changes something of a publisher.
const fn form(path: &'static str, act: Act) -> Row {
    Row::form(path, act).about(OnPath::Owner)
}
