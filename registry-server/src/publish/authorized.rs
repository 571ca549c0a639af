use std::fmt::Write as _;

use jiff::Timestamp;
use skill_core::api::PublishMeta;
use skill_core::digest::TreeDigest;
use skill_core::name::{SkillName, Slug, Tag, slug_is_reserved};
use skill_core::number::{Number, Used, Wanted, choose};
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::predicate::PreviousRelease;

use super::PublishError;
use super::inspected::Inspected;
use crate::app::App;
use crate::auth::{On, Permit};
use crate::lifecycle::{Candidate, latest};
use crate::names;
use crate::store::grants::{self, GrantKind};
use crate::store::holds::{self, NewHold};
use crate::store::lines::{self, Line};
use crate::store::releases::{self, Release};
use crate::store::skills::{self, Skill};
use crate::store::slug_holds::{self, SlugHold};
use crate::store::{Conn, aliases, publishers, restrictions, slugs, tags};

/// A bundle that the caller may publish, and under which name and number.
#[derive(Debug)]
pub(super) struct Authorized {
    pub(super) inspected: Inspected,
    pub(super) place: Place,
}

/// Under which name and number a release goes, as the registry stands now. Nothing is taken yet: whether
/// it still holds is asked again inside the transaction that stores the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) name: SkillName,
    /// That it may go there.
    pub(super) permit: Permit,
    pub(super) version: Version,
    /// The release of this skill that was stored last; `None`: the name is claimed with this one.
    pub(super) previous: Option<PreviousRelease>,
    /// Whether the bare slug is bound with it; only a first release can.
    pub(super) binds_slug: bool,
    /// Why the same bytes are restricted under whatever name.
    pub(super) restricted: Option<String>,
    /// What it waits for before others see it.
    pub(super) holds: Vec<NewHold>,
}

/// What the stage comes to.
#[derive(Debug)]
pub(super) enum Decision<T> {
    /// The release goes to this place.
    Goes(T),
    /// The same content is there already.
    Unchanged(Box<Same>),
}

/// A release that has this content already.
#[derive(Debug)]
pub(super) struct Same {
    pub(super) name: SkillName,
    /// That its tags may be set.
    pub(super) permit: Permit,
    pub(super) release: Release,
    /// The tags that are asked for and do not point to it yet.
    pub(super) tags: Vec<Tag>,
}

impl Authorized {
    /// Decides owner, slug and version.
    pub(super) async fn decide(app: &App, inspected: Inspected) -> Result<Decision<Self>, PublishError> {
        let Inspected { permit, meta, tree, .. } = &inspected;
        let decision = Place::decide(app, permit, meta, *tree).await?;
        Ok(match decision {
            Decision::Goes(place) => Decision::Goes(Self { inspected, place }),
            Decision::Unchanged(same) => Decision::Unchanged(same),
        })
    }
}

