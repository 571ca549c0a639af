//! From what a request names to the skill and the release that it means.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use skill_core::api::Problem;
use skill_core::name::{SkillName, Tag};
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::wire::{Ambiguous, Candidate};
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::{Door, pass};
use crate::http::extract::{Query, Wanted, skill_not_found, version_not_found};
use crate::lifecycle::why;
use crate::problem::ApiError;
use crate::store::lines::{self, Line};
use crate::store::skills::{self, Skill};
use crate::store::{Conn, StoreError, aliases, holds, restrictions, slug_holds, slugs, tags};

/// Why there is no answer about a skill.
#[derive(Debug)]
pub(crate) enum Miss {
    /// One of the usual reasons.
    Refused(ApiError),
    /// A bare slug that nobody holds: JSON that clients render as a list (contract 0, "Errors").
    Ambiguous(Box<Ambiguous>),
}

impl From<ApiError> for Miss {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<StoreError> for Miss {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl Miss {
    /// As our own routes say it.
    pub(super) fn into_problem(self) -> ApiError {
        match self {
            Self::Refused(error) => error,
            Self::Ambiguous(ambiguous) => {
                let Ambiguous { message, slug, matches, .. } = *ambiguous;
                let names: Vec<String> =
                    matches.iter().map(|one| format!("{}/{}", one.owner_handle, one.slug)).collect();
                let problem = Problem::new(StatusCode::CONFLICT.as_u16(), "slug-ambiguous", message);
                ApiError::Problem(Box::new(problem.with("slug", slug.as_str()).with("matches", names)))
            }
        }
    }
}

impl IntoResponse for Miss {
    fn into_response(self) -> Response {
        match self {
            Self::Refused(error) => error.into_response(),
            Self::Ambiguous(ambiguous) => {
                (StatusCode::CONFLICT, super::answer::json(&*ambiguous)).into_response()
            }
        }
    }
}

/// The skill that is meant. A bare slug means the skill that holds it; held by nobody, it means none, and
/// whoever uses it is listed (docs/FORMAT.md, "Names").
pub(super) async fn skill(app: &App, conn: &mut Conn, wanted: &Wanted) -> Result<Skill, Miss> {
    let Wanted { owner, slug } = wanted;
    if let Some(owner) = owner {
        let name = SkillName::new(owner.clone(), slug.clone());
        return Ok(aliases::resolve(conn, &name).await?.ok_or_else(skill_not_found)?);
    }
    if let Some(id) = slugs::holder(conn, slug).await? {
        return Ok(skills::by_id(conn, &id).await?.ok_or_else(skill_not_found)?);
    }
    let mut users = skills::with_slug(conn, slug).await?;
    users.retain(|skill| skill.latest.is_some());
    if users.is_empty() {
        // Its last holder deleted the skill: whoever asks is told so, as far as they may know.
        let hold = slug_holds::find(conn, slug, app.clock().now()).await?.ok_or_else(skill_not_found)?;
        return Ok(skills::by_id(conn, &hold.skill_id).await?.ok_or_else(skill_not_found)?);
    }
    let matches = users.iter().map(|skill| Candidate {
        owner_handle: skill.owner.clone(),
        slug: skill.slug.clone(),
        reference: format!("@{}", skill.name()),
        url: app.page_of(&skill.name()),
    });
    Err(Miss::Ambiguous(Box::new(Ambiguous {
        code: "AMBIGUOUS_SKILL_SLUG",
        message: match users.as_slice() {
            // It stands there without its bare slug, which somebody else had or has.
            [only] => format!("nobody holds the slug {slug}; name {} by its owner", only.name()),
            _ => format!("{slug} is published by several owners; name one"),
        },
        slug: slug.clone(),
        matches: matches.collect(),
    })))
}

/// Which release a query asks for.
#[derive(Debug, Clone)]
pub(super) enum Choice {
    Version(Version),
    Tag(Tag),
    Latest,
}

impl Choice {
    /// `version`, else `tag`, else the latest. What cannot be one is not found.
    pub(super) fn of(query: &Query) -> Result<Self, ApiError> {
        if let Some(version) = query.text("version") {
            return version.parse().map(Self::Version).map_err(|_| version_not_found());
        }
        let tag: Option<Tag> =
            query.text("tag").map(str::parse).transpose().map_err(|_| version_not_found())?;
        Ok(tag.filter(|tag| !tag.is_latest()).map_or(Self::Latest, Self::Tag))
    }
}

/// The release of `skill` that is asked for, if it may go through `door`.
pub(super) async fn release(
    conn: &mut Conn,
    skill: &Skill,
    choice: &Choice,
    door: Door,
    caller: &Caller,
) -> Result<Line, ApiError> {
    let version = match choice {
        Choice::Version(version) => Some(version.clone()),
        Choice::Latest => skill.latest.clone(),
        Choice::Tag(tag) => {
            let tags = tags::of_skill(conn, &skill.id).await?;
            Some(tags.into_iter().find(|(name, _)| name == tag).ok_or_else(version_not_found)?.1)
        }
    };
    let found = if let Some(version) = version {
        lines::find(conn, &skill.id, &version).await?
    } else {
        closest(lines::of_skill(conn, &skill.id).await?, door)
    };
    let release = found.ok_or_else(version_not_found)?;
    let reason = reason(conn, &release).await?;
    pass(release.state, door, caller.sees(&skill.name()), &reason)?;
    Ok(release)
}

/// What stands for a skill of which no release may be chosen: to be shown, the highest that can be; else, and
/// where none can, the highest says by its state why there is none.
fn closest(all: Vec<Line>, door: Door) -> Option<Line> {
    let shown = all.iter().position(|release| release.state.is_downloadable());
    let index = match (shown, door) {
        (Some(_), Door::Download) => None,
        (Some(index), Door::Detail) => Some(index),
        (None, _) => Some(0),
    };
    index.and_then(|index| all.into_iter().nth(index))
}

/// Why a release is closed; empty if it is not.
async fn reason(conn: &mut Conn, release: &Line) -> Result<String, StoreError> {
    if release.state.is_downloadable() {
        return Ok(String::new());
    }
    if release.state == ReleaseState::Pending {
        let holds = holds::open_on(conn, &release.skill_id).await?;
        return Ok(holds.into_iter().map(|hold| hold.why).collect::<Vec<_>>().join("; "));
    }
    let open = restrictions::open_of(conn, &release.skill_id).await?;
    Ok(why(&open, &release.id, release.state).map(|why| why.reason.clone()).unwrap_or_default())
}
