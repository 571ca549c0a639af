//! What a user sets: tokens.

use axum::routing::{get, post};

use super::Page;
use crate::auth::Act;
use crate::http::Row;
use crate::web::settings;

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::own("/settings", Act::SignOut), &[], || get(settings::settings)),
    Page::fresh(Row::own("/settings/tokens", Act::ListTokens), &["cursor"], || get(settings::tokens)),
    Page::fresh(Row::form("/settings/tokens", Act::MakeToken), &[], || post(settings::make_token)),
    Page::fresh(Row::form("/settings/tokens/revoke", Act::RevokeToken), &[], || post(settings::revoke_token)),
];
