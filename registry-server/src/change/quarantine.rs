use std::collections::BTreeMap;

use skill_trust::Content;
use skill_trust::predicate::Restriction;

use super::{Subject, restrict};
use crate::app::App;
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::skills::Skill;
use crate::store::{WriteTx, releases, restrictions, skills};

/// Closes bytes: the release of the subject, and every release that has the same content under another name or
/// number, each with a statement of its own. The other skills are settled here; the caller settles the
/// subject's. A release that was restored stays so: nobody closes it by publishing its bytes once more. Who means
/// it names it as the subject.
///
/// The transaction has locked the content, the counter of restrictions and the subject's skill, in this order,
/// so that no release of this content comes in between.
pub async fn quarantine(
    app: &App,
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    reason: &str,
    actor: &str,
) -> Result<(), ApiError> {
    restrict(app, tx, subject, Restriction::Quarantine, reason, actor).await?;
    let tree = subject.content.tree;
    let closed: Vec<String> = restrictions::on_bytes(tx.conn(), tree)
        .await?
        .into_iter()
        .map(|restriction| restriction.release_id)
        .collect();
    let mut others: BTreeMap<String, Skill> = BTreeMap::new();
    for release in releases::with_tree(tx.conn(), tree).await? {
        if closed.contains(&release.id) {
            continue;
        }
        let now = tx.now();
        // Locking it again changes nothing for the subject's own skill.
        let Some(skill) = skills::lock(tx.conn(), &release.skill_id, now).await? else { continue };
        let same = Subject {
            name: &skill.name(),
            skill_id: &skill.id,
            release_id: &release.id,
            version: &release.version,
            content: Content { archive: release.archive_sha256, tree },
        };
        restrict(app, tx, &same, Restriction::Quarantine, reason, actor).await?;
        if skill.id != subject.skill_id {
            others.insert(skill.id.clone(), skill);
        }
    }
    for skill in others.into_values() {
        for (release_id, _) in settle(tx.conn(), &skill, skill.latest_override.clone()).await?.changed {
            tx.also(NewEvent::of_release(
                EventKind::StateChanged,
                skill.owner.clone(),
                &skill.id,
                &release_id,
            ));
        }
    }
    Ok(())
}
