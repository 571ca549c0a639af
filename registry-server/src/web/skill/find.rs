//! The release that a page is about, or the page that says why there is none.

use axum::response::{IntoResponse as _, Redirect, Response};
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::closed::Closed;
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::{Door, pass};
use crate::http::extract::{skill_not_found, version_not_found};
use crate::lifecycle;
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::releases::{self, Release};
use crate::store::restrictions::{self, Restriction};
use crate::store::skills::{self, Skill};
use crate::store::{Conn, aliases, holds};
use crate::web::address::Pages;

/// A release that may be shown, and what is around it.
#[derive(Debug)]
pub(in crate::web) struct Shown {
    pub skill: Skill,
    pub release: Release,
    /// The same release as archives are read by.
    pub line: Line,
    /// Every release of the skill in every state, highest version first.
    pub lines: Vec<Line>,
    /// Every restriction of the skill, oldest first.
    pub restrictions: Vec<Restriction>,
}

/// What a page is made of.
#[derive(Debug)]
pub(in crate::web) enum Visit {
    /// A release to show.
    Shown(Box<Shown>),
    /// Another answer: a closed release, or a name that moved.
    Elsewhere(Box<Response>),
}

impl Shown {
    /// The restriction that says why a release of the skill stands as it does.
    pub(in crate::web) fn why(&self, line: &Line) -> Option<&Restriction> {
        lifecycle::why(&self.restrictions, &line.id, line.state)
    }

    /// Whether it is the one that a name without a version means.
    pub(in crate::web) fn is_latest(&self) -> bool {
        self.skill.latest.as_ref() == Some(&self.release.version)
    }
}

/// Finds a release of `name`: the one that `version` names, else `latest`, else the one that says most to the caller.
pub(in crate::web) async fn find(
    app: &App,
    caller: &Caller,
    name: &SkillName,
    version: Option<&str>,
) -> Result<Visit, ApiError> {
    let mut conn = app.db().read().await?;
    let Some(skill) = skills::find(&mut conn, name).await? else {
        return Ok(Visit::Elsewhere(Box::new(moved(&mut conn, name).await?)));
    };
    let lines = lines::of_skill(&mut conn, &skill.id).await?;
    let owned = caller.sees(&skill.name());
    let line = chosen(&skill, &lines, version, owned)?.clone();
    let restrictions = restrictions::of_skill(&mut conn, &skill.id).await?;
    let why = lifecycle::why(&restrictions, &line.id, line.state);
    let reason = why.map(|why| why.reason.as_str()).unwrap_or_default();
    if let Err(refused) = pass(line.state, Door::Detail, owned, reason) {
        if refused.status() == http::StatusCode::NOT_FOUND || (line.state == ReleaseState::Pending && !owned)
        {
            return Err(refused);
        }
        let waiting = match line.state {
            ReleaseState::Pending => holds::open_on(&mut conn, &skill.id).await?,
            _ => Vec::new(),
        };
        let release = releases::by_id(&mut conn, &line.id).await?.ok_or_else(version_not_found)?;
        let closed = Closed {
            skill: &skill,
            line: &line,
            lines: &lines,
            why,
            findings: &release.findings,
            owned,
            waiting: &waiting,
        };
        let page = closed.page(app, refused.status())?;
        return Ok(Visit::Elsewhere(Box::new(page)));
    }
    let release = releases::by_id(&mut conn, &line.id).await?.ok_or_else(version_not_found)?;
    Ok(Visit::Shown(Box::new(Shown { skill, release, line, lines, restrictions })))
}

fn chosen<'a>(
    skill: &Skill,
    lines: &'a [Line],
    version: Option<&str>,
    owned: bool,
) -> Result<&'a Line, ApiError> {
    if !lines.iter().any(|line| turn(line.state, owned).is_some()) {
        return Err(skill_not_found());
    }
    let wanted: Option<Version> = match version {
        Some(version) => Some(version.parse().map_err(|_| version_not_found())?),
        None => skill.latest.clone(),
    };
    match wanted {
        Some(wanted) => lines.iter().find(|line| line.version == wanted).ok_or_else(version_not_found),
        None => lines
            .iter()
            .filter_map(|line| Some((turn(line.state, owned)?, line)))
            .min_by_key(|(turn, _)| *turn)
            .map(|(_, line)| line)
            .ok_or_else(skill_not_found),
    }
}

/// Whose turn it is where nothing is `latest`: what can be had, then what readers must know of, then the rest; of
/// equals the highest version. Pending and deleted releases are there for their owner alone.
const fn turn(state: ReleaseState, owned: bool) -> Option<u8> {
    match state {
        ReleaseState::Visible | ReleaseState::Suspicious | ReleaseState::Yanked => Some(0),
        ReleaseState::Quarantined | ReleaseState::TakenDown => Some(1),
        ReleaseState::Withdrawn => Some(2),
        ReleaseState::Pending if owned => Some(3),
        ReleaseState::Deleted if owned => Some(4),
        ReleaseState::Pending | ReleaseState::Deleted => None,
    }
}

/// A name that a rename or transfer left behind leads on.
async fn moved(conn: &mut Conn, name: &SkillName) -> Result<Response, ApiError> {
    let id = aliases::find(conn, name).await?.ok_or_else(skill_not_found)?;
    let skill = skills::by_id(conn, &id).await?.ok_or_else(skill_not_found)?;
    Ok(Redirect::temporary(Pages::of(&skill.owner, &skill.slug).skill().as_str()).into_response())
}
