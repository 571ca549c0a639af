use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Tag;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::deed::Deed;
use super::{Refusal, frame_of};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::change;
use crate::http::extract::{Query, skill_not_found};
use crate::lifecycle;
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::restrictions::{self, Action, Restriction};
use crate::store::skills::{self, Skill};
use crate::store::tags;
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;
use crate::web::row::Paging;
use crate::web::words::Time;

const PER_PAGE: u32 = 50;
/// Versions that the form for tags offers.
const OFFERED: usize = 200;

#[derive(Debug, Serialize)]
struct View {
    form: String,
    owner: String,
    slug: String,
    skill: Address,
    settings: Address,
    deleted: Option<Time>,
    kept_until: Option<Time>,
    deprecated: String,
    /// What can be done to the skill as a whole.
    deeds: Vec<Link>,
    releases: Vec<Release>,
    paging: Paging,
    latest: String,
    /// Whether a person pointed `latest` there.
    latest_is_set: bool,
    tags: Vec<(String, String)>,
    offered: Vec<String>,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Release {
    version: String,
    address: Address,
    badge: Badge,
    published: Time,
    reason: String,
    deeds: Vec<Link>,
}

#[derive(Debug, Serialize)]
struct Link {
    verb: &'static str,
    address: Address,
}

/// `/{owner}/skills/{slug}/settings`: what its members can do with a skill and its releases.
pub(in crate::web) async fn skill(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    shown(&app, &permit, &query, None).await
}

/// Lets a tag point to a release.
pub(in crate::web) async fn set_tag(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = match (form.read::<Tag>("tag"), form.read::<Version>("version")) {
        (Ok(Some(tag)), Ok(Some(version))) => change::set_tags(&app, &permit, &[tag], &version).await,
        (Err(error), _) | (_, Err(error)) => Err(error),
        _ => Err(unreadable("a tag has a name, and a version that it points to")),
    };
    after(&app, &permit, app.disk().noted(done)).await
}

/// Removes a tag; of `latest`, what a person set it to.
pub(in crate::web) async fn remove_tag(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = match form.read::<Tag>("tag") {
        Ok(Some(tag)) => change::remove_tag(&app, &permit, &tag).await,
        Ok(None) => Err(unreadable("no tag was named")),
        Err(error) => Err(error),
    };
    after(&app, &permit, app.disk().noted(done)).await
}

async fn after(app: &App, permit: &Permit, done: Result<(), ApiError>) -> Result<Response, ApiError> {
    match done {
        Ok(()) => {
            let settings = Pages::named(permit.skill(&[Act::Tag])?).settings();
            Ok(Redirect::to(settings.as_str()).into_response())
        }
        Err(error) => shown(app, permit, &Query::default(), Some(Refusal::of(error)?)).await,
    }
}

async fn shown(
    app: &App,
    permit: &Permit,
    query: &Query,
    refusal: Option<Refusal>,
) -> Result<Response, ApiError> {
    let name = permit.skill(&[Act::SeeHidden, Act::Tag])?;
    let session = permit.identity().session().ok_or(ApiError::SessionNeeded)?;
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, name).await?.ok_or_else(skill_not_found)?;
    let lines = lines::of_skill(&mut conn, &skill.id).await?;
    let open = restrictions::open_of(&mut conn, &skill.id).await?;
    let tags = tags::of_skill(&mut conn, &skill.id).await?;
    drop(conn);
    let pages = Pages::named(name);
    let paging = Paging::of(query, lines.len() as u64, PER_PAGE, &pages.settings())?;
    let page_of_lines = lines.iter().skip(paging.offset() as usize).take(PER_PAGE as usize);
    let selectable =
        lines.iter().filter(|line| line.state.is_selectable()).map(|line| line.version.to_string());
    let view = View {
        form: app.web_key().form_field(session),
        owner: name.owner.to_string(),
        slug: name.slug.to_string(),
        skill: pages.skill(),
        settings: pages.settings(),
        deleted: skill.deleted_at.map(Time::of),
        kept_until: skill.name_kept_until.map(Time::of),
        deprecated: skill.deprecated.clone().unwrap_or_default(),
        deeds: links(permit, &pages, of_skill(&skill), None),
        releases: page_of_lines.map(|line| Release::of(permit, &pages, &skill, line, &open)).collect(),
        paging,
        latest: skill.latest.as_ref().map(ToString::to_string).unwrap_or_default(),
        latest_is_set: skill.latest_override.is_some(),
        tags: tags.iter().map(|(tag, version)| (tag.to_string(), version.to_string())).collect(),
        offered: selectable.take(OFFERED).collect(),
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    page(app, status, "settings-skill.html", &frame_of("", &format!("Settings of {name}")), &view)
}

impl Release {
    fn of(permit: &Permit, pages: &Pages, skill: &Skill, line: &Line, open: &[Restriction]) -> Self {
        let deeds = if skill.deleted_at.is_some() { Vec::new() } else { of_release(line, open) };
        Self {
            version: line.version.to_string(),
            address: pages.version(&line.version.to_string()),
            badge: Badge::of(line.state, line.verdict),
            published: Time::of(line.published_at),
            reason: lifecycle::why(open, &line.id, line.state)
                .map(|why| why.reason.clone())
                .unwrap_or_default(),
            deeds: links(permit, pages, deeds, Some(&line.version)),
        }
    }
}

/// What can be done to a skill as it is.
fn of_skill(skill: &Skill) -> Vec<Deed> {
    match (&skill.deleted_at, &skill.deprecated) {
        (Some(_), _) => vec![Deed::Undelete],
        (None, None) => vec![Deed::Deprecate, Deed::Delete],
        (None, Some(_)) => vec![Deed::Deprecate, Deed::Undeprecate, Deed::Delete],
    }
}

/// What can be done to a release as it is.
fn of_release(line: &Line, open: &[Restriction]) -> Vec<Deed> {
    let is = |action| open.iter().any(|one| one.release_id == line.id && one.is(action));
    let mut deeds = Vec::new();
    if is(Action::Yank) {
        deeds.push(Deed::Unyank);
    } else if line.state.is_selectable() {
        deeds.push(Deed::Yank);
    }
    if is(Action::Withdraw) {
        deeds.push(Deed::Restore);
    } else if !matches!(line.state, ReleaseState::Quarantined | ReleaseState::TakenDown) {
        deeds.push(Deed::Withdraw);
    }
    deeds
}

/// Links to those that the user may do.
fn links(permit: &Permit, pages: &Pages, deeds: Vec<Deed>, version: Option<&Version>) -> Vec<Link> {
    let allowed = deeds.into_iter().filter(|deed| permit.also(deed.act()).is_ok());
    let link = |deed: Deed| {
        let address = pages.deed(deed.segment());
        let address = match version {
            Some(version) => address.with("version", &version.to_string()),
            None => address,
        };
        Link { verb: deed.verb(), address }
    };
    allowed.map(link).collect()
}
