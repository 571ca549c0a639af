use http::StatusCode;
use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::predicate::{Restriction, RestrictionPredicate};
use skill_trust::{Content, Kind, Role, Statement, TrustEnvelope};

use crate::app::App;
use crate::problem::ApiError;
use crate::signing::{envelope, sign};
use crate::store::WriteTx;
use crate::store::log::NewStatement;
use crate::store::restrictions;

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
    reason: &str,
    actor: &str,
) -> Result<u64, ApiError> {
    let sequence = restrictions::next_sequence(tx.conn()).await?;
    let at = tx.now();
    let predicate = RestrictionPredicate {
        registry: app.registry_id(),
        owner: subject.name.owner.clone(),
        slug: subject.name.slug.clone(),
        version: subject.version.clone(),
        action,
        reason: reason.to_owned(),
        sequence,
        at,
    };
    let statement = Statement::restriction(subject.content, predicate);
    let signed = sign(app, Role::Restrict, &statement)?;
    if action == Restriction::Yank {
        check_room(tx, subject, &signed).await?;
    }
    let logged = tx
        .log(&NewStatement {
            kind: statement.kind().to_string(),
            envelope: signed,
            skill_id: Some(subject.skill_id.to_owned()),
            release_id: Some(subject.release_id.to_owned()),
        })
        .await?;
    restrictions::insert(
        tx.conn(),
        &restrictions::Restriction {
            sequence,
            action,
            skill_id: subject.skill_id.to_owned(),
            release_id: subject.release_id.to_owned(),
            tree_digest: subject.content.tree,
            reason: reason.to_owned(),
            actor: actor.to_owned(),
            statement: logged,
            at,
            lifted_by: None,
        },
    )
    .await?;
    Ok(sequence)
}

async fn check_room(tx: &mut WriteTx, subject: &Subject<'_>, signed: &str) -> Result<(), ApiError> {
    let mut statements = envelope::in_force(tx.conn(), subject.skill_id, subject.release_id).await?;
    statements.push(envelope::pending(Kind::Restriction, signed, 0)?);
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