impl Place {
    /// Decides by the rules of docs/FORMAT.md, "Names", from what is stored now.
    pub(super) async fn decide(
        app: &App,
        permit: &Permit,
        meta: &PublishMeta,
        tree: TreeDigest,
    ) -> Result<Decision<Self>, PublishError> {
        let mut conn = app.db().read().await?;
        let (name, permit) = may_publish(&mut conn, permit, meta).await?;
        let skill = skills::find(&mut conn, &name).await?;
        let Some(skill) = skill else {
            may_claim(&mut conn, &name, app.clock().now()).await?;
            let place = Self {
                version: first_number(meta),
                previous: None,
                binds_slug: slugs::holder(&mut conn, &name.slug).await?.is_none(),
                restricted: restrictions::why_closed(&mut conn, tree).await?,
                holds: names::of_first_release(app, &mut conn, permit.identity(), &name).await?,
                name,
                permit,
            };
            place.check_tags(meta, None, &[])?;
            return Ok(Decision::Goes(place));
        };
        if skill.deleted_at.is_some() {
            return Err(PublishError::SkillDeleted { owner: name.owner, slug: name.slug });
        }
        if is_taken_down(&mut conn, &skill, app.clock().now()).await? {
            return Err(PublishError::SlugClosed { slug: name.slug });
        }
        let stored = lines::of_skill(&mut conn, &skill.id).await?;
        let version = match choose(&used(&stored), skill.latest.as_ref(), wanted(meta), tree) {
            Number::New(version) => version,
            Number::Taken { version, next } => return Err(PublishError::VersionTaken { version, next }),
            Number::Exhausted { from } => return Err(PublishError::VersionExhausted { from }),
            Number::Same(version) => {
                let same = releases::find(&mut conn, &skill.id, &version).await?;
                let release = same.ok_or(PublishError::Overtaken)?;
                let same = Same::of(&mut conn, (name, permit), &skill, release, meta).await?;
                return Ok(Decision::Unchanged(Box::new(same)));
            }
        };
        let place = Self {
            version,
            previous: last(&stored),
            binds_slug: false,
            restricted: restrictions::why_closed(&mut conn, tree).await?,
            holds: holds::open_on(&mut conn, &skill.id).await?,
            name,
            permit,
        };
        place.check_tags(meta, Some(&skill), &stored)?;
        Ok(Decision::Goes(place))
    }

    /// An explicit `latest` that would not come true is an error, before anything is stored (bug report 93).
    fn check_tags(
        &self,
        meta: &PublishMeta,
        skill: Option<&Skill>,
        stored: &[Line],
    ) -> Result<(), PublishError> {
        let Some(tag) = meta.tags.iter().find(|tag| tag.is_latest()) else { return Ok(()) };
        let mut candidates: Vec<Candidate<'_>> =
            stored.iter().map(|r| Candidate { version: &r.version, state: r.state }).collect();
        candidates.push(Candidate { version: &self.version, state: self.state() });
        let would_be = latest(&candidates, skill.and_then(|skill| skill.latest_override.clone())).version;
        if would_be.as_ref() == Some(&self.version) {
            return Ok(());
        }
        let closed = match self.state() {
            ReleaseState::Quarantined => Some("closed, as its content is quarantined".to_owned()),
            ReleaseState::Pending => Some("held until a moderator has looked at it".to_owned()),
            _ => None,
        };
        Err(not_honoured(tag, &self.version, closed, would_be.as_ref()))
    }

    /// Where the release stands if the scan finds nothing.
    pub(super) fn state(&self) -> ReleaseState {
        match (&self.restricted, self.holds.as_slice()) {
            (Some(_), _) => ReleaseState::Quarantined,
            (None, []) => ReleaseState::Visible,
            (None, _) => ReleaseState::Pending,
        }
    }

    /// The tags that become rows: all but `latest`, which follows by itself.
    pub(super) fn tags(meta: &PublishMeta) -> impl Iterator<Item = &Tag> {
        meta.tags.iter().filter(|tag| !tag.is_latest())
    }
}

impl Same {
    /// Tags are honoured here as with a new release: `latest` must be true, any other is set unless its target is
    /// closed.
    async fn of(
        conn: &mut Conn,
        (name, permit): (SkillName, Permit),
        skill: &Skill,
        release: Release,
        meta: &PublishMeta,
    ) -> Result<Self, PublishError> {
        let set = tags::of_skill(conn, &skill.id).await?;
        let is_so = |tag: &Tag| {
            let points = |(known, version): &(Tag, Version)| known == tag && *version == release.version;
            if tag.is_latest() {
                skill.latest.as_ref() == Some(&release.version)
            } else {
                set.iter().any(points)
            }
        };
        let missing: Vec<Tag> = meta.tags.iter().filter(|tag| !is_so(tag)).cloned().collect();
        let closed = (!release.state.is_selectable()).then(|| release.state.to_string());
        let refused = missing.iter().find(|tag| tag.is_latest() || closed.is_some());
        match refused {
            Some(tag) => Err(not_honoured(tag, &release.version, closed, skill.latest.as_ref())),
            None => Ok(Self { name, permit, release, tags: missing }),
        }
    }
}

