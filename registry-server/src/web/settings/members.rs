use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Owner;

use super::{Refusal, frame_of};
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::invitations::{self, Invitation};
use crate::store::members::{self, Member};
use crate::store::publishers::{self, MemberRole, PublisherKind};
use crate::web::address::Address;
use crate::web::back::Back;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;
use crate::web::words::Time;

const PER_PAGE: usize = 50;
/// More than can be open at once.
const INVITATIONS: usize = 200;
const ROLES: [MemberRole; 3] = [MemberRole::Publisher, MemberRole::Admin, MemberRole::Owner];

#[derive(Debug, Serialize)]
struct View {
    form: String,
    handle: String,
    /// Whether it is the publisher of one person.
    personal: bool,
    here: Address,
    dashboard: Address,
    /// For whoever may keep them.
    webhooks: Option<Address>,
    role: &'static str,
    members: Vec<Line>,
    more: Option<Address>,
    invitations: Vec<Invited>,
    /// Where whoever may invite and give roles shows first who they are.
    again: String,
    /// Roles that one may give; none: one may not.
    gives: Vec<&'static str>,
    /// Roles that one may invite to.
    invites: Vec<&'static str>,
    user: String,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Line {
    name: String,
    goes_by: String,
    role: &'static str,
    since: Time,
    /// The page that ends the membership, for whoever may.
    ends: Option<Address>,
    is_self: bool,
}

#[derive(Debug, Serialize)]
struct Invited {
    id: String,
    user: String,
    role: &'static str,
    by: String,
    ends: Time,
}

#[derive(Debug, Serialize)]
struct Ending {
    form: String,
    handle: String,
    here: Address,
    user: String,
    is_self: bool,
    refused: String,
}

/// `/settings/publishers/{owner}`: members, roles and invitations of an own publisher.
pub(in crate::web) async fn members(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    shown(&app, &permit, query.cursor()?, None).await
}

/// Gives a member another role.
pub(in crate::web) async fn set_role(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = match (form.read::<Owner>("user"), form.read::<MemberRole>("role")) {
        (Ok(Some(user)), Ok(Some(role))) => {
            let done = accounts::set_role(&app, &permit, &user, role).await;
            app.disk().noted(done.map_err(ApiError::from)).map(drop)
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
        _ => Err(unreadable("a member gets a role")),
    };
    after(&app, &permit, done, form).await
}

/// Invites a user.
pub(in crate::web) async fn invite(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = match (form.read::<Owner>("user"), form.read::<MemberRole>("role")) {
        (Ok(Some(user)), Ok(role)) => {
            let done = accounts::invite(&app, &permit, &user, role.unwrap_or(MemberRole::Publisher)).await;
            app.disk().noted(done.map_err(ApiError::from)).map(drop)
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
        (Ok(None), _) => Err(unreadable("an invitation is for a user")),
    };
    after(&app, &permit, done, form).await
}

/// Takes an invitation back.
pub(in crate::web) async fn withdraw_invitation(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::withdraw_invitation(&app, &permit, form.text("invitation")).await;
    let done = app.disk().noted(done.map_err(ApiError::from)).map(drop);
    after(&app, &permit, done, form).await
}

async fn after(
    app: &App,
    permit: &Permit,
    done: Result<(), ApiError>,
    form: Form,
) -> Result<Response, ApiError> {
    match done {
        Ok(()) => Ok(Redirect::to(Address::publisher_settings(of(permit)?).as_str()).into_response()),
        Err(error) => shown(app, permit, None, Some((form, Refusal::of(error)?))).await,
    }
}

fn of(permit: &Permit) -> Result<&Owner, ApiError> {
    permit.publisher(&[Act::ReadPublisher, Act::SetRole, Act::Invite, Act::Leave])
}

async fn shown(
    app: &App,
    permit: &Permit,
    after: Option<Owner>,
    refused: Option<(Form, Refusal)>,
) -> Result<Response, ApiError> {
    let (owner, identity) = (of(permit)?, permit.identity());
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let found = publishers::find(&mut conn, owner).await?;
    let found = found.ok_or_else(|| ApiError::NotMember { owner: owner.clone() })?;
    let mut rows = members::of_publisher(&mut conn, owner, after.as_ref(), PER_PAGE + 1).await?;
    let waiting = invitations::to_publisher(&mut conn, owner, now, None, INVITATIONS).await?;
    drop(conn);
    let here = Address::publisher_settings(owner);
    let is_more = rows.len() > PER_PAGE;
    rows.truncate(PER_PAGE);
    let last = rows.last().filter(|_| is_more);
    let more = last.map(|last| here.clone().with("cursor", last.name.as_str()));
    let role = identity.role_in(owner);
    let up_to = |most: Option<MemberRole>| -> Vec<&'static str> {
        ROLES
            .into_iter()
            .filter(|one| most.is_some_and(|most| *one <= most))
            .map(MemberRole::as_str)
            .collect()
    };
    let (gives, invites) = (permit.also(Act::SetRole).is_ok(), permit.also(Act::Invite));
    let again = match &invites {
        Err(ApiError::ConfirmationNeeded) => Back::read(here.as_str()).again(),
        _ => String::new(),
    };
    let personal = found.kind == PublisherKind::User;
    let (form, refusal) = refused.unzip();
    let line = |member: Member| {
        let is_self = member.name == identity.user.name;
        let may_end = !personal && (is_self || gives) && permit.also(Act::Leave).is_ok();
        Line::of(member, is_self, may_end.then(|| Address::ending(owner)))
    };
    let view = View {
        form: app.web_key().form_field(session),
        handle: owner.to_string(),
        personal,
        dashboard: Address::dashboard().with("publisher", owner.as_str()),
        webhooks: permit.also(Act::Webhooks).is_ok().then(|| Address::webhooks(owner)),
        role: role.map_or("", MemberRole::as_str),
        members: rows.into_iter().map(line).collect(),
        more,
        again,
        invitations: waiting.into_iter().map(Invited::of).collect(),
        gives: up_to(role.filter(|_| gives && !personal)),
        invites: up_to(role.filter(|_| invites.is_ok() && !personal)),
        user: form.map(|form| form.text("user").to_owned()).unwrap_or_default(),
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
        here,
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    let frame = frame_of("publishers", &format!("Members of {owner}"));
    page(app, status, "settings-members.html", &frame, &view)
}

/// The page that says what the end of a membership means.
pub(in crate::web) async fn ask_to_end(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let user = query.text("user").and_then(|user| user.parse().ok()).ok_or(ApiError::RouteNotFound)?;
    let found = members::find(&mut *app.db().read().await?, of(&permit)?, &user).await?;
    found.ok_or(ApiError::RouteNotFound)?;
    ending(&app, &permit, &user, None)
}

/// Ends a membership.
pub(in crate::web) async fn end(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let user: Owner = form.read("user")?.ok_or(ApiError::RouteNotFound)?;
    let done = accounts::remove_member(&app, &permit, &user).await.map_err(ApiError::from);
    if let Err(error) = app.disk().noted(done) {
        return ending(&app, &permit, &user, Some(Refusal::of(error)?));
    }
    let is_self = permit.identity().user.name == user;
    let to = if is_self { Address::publishers() } else { Address::publisher_settings(of(&permit)?) };
    Ok(Redirect::to(to.as_str()).into_response())
}

fn ending(app: &App, permit: &Permit, user: &Owner, refusal: Option<Refusal>) -> Result<Response, ApiError> {
    let owner = of(permit)?;
    let session = permit.identity().session().ok_or(ApiError::SessionNeeded)?;
    let is_self = permit.identity().user.name == *user;
    let view = Ending {
        form: app.web_key().form_field(session),
        handle: owner.to_string(),
        here: Address::publisher_settings(owner),
        user: user.to_string(),
        is_self,
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    let title = if is_self { format!("Leave {owner}") } else { format!("Remove {user} from {owner}") };
    page(app, status, "settings-member-end.html", &frame_of("publishers", &title), &view)
}

impl Line {
    fn of(member: Member, is_self: bool, ending: Option<Address>) -> Self {
        let name = member.name.to_string();
        Self {
            goes_by: if member.display_name == name { String::new() } else { member.display_name },
            role: member.role.as_str(),
            since: Time::of(member.since),
            ends: ending.map(|ending| ending.with("user", &name)),
            is_self,
            name,
        }
    }
}

impl Invited {
    fn of(invitation: Invitation) -> Self {
        Self {
            id: invitation.id,
            user: invitation.user.to_string(),
            role: invitation.role.as_str(),
            by: invitation.invited_by.to_string(),
            ends: Time::of(invitation.expires_at),
        }
    }
}
