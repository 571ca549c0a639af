use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::{Owner, SkillName};
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::own_case::is_own_case;
use super::reason::{ReasonError, check_reason};
use crate::app::App;
use crate::auth::{Act, On, Permit};
use crate::change::{self, Restoration};
use crate::entropy::EntropyError;
use crate::problem::ApiError;
use crate::store::appeals::{self, Answer, Answered, Appeal, NewAppeal};
use crate::store::proposals::Proposal;
use crate::store::releases::{self, Release};
use crate::store::{Conn, StoreError, restrictions, skills};

/// The most appeals about a release that are shown: the one that waits, then the newest.
const SHOWN: u32 = 50;

/// An appeal that was taken, or that was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appealed {
    /// It.
    pub appeal: Appeal,
    /// Whether it was there before, and stands as it was.
    pub already: bool,
}

/// What was decided about an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Granting {
    /// It is answered.
    Answered(Box<Appeal>),
    /// It is to be granted, which waits for a second person.
    Waits {
        /// Where the release stands until then.
        state: ReleaseState,
        /// What is to be approved.
        proposal: Box<Proposal>,
    },
}

/// Why an appeal was not taken, or not decided.
#[derive(Debug, thiserror::Error)]
pub enum AppealError {
    /// There is no skill of that name.
    #[error("there is no {name}")]
    Skill {
        /// What was named.
        name: SkillName,
    },
    /// There is no such release.
    #[error("there is no {name}@{version}")]
    Release {
        /// The skill.
        name: SkillName,
        /// What was named.
        version: Version,
    },
    /// The registry does not close it.
    #[error("{name}@{version} is not closed by the registry: there is nothing to appeal against")]
    Open {
        /// The skill.
        name: SkillName,
        /// The release.
        version: Version,
    },
    /// There is none with that id.
    #[error("there is no appeal {id}")]
    NotFound {
        /// What was named.
        id: String,
    },
    /// Somebody was first.
    #[error("the appeal was answered before")]
    Answered {
        /// How, if that is known.
        answer: Option<Answer>,
    },
    /// The moderator acts for the publisher, or did until lately.
    #[error(
        "this is about {owner}, for which this account acts, or did until lately: somebody else has to decide it"
    )]
    OwnCase {
        /// The publisher.
        owner: Owner,
    },
    /// The reason is none, or too long.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The permit was for something else, or the release is not given back.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl From<AppealError> for ApiError {
    fn from(error: AppealError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            AppealError::Api(error) => return error,
            AppealError::Store(error) => return error.into(),
            AppealError::Entropy(error) => return error.into(),
            AppealError::Reason(error) => return error.into(),
            AppealError::Skill { .. } => answer(StatusCode::NOT_FOUND, "skill-not-found"),
            AppealError::Release { .. } => answer(StatusCode::NOT_FOUND, "version-not-found"),
            AppealError::Open { .. } => answer(StatusCode::CONFLICT, "release-not-closed"),
            AppealError::NotFound { .. } => answer(StatusCode::NOT_FOUND, "appeal-not-found"),
            AppealError::Answered { answer: None } => answer(StatusCode::CONFLICT, "appeal-answered"),
            AppealError::Answered { answer: Some(how) } => {
                answer(StatusCode::CONFLICT, "appeal-answered").with("decision", how.as_str())
            }
            AppealError::OwnCase { ref owner } => {
                answer(StatusCode::FORBIDDEN, "own-case").with("owner", owner.as_str())
            }
        }))
    }
}

/// Asks moderators to look again at what the registry closed. A release has one appeal that waits; a second one is
/// answered with it.
pub async fn appeal(
    app: &App,
    permit: &Permit,
    version: &Version,
    reason: &str,
) -> Result<Appealed, AppealError> {
    let name = permit.skill(&[Act::Appeal])?;
    check_reason(reason)?;
    let mut tx = app.db().quiet().await?;
    // Whoever gives back holds the counter too: nobody appeals against what is being lifted.
    restrictions::lock(tx.conn()).await?;
    permit.confirm(&mut tx).await?;
    let release = release(tx.conn(), name, version).await?;
    if let Some(appeal) = appeals::standing(tx.conn(), &release.id).await? {
        return Ok(Appealed { appeal, already: true });
    }
    let open = restrictions::open_of(tx.conn(), &release.skill_id).await?;
    if !open.iter().any(|one| one.release_id == release.id && one.needs_restoration()) {
        return Err(AppealError::Open { name: name.clone(), version: version.clone() });
    }
    let new = NewAppeal {
        id: app.entropy().id()?,
        release_id: release.id.clone(),
        user_id: permit.identity().user.id.clone(),
        reason: reason.to_owned(),
    };
    let now = tx.now();
    let is_new = appeals::insert(tx.conn(), &new, now).await?;
    let standing = appeals::standing(tx.conn(), &release.id).await?;
    let appeal = standing.ok_or(AppealError::Answered { answer: None })?;
    if is_new {
        let row = permit.audit("appeal", format!("{name}@{version}")).because(reason);
        tx.audit(row.with(json!({ "id": new.id })));
    }
    tx.commit().await?;
    Ok(Appealed { appeal, already: !is_new })
}

