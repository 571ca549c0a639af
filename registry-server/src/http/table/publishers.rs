//! Publishers, and who acts for them.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, v1};

const MEMBER: &str = "/api/registry/v1/publishers/{owner}/members/{user}";

const INVITATIONS: &str = "/api/registry/v1/publishers/{owner}/invitations";
const INVITATION: &str = "/api/registry/v1/publishers/{owner}/invitations/{id}";
const ACCEPT: &str = "/api/registry/v1/invitations/{id}/accept";
const DECLINE: &str = "/api/registry/v1/invitations/{id}/decline";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::POST, "/api/registry/v1/publishers", Act::MakePublisher, OnPath::Nothing),
    Row::new(Method::POST, "/api/v1/publishers", Act::MakePublisher, OnPath::Nothing),
    Row::new(Method::GET, "/api/registry/v1/publishers/{owner}", Act::ReadPublisher, OnPath::Owner),
    Row::new(Method::GET, "/api/registry/v1/publishers/{owner}/members", Act::ReadPublisher, OnPath::Owner),
    Row::new(Method::PUT, MEMBER, Act::SetRole, OnPath::Owner),
    // Oneself; that of another is decided again.
    Row::new(Method::DELETE, MEMBER, Act::Leave, OnPath::Owner),
    Row::new(Method::GET, INVITATIONS, Act::ReadPublisher, OnPath::Owner),
    Row::new(Method::POST, INVITATIONS, Act::Invite, OnPath::Owner),
    Row::new(Method::DELETE, INVITATION, Act::Invite, OnPath::Owner),
    // The invitation's own user alone finds it.
    Row::new(Method::GET, "/api/registry/v1/invitations", Act::AnswerInvitation, OnPath::Nothing),
    Row::new(Method::POST, ACCEPT, Act::AnswerInvitation, OnPath::Nothing),
    Row::new(Method::POST, DECLINE, Act::AnswerInvitation, OnPath::Nothing),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::publishers::make_publisher))
        .routes(routes!(registry::publishers::publisher))
        .routes(routes!(registry::members::members))
        .routes(routes!(registry::members::set_role, registry::members::remove_member))
        .routes(routes!(registry::invitations::invitations, registry::invitations::invite))
        .routes(routes!(registry::invitations::withdraw_invitation))
        .routes(routes!(registry::invitations::own_invitations))
        .routes(routes!(registry::invitations::accept))
        .routes(routes!(registry::invitations::decline))
        .routes(routes!(v1::publishers::make_publisher))
}
