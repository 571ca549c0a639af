use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodRouter, get, post};
use http::StatusCode;
use jiff::SignedDuration;
use serde::Serialize;
use skill_core::name::SkillName;
use skill_core::version::Version;

use super::deed::Deed;
use super::{Refusal, frame_of};
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{Query, skill_not_found, version_not_found};
use crate::problem::ApiError;
use crate::store::{lines, releases, skills, slugs};
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;
use crate::web::words::{Time, counted};

#[derive(Debug, Serialize)]
struct View {
    form: String,
    owner: String,
    slug: String,
    /// Of a release, else empty.
    version: String,
    badge: Option<Badge>,
    links: Links,
    verb: &'static str,
    consequences: Vec<String>,
    field: &'static str,
    needs_a_reason: bool,
    reason: String,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Links {
    skill: Address,
    settings: Address,
    this: Address,
}

/// The page of a deed.
pub(in crate::web) fn asks(deed: Deed) -> MethodRouter<App> {
    get(async move |State(app): State<App>, Extension(permit): Extension<Permit>, query: Query| {
        let version = read(deed, query.text("version").unwrap_or_default())?;
        shown(&app, &permit, deed, version.as_ref(), None).await
    })
}

/// The form of that page.
pub(in crate::web) fn does(deed: Deed) -> MethodRouter<App> {
    post(async move |State(app): State<App>, Extension(permit): Extension<Permit>, form: Form| {
        app.disk().room()?;
        let version = read(deed, form.text("version"))?;
        if let Err(error) = done(&app, &permit, deed, version.as_ref(), &form).await {
            let refused = (form.text("reason"), Refusal::of(error)?);
            return shown(&app, &permit, deed, version.as_ref(), Some(refused)).await;
        }
        let settings = Pages::named(permit.skill(&[deed.act()])?).settings();
        Ok(Redirect::to(settings.as_str()).into_response())
    })
}

fn read(deed: Deed, version: &str) -> Result<Option<Version>, ApiError> {
    if !deed.is_of_a_release() {
        return Ok(None);
    }
    version.parse().map(Some).map_err(|_| version_not_found())
}

async fn done(
    app: &App,
    permit: &Permit,
    deed: Deed,
    version: Option<&Version>,
    form: &Form,
) -> Result<(), ApiError> {
    let reason = form.text("reason").trim();
    if deed.needs_a_reason() && reason.is_empty() {
        return Err(unreadable("a reason is needed, so that others understand it"));
    }
    app.disk().noted(deed.done(app, permit, version, reason).await)
}

async fn shown(
    app: &App,
    permit: &Permit,
    deed: Deed,
    version: Option<&Version>,
    refused: Option<(&str, Refusal)>,
) -> Result<Response, ApiError> {
    let name = permit.skill(&[deed.act()])?;
    let session = permit.identity().session().ok_or(ApiError::SessionNeeded)?;
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, name).await?.ok_or_else(skill_not_found)?;
    let release = match version {
        Some(version) => {
            Some(releases::find(&mut conn, &skill.id, version).await?.ok_or_else(version_not_found)?)
        }
        None => None,
    };
    drop(conn);
    let pages = Pages::named(name);
    let version = version.map(ToString::to_string).unwrap_or_default();
    let what = if version.is_empty() { name.to_string() } else { format!("{name} {version}") };
    let (reason, refusal) = refused.unzip();
    let mut consequences: Vec<String> = deed.consequences().iter().map(|one| (*one).to_owned()).collect();
    if matches!(deed, Deed::Delete | Deed::Undelete) {
        consequences.insert(0, of_the_skill(app, deed, name, &skill.id).await?);
    }
    let view = View {
        form: app.web_key().form_field(session),
        owner: name.owner.to_string(),
        slug: name.slug.to_string(),
        badge: release.map(|release| Badge::of(release.state, release.verdict)),
        links: Links { skill: pages.skill(), settings: pages.settings(), this: pages.deed(deed.segment()) },
        verb: deed.verb(),
        consequences,
        field: deed.field(),
        needs_a_reason: deed.needs_a_reason(),
        reason: reason.unwrap_or_default().to_owned(),
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
        version,
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    page(app, status, "settings-deed.html", &frame_of("", &format!("{} {what}", deed.verb())), &view)
}

/// How many releases it concerns, and what becomes of the bare name.
async fn of_the_skill(app: &App, deed: Deed, name: &SkillName, id: &str) -> Result<String, ApiError> {
    let mut conn = app.db().read().await?;
    let releases = counted(lines::of_skill(&mut conn, id).await?.len() as u64, "release");
    let holds_bare = slugs::holder(&mut conn, &name.slug).await?.as_deref() == Some(id);
    drop(conn);
    Ok(match deed {
        Deed::Delete if holds_bare => {
            let keep =
                SignedDuration::try_from(app.config().names.keep_deleted).map_err(ApiError::internal)?;
            let until = Time::of(app.clock().now().checked_add(keep).map_err(ApiError::internal)?).day;
            format!(
                "It has {releases}. The bare name {} is kept for it until {until}; after that anybody may take it.",
                name.slug
            )
        }
        Deed::Delete => format!("It has {releases}. The bare name {} means another skill.", name.slug),
        _ => format!(
            "It has {releases}. The bare name {} is its own again unless somebody took it meanwhile.",
            name.slug
        ),
    })
}