/// What members of the publisher said against what closed a release, and what they were answered: the one that waits,
/// then the newest.
pub async fn appeals_about(
    app: &App,
    permit: &Permit,
    version: &Version,
) -> Result<Vec<Appeal>, AppealError> {
    let name = permit.skill(&[Act::SeeHidden])?;
    let mut conn = app.db().read().await?;
    let release = release(&mut conn, name, version).await?;
    Ok(appeals::of_release(&mut conn, &release.id, SHOWN).await?)
}

/// Answers an appeal. Granting it gives the release back, with all that a restoration takes; the words are signed then.
pub async fn decide_appeal(
    app: &App,
    permit: &Permit,
    id: &str,
    answer: Answer,
    note: &str,
) -> Result<Granting, AppealError> {
    permit.user(&[Act::Decide])?;
    check_reason(note)?;
    match answer {
        Answer::Granted => grant(app, permit, id, note).await,
        Answer::Declined => Ok(Granting::Answered(Box::new(decline(app, permit, id, note).await?))),
    }
}

async fn grant(app: &App, permit: &Permit, id: &str, note: &str) -> Result<Granting, AppealError> {
    let appeal = waiting(&mut *app.db().read().await?, id).await?;
    let permit = permit.also(Act::Restore)?.narrow(On::Skill(appeal.name))?;
    match change::restore_for(app, &permit, &appeal.version, note, Some(id)).await? {
        Restoration::Waits { state, proposal } => Ok(Granting::Waits { state, proposal }),
        Restoration::Done(_) => {
            let missing = || AppealError::NotFound { id: id.to_owned() };
            let granted = appeals::by_id(&mut *app.db().read().await?, id).await?.ok_or_else(missing)?;
            Ok(Granting::Answered(Box::new(granted)))
        }
    }
}

async fn decline(app: &App, permit: &Permit, id: &str, note: &str) -> Result<Appeal, AppealError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let appeal = waiting(tx.conn(), id).await?;
    let moderator = &permit.identity().user;
    if is_own_case(&mut tx, moderator, &appeal.name.owner).await? {
        return Err(AppealError::OwnCase { owner: appeal.name.owner });
    }
    let (by, at) = (moderator.name.to_string(), tx.now());
    let answered = Answered { answer: Answer::Declined, by, at, note: note.to_owned() };
    if !appeals::answer(tx.conn(), id, &answered).await? {
        // It waited for the one who was first.
        waiting(tx.conn(), id).await?;
        return Err(AppealError::Answered { answer: None });
    }
    let row = permit.audit("appeal.decline", format!("{}@{}", appeal.name, appeal.version));
    tx.audit(row.because(note).with(json!({ "id": id })));
    tx.commit().await?;
    Ok(Appeal { answered: Some(answered), ..appeal })
}

/// The appeal with that id, while it waits.
async fn waiting(conn: &mut Conn, id: &str) -> Result<Appeal, AppealError> {
    let missing = || AppealError::NotFound { id: id.to_owned() };
    let appeal = appeals::by_id(conn, id).await?.ok_or_else(missing)?;
    match appeal.answered {
        Some(answered) => Err(AppealError::Answered { answer: Some(answered.answer) }),
        None => Ok(appeal),
    }
}

async fn release(conn: &mut Conn, name: &SkillName, version: &Version) -> Result<Release, AppealError> {
    let found = skills::find(conn, name).await?;
    let skill = found.ok_or_else(|| AppealError::Skill { name: name.clone() })?;
    let found = releases::find(conn, &skill.id, version).await?;
    found.ok_or_else(|| AppealError::Release { name: name.clone(), version: version.clone() })
}
