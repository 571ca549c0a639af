use jiff::{SignedDuration, Timestamp};
use skill_core::alike::alike;
use skill_core::name::SkillName;

use super::MuchUsed;
use crate::app::App;
use crate::auth::Identity;
use crate::store::grants::{self, GrantKind};
use crate::store::holds::{HoldKind, NewHold};
use crate::store::users::SiteRole;
use crate::store::{Conn, StoreError, skills};

/// What the first release of a name waits for, in the order of [`HoldKind`].
///
/// Nothing that a moderator publishes is held, and no name that was granted to its publisher.
pub(crate) async fn of_first_release(
    app: &App,
    conn: &mut Conn,
    by: &Identity,
    name: &SkillName,
) -> Result<Vec<NewHold>, StoreError> {
    let granted = grants::exists(conn, GrantKind::Slug, name.slug.as_str(), &name.owner).await?;
    if by.user.role >= SiteRole::Moderator || granted {
        return Ok(Vec::new());
    }
    let used = MuchUsed::names(app).await?;
    let mut holds: Vec<NewHold> = look_alike(name, &used).into_iter().collect();
    holds.extend(many_at_once(app, conn, by).await?);
    Ok(holds)
}

/// The first of the much-used names for which this one is easily taken. Names of the same publisher are none of them.
fn look_alike(name: &SkillName, used: &[SkillName]) -> Option<NewHold> {
    let mut others = used.iter().filter(|known| known.owner != name.owner);
    let (known, how) = others.find_map(|known| Some((known, alike(&name.slug, &known.slug)?)))?;
    Some(NewHold { kind: HoldKind::LookAlike, why: format!("its name is nearly {known}: {how}") })
}

async fn many_at_once(app: &App, conn: &mut Conn, by: &Identity) -> Result<Option<NewHold>, StoreError> {
    let (limits, now) = (&app.config().limits, app.clock().now());
    let held = |why| Some(NewHold { kind: HoldKind::FirstPublishes, why });
    let young = SignedDuration::try_from(limits.new_account).unwrap_or(SignedDuration::MAX);
    if now.duration_since(by.user.created_at) < young {
        return Ok(held("new names of a young account are looked at first".to_owned()));
    }
    let day_ago = now.checked_sub(SignedDuration::from_hours(24)).unwrap_or(Timestamp::MIN);
    let most = limits.new_skills_day;
    if most > 0 && skills::made_since(conn, &by.user.id, day_ago).await? >= most {
        return Ok(held(format!("more than {most} new names in 24 hours are looked at first")));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_names_and_equal_ones_are_no_look_alikes() {
        let used = ["acme/github", "acme/sheets"].map(|name| name.parse().unwrap());
        let told = |name: &str| look_alike(&name.parse().unwrap(), &used).map(|hold| hold.why);
        assert_eq!(told("eve/githb").as_deref(), Some("its name is nearly acme/github: one letter differs"));
        assert_eq!(told("acme/githb"), None);
        assert_eq!(told("eve/github"), None);
        assert_eq!(told("eve/weather"), None);
    }
}
