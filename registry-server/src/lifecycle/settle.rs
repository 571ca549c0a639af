use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::{Candidate, Facts, Override, latest, state};
use crate::store::restrictions::{self, Action, Restriction};
use crate::store::skills::{self, Skill};
use crate::store::{Conn, StoreError, releases};

/// What [`settle`] found and wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// What `latest` means now.
    pub latest: Option<Version>,
    /// The ids of the releases whose state changed, with the new state.
    pub changed: Vec<(String, ReleaseState)>,
}

/// Brings the states of a skill's releases, and what `latest` means there, in line with the facts.
///
/// `skill` was locked in this transaction ([`skills::claim`] or [`skills::lock`]), and
/// `latest_override` is its override, or the one about to be set.
pub async fn settle(
    conn: &mut Conn,
    skill: &Skill,
    latest_override: Option<Override>,
) -> Result<Settled, StoreError> {
    let restrictions = restrictions::open_of(conn, &skill.id).await?;
    let mut releases = releases::standings(conn, &skill.id).await?;
    let mut changed = Vec::new();
    for release in &mut releases {
        let of_release = restrictions.iter().filter(|r| r.release_id == release.id);
        let open: Vec<Action> = of_release.filter_map(Restriction::open).collect();
        let now = state(Facts { verdict: release.verdict, awaiting: release.awaiting > 0, open: &open });
        if now != release.state {
            releases::set_state(conn, &release.id, now).await?;
            release.state = now;
            changed.push((release.id.clone(), now));
        }
    }
    let candidates: Vec<_> =
        releases.iter().map(|r| Candidate { version: &r.version, state: r.state }).collect();
    let found = latest(&candidates, latest_override);
    skills::set_latest(conn, &skill.id, found.version.as_ref(), found.latest_override.as_ref()).await?;
    Ok(Settled { latest: found.version, changed })
}
