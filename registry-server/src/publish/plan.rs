use skill_core::api::{PublishMeta, PublishPlan, RulesetId};
use skill_core::digest::TreeDigest;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_scan::RuleSet;

use super::authorized::{Decision, Place};
use super::{PublishError, received, waiting};
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::body_unreadable;
use crate::problem::ApiError;

/// Says what a publish of this content would come to now. It is the chain itself up to the place, so that what is told and
/// what is done are one. Of the files nothing is known here but their digest: what they hold is judged when they come.
pub(crate) async fn plan(app: &App, permit: &Permit, json: &[u8]) -> Result<PublishPlan, ApiError> {
    let meta = received::meta(json).map_err(body_unreadable)?;
    let tree = meta.tree_digest.ok_or_else(|| body_unreadable("`treeDigest` is missing".to_owned()))?;
    Ok(planned(app, permit, &meta, tree).await?)
}

async fn planned(
    app: &App,
    permit: &Permit,
    meta: &PublishMeta,
    tree: TreeDigest,
) -> Result<PublishPlan, PublishError> {
    Ok(match Place::decide(app, permit, meta, tree).await? {
        Decision::Goes(place) => PublishPlan {
            status: place.state(),
            previous: place.previous.as_ref().map(|previous| previous.version.clone()),
            tags: Place::tags(meta).cloned().collect(),
            waiting: place.holds.iter().cloned().map(waiting).collect(),
            ..at(app, place.name, place.version)
        },
        Decision::Unchanged(same) => PublishPlan {
            status: same.release.row.state,
            unchanged: true,
            verdict: Some(same.release.row.verdict),
            tags: same.tags,
            ..at(app, same.name, same.release.row.version)
        },
    })
}

/// A release that is new there.
fn at(app: &App, name: SkillName, version: Version) -> PublishPlan {
    let rules = RuleSet::builtin();
    PublishPlan {
        url: app.page_of(&name),
        owner: name.owner,
        slug: name.slug,
        version,
        previous: None,
        verdict: None,
        status: ReleaseState::Visible,
        unchanged: false,
        tags: Vec::new(),
        waiting: Vec::new(),
        ruleset: RulesetId { name: rules.name().to_owned(), sha256: rules.sha256() },
        limits: app.publishing().limits,
    }
}
