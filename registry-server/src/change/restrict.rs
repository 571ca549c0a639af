use http::StatusCode;
use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::predicate::{RestorationPredicate, Restriction, RestrictionPredicate};
use skill_trust::{Content, Kind, Role, Statement, TrustEnvelope};

use crate::app::App;
use crate::problem::ApiError;
use crate::signing::{envelope, sign};
use crate::store::WriteTx;
use crate::store::log::NewStatement;
use crate::store::restrictions::{self, Entry};

/// The release that is restricted.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The skill.
    pub name: &'a SkillName,
    /// Its id.
    pub skill_id: &'a str,
    /// The release's id.
    pub release_id: &'a str,
    /// Its number.
    pub version: &'a Version,
    /// Its bytes.
    pub content: Content,
}

/// What is said about it, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// Why, for people; it is signed.
    pub reason: &'a str,
    /// For the publisher alone; empty: nothing.
    pub note: &'a str,
    /// A user's name, or [`REGISTRY`](restrictions::REGISTRY).
    pub by: &'a str,
}

impl<'a> Said<'a> {
    /// A reason, and nothing beside it.
    pub const fn openly(reason: &'a str, by: &'a str) -> Self {
        Self { reason, note: "", by }
    }
}

/// Signs and logs a restriction and keeps its row, in the transaction that locked the counter of restrictions
/// and the skill. The caller settles the skill's states afterwards. Answers with the restriction's number.
///
/// A yank is refused if it would make the trust envelope too long to be served. Whatever closes a release never is:
/// nobody fills an envelope to be spared a quarantine, and that of a closed release is not served. What undoes one
/// goes out of the envelope with it.
pub(crate) async fn restrict(
    app: &App,
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    action: Restriction,
    said: Said<'_>,
) -> Result<u64, ApiError> {
    let sequence = restrictions::next_sequence(tx.conn()).await?;
    let predicate = RestrictionPredicate {
        registry: app.registry_id(),
        owner: subject.name.owner.clone(),
        slug: subject.name.slug.clone(),
        version: subject.version.clone(),
        action,
        reason: said.reason.to_owned(),
        sequence,
        at: tx.now(),
    };
    let statement = Statement::restriction(subject.content, predicate);
    let signed = sign(app, Role::Restrict, &statement)?;
    if action == Restriction::Yank {
        check_room(tx, subject, Kind::Restriction, &[&signed]).await?;
    }
    keep(tx, subject, Entry::Restriction(action), sequence, signed, said).await?;
    Ok(sequence)
}

/// Lifts quarantines and takedowns, by their numbers: signs, logs and keeps a restoration of each, as [`restrict`] does a
/// restriction. The pairs stay in the trust envelope; if there is no room for all of them none is lifted.
pub(super) async fn lift(
    app: &App,
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    lifts: &[u64],
    said: Said<'_>,
) -> Result<(), ApiError> {
    let mut signed = Vec::with_capacity(lifts.len());
    for &lifts in lifts {
        let sequence = restrictions::next_sequence(tx.conn()).await?;
        let predicate = RestorationPredicate {
            registry: app.registry_id(),
            owner: subject.name.owner.clone(),
            slug: subject.name.slug.clone(),
            version: subject.version.clone(),
            lifts,
            reason: said.reason.to_owned(),
            sequence,
            at: tx.now(),
        };
        let statement = Statement::restoration(subject.content, predicate);
        signed.push((lifts, sequence, sign(app, Role::Restore, &statement)?));
    }
    let new: Vec<&str> = signed.iter().map(|(_, _, signed)| signed.as_str()).collect();
    check_room(tx, subject, Kind::Restoration, &new).await?;
    for (lifts, sequence, signed) in signed {
        keep(tx, subject, Entry::Restoration, sequence, signed, said).await?;
        restrictions::lift_one(tx.conn(), lifts, sequence).await?;
    }
    Ok(())
}

async fn keep(
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    entry: Entry,
    sequence: u64,
    envelope: String,
    said: Said<'_>,
) -> Result<(), ApiError> {
    let kind = match entry {
        Entry::Restriction(_) => Kind::Restriction,
        Entry::Restoration => Kind::Restoration,
    };
    let (skill_id, release_id) = (subject.skill_id.to_owned(), subject.release_id.to_owned());
    let statement = NewStatement {
        kind: kind.to_string(),
        envelope,
        skill_id: Some(skill_id.clone()),
        release_id: Some(release_id.clone()),
    };
    let statement = tx.log(&statement).await?;
    let row = restrictions::Restriction {
        sequence,
        entry,
        skill_id,
        release_id,
        tree_digest: subject.content.tree,
        reason: said.reason.to_owned(),
        note: said.note.to_owned(),
        actor: said.by.to_owned(),
        statement,
        at: tx.now(),
        lifted_by: None,
    };
    Ok(restrictions::insert(tx.conn(), &row).await?)
}

async fn check_room(
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    kind: Kind,
    new: &[&str],
) -> Result<(), ApiError> {
    let mut statements = envelope::in_force(tx.conn(), subject.skill_id, subject.release_id).await?;
    for (signed, before) in new.iter().zip((0..new.len() as u64).rev()) {
        statements.push(envelope::pending(kind, signed, before)?);
    }
    match TrustEnvelope::new(statements) {
        Ok(_) => Ok(()),
        Err(TrustEnvelopeError::TooLarge { .. }) => Err(ApiError::Other {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "envelope-large",
            title: "the signed facts about the release would be too long with this one".to_owned(),
        }),
        Err(other) => Err(ApiError::internal(other)),
    }
}