/// Why a tag cannot point to a version: it is closed, or `latest` is another.
fn not_honoured(
    tag: &Tag,
    version: &Version,
    closed: Option<String>,
    latest: Option<&Version>,
) -> PublishError {
    let mut why = match closed {
        Some(closed) => closed,
        None if version.is_prerelease() => "a pre-release".to_owned(),
        None if latest.is_some_and(|latest| latest < version) => "not what it was set to".to_owned(),
        None => "older".to_owned(),
    };
    if let Some(latest) = latest.filter(|_| tag.is_latest()) {
        // Writing to a string cannot end in an error.
        let _ = write!(why, "; `latest` is {latest}");
    }
    PublishError::TagNotHonoured { tag: tag.clone(), version: version.clone(), why }
}

/// Whose skill it is to be, if it may be published there.
async fn may_publish(
    conn: &mut Conn,
    permit: &Permit,
    meta: &PublishMeta,
) -> Result<(SkillName, Permit), PublishError> {
    let owner = match &meta.owner {
        Some(owner) => owner.clone(),
        None => permit.identity().own_publisher().clone(),
    };
    if publishers::find(conn, &owner).await?.is_none() {
        return Err(PublishError::OwnerNotFound { owner });
    }
    let name = SkillName::new(owner, meta.slug.clone());
    let permit = permit.narrow(On::Skill(name.clone()))?;
    Ok((name, permit))
}

/// Whether a name that was never used may be taken.
async fn may_claim(conn: &mut Conn, name: &SkillName, at: Timestamp) -> Result<(), PublishError> {
    let SkillName { owner, slug } = name;
    if aliases::find(conn, name).await?.is_some() {
        return Err(PublishError::SlugHeld { owner: owner.clone(), slug: slug.clone() });
    }
    if let Some(hold) = slug_holds::find(conn, slug, at).await? {
        return Err(held(conn, slug, hold).await?);
    }
    let reserved = slug_is_reserved(slug.as_str());
    if reserved && !grants::exists(conn, GrantKind::Slug, slug.as_str(), owner).await? {
        return Err(PublishError::SlugReserved { slug: slug.clone() });
    }
    Ok(())
}

/// Whether the registry took all of a skill down: its name is kept for ever, from its own publisher too, until a release
/// of it is restored.
async fn is_taken_down(conn: &mut Conn, skill: &Skill, at: Timestamp) -> Result<bool, PublishError> {
    let hold = slug_holds::find(conn, &skill.slug, at).await?;
    Ok(hold.is_some_and(|hold| hold.is_of_taken_down(&skill.id)))
}

/// What is told of a slug that is kept.
async fn held(conn: &mut Conn, slug: &Slug, hold: SlugHold) -> Result<PublishError, PublishError> {
    let slug = slug.clone();
    let (Some(until), Some(skill)) = (hold.until, skills::by_id(conn, &hold.skill_id).await?) else {
        return Ok(PublishError::SlugClosed { slug });
    };
    Ok(PublishError::SlugKept { slug, holder: skill.name(), since: hold.since, until })
}

/// The number of a first release: nothing is used yet, so it is free.
fn first_number(meta: &PublishMeta) -> Version {
    meta.version.clone().unwrap_or(Version::FIRST)
}

fn wanted(meta: &PublishMeta) -> Wanted {
    Wanted::of(meta.version.clone(), meta.bump)
}

fn used(stored: &[Line]) -> Vec<Used> {
    let used = stored.iter().map(|release| Used {
        version: release.version.clone(),
        tree: release.tree_digest,
        state: release.state,
        log_index: release.log_index,
    });
    used.collect()
}

/// The release that was stored last, by its place in the log.
pub(super) fn last(stored: &[Line]) -> Option<PreviousRelease> {
    let last = stored.iter().max_by_key(|release| release.log_index)?;
    Some(PreviousRelease { version: last.version.clone(), statement: last.release_statement })
}
