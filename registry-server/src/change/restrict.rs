use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::predicate::{Restriction, RestrictionPredicate, TakedownScope};
use skill_trust::{Content, Role, Statement};

use crate::app::App;
use crate::problem::ApiError;
use crate::signing::sign;
use crate::store::WriteTx;
use crate::store::log::NewStatement;
use crate::store::restrictions::{self, Action, Binds};

/// The release that is restricted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a SkillName,
    pub(crate) skill_id: &'a str,
    pub(crate) release_id: &'a str,
    pub(crate) version: &'a Version,
    pub(crate) content: Content,
}

/// Signs and logs a restriction and keeps its row, in the transaction that locked the skill. The caller
/// settles the skill's states afterwards. Answers with the restriction's number.
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
    let logged = tx
        .log(&NewStatement {
            kind: statement.kind().to_string(),
            envelope: sign(app, Role::Restrict, &statement)?,
            skill_id: Some(subject.skill_id.to_owned()),
            release_id: Some(subject.release_id.to_owned()),
        })
        .await?;
    let stored = stored_action(action);
    restrictions::insert(
        tx.conn(),
        &restrictions::Restriction {
            sequence,
            action: stored,
            binds: if action.binds_bytes() { Binds::Bytes } else { Binds::Release },
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

/// The row's word for what is signed.
const fn stored_action(action: Restriction) -> Action {
    match action {
        Restriction::Yank => Action::Yank,
        Restriction::Unyank => Action::Unyank,
        Restriction::Withdraw => Action::Withdraw,
        Restriction::Delete => Action::Delete,
        Restriction::Undelete => Action::Undelete,
        Restriction::Quarantine => Action::Quarantine,
        Restriction::Takedown(TakedownScope::Bytes | TakedownScope::Release) => Action::Takedown,
    }
}
