//! What a user's publishers have, and what waits for an answer.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Owner;

use super::account::frame;
use super::address::{Address, Pages};
use super::badge::Badge;
use super::form::Form;
use super::page::page;
use super::row::Paging;
use super::words::{Time, counted};
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, On, Permit};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::catalogue::kept::{self, Kept, Stopped};
use crate::store::invitations::{self, Invitation};

const PER_PAGE: u32 = 50;
/// Invitations and stopped releases that are listed.
const SHOWN: usize = 20;

#[derive(Debug, Serialize)]
struct View {
    form: String,
    publisher: String,
    role: &'static str,
    /// Those that can be chosen.
    publishers: Vec<String>,
    invitations: Vec<Invited>,
    more_invitations: bool,
    stopped: Vec<Stop>,
    more_stopped: bool,
    rows: Vec<Row>,
    paging: Paging,
}

#[derive(Debug, Serialize)]
struct Invited {
    id: String,
    publisher: String,
    role: &'static str,
    by: String,
    ends: Time,
}

#[derive(Debug, Serialize)]
struct Stop {
    name: String,
    version: String,
    address: Address,
    badge: Badge,
    since: Time,
    reason: String,
    note: String,
}

#[derive(Debug, Serialize)]
struct Row {
    owner: String,
    slug: String,
    version: String,
    address: Address,
    settings: Address,
    badge: Badge,
    is_deprecated: bool,
    kept_until: Option<Time>,
    counts: String,
    updated: Time,
}

/// `/dashboard`: the skills of one of the own publishers, of the personal one without `publisher=`.
pub(super) async fn dashboard(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::ReadPublisher])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let asked = query.text("publisher").map(str::parse::<Owner>).transpose();
    let owner = asked.map_err(|_| ApiError::RouteNotFound)?.unwrap_or_else(|| identity.user.name.clone());
    permit.narrow(On::Publisher(owner.clone()))?;
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let total = kept::count(&mut conn, &owner).await?;
    let paging =
        Paging::of(&query, total, PER_PAGE, &Address::dashboard().with("publisher", owner.as_str()))?;
    let rows = kept::page(&mut conn, &owner, paging.offset(), PER_PAGE).await?;
    let mut stopped = kept::stopped(&mut conn, &owner, SHOWN as u32 + 1).await?;
    let mut invited = invitations::of_user(&mut conn, &identity.user.id, now, None, SHOWN + 1).await?;
    drop(conn);
    let (more_stopped, more_invitations) = (stopped.len() > SHOWN, invited.len() > SHOWN);
    stopped.truncate(SHOWN);
    invited.truncate(SHOWN);
    let view = View {
        form: app.web_key().form_field(session),
        role: identity.role_in(&owner).map_or("", |role| role.as_str()),
        publishers: identity.publishers.iter().map(|one| one.publisher.to_string()).collect(),
        invitations: invited.into_iter().map(Invited::of).collect(),
        more_invitations,
        stopped: stopped.into_iter().map(|one| Stop::of(&owner, one)).collect(),
        more_stopped,
        rows: rows.iter().map(|one| Row::of(&owner, one)).collect(),
        paging,
        publisher: owner.to_string(),
    };
    page(&app, StatusCode::OK, "dashboard.html", &frame("Dashboard"), &view)
}

/// Takes an invitation of that page.
pub(super) async fn accept(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::accept(&app, &permit, form.text("invitation")).await.map_err(ApiError::from);
    let joined = app.disk().noted(done)?.publisher;
    Ok(to(&Address::dashboard().with("publisher", joined.as_str())))
}

/// Refuses one.
pub(super) async fn decline(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::decline(&app, &permit, form.text("invitation")).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(to(&Address::dashboard()))
}

fn to(address: &Address) -> Response {
    Redirect::to(address.as_str()).into_response()
}

impl Invited {
    fn of(invitation: Invitation) -> Self {
        Self {
            id: invitation.id,
            publisher: invitation.publisher.to_string(),
            role: invitation.role.as_str(),
            by: invitation.invited_by.to_string(),
            ends: Time::of(invitation.expires_at),
        }
    }
}

impl Stop {
    fn of(owner: &Owner, stopped: Stopped) -> Self {
        let version = stopped.version.to_string();
        Self {
            name: format!("{owner}/{}", stopped.slug),
            address: Pages::of(owner, &stopped.slug).version(&version),
            badge: Badge::of(stopped.state, stopped.verdict),
            since: Time::of(stopped.since),
            reason: stopped.reason,
            note: stopped.note,
            version,
        }
    }
}

impl Row {
    fn of(owner: &Owner, kept: &Kept) -> Self {
        let counts = [(kept.releases, "release"), (kept.downloads, "download"), (kept.stars, "star")];
        Self {
            owner: owner.to_string(),
            address: Pages::of(owner, &kept.slug).skill(),
            settings: Pages::of(owner, &kept.slug).settings(),
            slug: kept.slug.to_string(),
            version: kept.version.to_string(),
            badge: Badge::of(kept.state, kept.verdict),
            is_deprecated: kept.is_deprecated,
            kept_until: kept.name_kept_until.filter(|_| kept.deleted_at.is_some()).map(Time::of),
            counts: counts.map(|(count, thing)| counted(count, thing)).join(" · "),
            updated: Time::of(kept.updated_at),
        }
    }
}
