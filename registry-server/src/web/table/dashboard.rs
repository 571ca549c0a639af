//! What a user's publishers have.

use axum::routing::{get, post};

use super::{Keys, Page};
use crate::auth::Act;
use crate::http::{OnPath, Row};
use crate::web::dashboard;

const CHOSEN: Keys = &["page", "publisher"];

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::own("/dashboard", Act::ReadPublisher).about(OnPath::Later), CHOSEN, || {
        get(dashboard::dashboard)
    }),
    Page::fresh(Row::form("/dashboard/invitations/accept", Act::AnswerInvitation), &[], || {
        post(dashboard::accept)
    }),
    Page::fresh(Row::form("/dashboard/invitations/decline", Act::AnswerInvitation), &[], || {
        post(dashboard::decline)
    }),
];
