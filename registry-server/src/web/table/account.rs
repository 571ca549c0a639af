//! Signing in and out, and what a user keeps of themselves.

use axum::routing::{get, post};

use super::{Keys, Page};
use crate::auth::Act;
use crate::http::Row;
use crate::web::account;

const BACK: Keys = &[account::BACK];

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::open("/sign-in"), BACK, || get(account::sign_in)),
    Page::fresh(Row::form("/sign-in", Act::Open), BACK, || post(account::by_password)),
    Page::fresh(Row::own("/sign-in/again", Act::Confirm), BACK, || get(account::again)),
    Page::fresh(Row::form("/sign-in/again", Act::Confirm), BACK, || post(account::confirm)),
    Page::fresh(Row::open("/sign-in/link/{secret}"), &[], || get(account::link)),
    Page::fresh(Row::form("/sign-in/link", Act::Open), &[], || post(account::use_link)),
    Page::fresh(Row::form("/sign-out", Act::SignOut), &[], || post(account::sign_out)),
    Page::fresh(Row::own("/cli/device", Act::MakeToken), &[], || get(account::device)),
    Page::fresh(Row::form("/cli/device", Act::MakeToken), &[], || post(account::look)),
    Page::fresh(Row::form("/cli/device/decide", Act::MakeToken), &[], || post(account::decide)),
    Page::fresh(Row::own("/settings/sessions", Act::SignOut), &[], || get(account::sessions)),
    Page::fresh(Row::form("/settings/sessions/end", Act::SignOut), &[], || post(account::end_one)),
    Page::fresh(Row::form("/settings/sessions/end-all", Act::SignOut), &[], || post(account::end_all)),
];
