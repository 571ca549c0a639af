//! States follow from restrictions, `latest` from states, through the rows.

use skill_core::state::ReleaseState;
use skill_registry::lifecycle::{Override, settle};
use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::restrictions::Action;
use skill_registry::store::skills::Skill;
use skill_registry::store::{Db, lines, restrictions, skills};

use crate::support::rows::{publish, restrict};

async fn standing(db: &Db, skill: &Skill) -> (Option<String>, Vec<(String, ReleaseState)>) {
    let mut conn = db.read().await.unwrap();
    let skill = skills::by_id(&mut conn, &skill.id).await.unwrap().unwrap();
    let releases = lines::of_skill(&mut conn, &skill.id).await.unwrap();
    let states = releases.iter().map(|r| (r.version.to_string(), r.state)).collect();
    (skill.latest.map(|v| v.to_string()), states)
}

on_both_engines! {
    async fn a_yank_closes_and_an_unyank_opens(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let (skill, second, _) = publish(&registry.app, "ada/github", &ada.id, "2.0.0").await.unwrap().unwrap();

        assert_eq!(restrict(db, &skill, &second, Action::Yank, &[]).await.unwrap(), 1);
        let (latest, states) = standing(db, &skill).await;
        assert_eq!(latest.as_deref(), Some("1.0.0"));
        assert_eq!(states[0].1, ReleaseState::Yanked);

        assert_eq!(restrict(db, &skill, &second, Action::Unyank, &[Action::Yank]).await.unwrap(), 2);
        let (latest, states) = standing(db, &skill).await;
        assert_eq!(latest.as_deref(), Some("2.0.0"));
        assert_eq!(states[0].1, ReleaseState::Visible);

        let rows = restrictions::of_skill(&mut db.read().await.unwrap(), &skill.id).await.unwrap();
        let lifted: Vec<_> = rows.iter().map(|r| (r.sequence, r.entry.as_str(), r.lifted_by, r.is_open())).collect();
        assert_eq!(lifted, [(1, "yank", Some(2), false), (2, "unyank", None, false)]);
    }

    async fn a_quarantine_under_a_yank_stays_when_the_yank_is_lifted(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, release, _) = publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        restrict(db, &skill, &release, Action::Yank, &[]).await.unwrap();
        restrict(db, &skill, &release, Action::Quarantine, &[]).await.unwrap();
        restrict(db, &skill, &release, Action::Unyank, &[Action::Yank]).await.unwrap();
        assert_eq!(standing(db, &skill).await, (None, vec![("1.0.0".to_owned(), ReleaseState::Quarantined)]));
        let on_bytes =
            restrictions::on_bytes(&mut db.read().await.unwrap(), release.tree_digest).await.unwrap();
        assert_eq!(on_bytes.iter().map(|r| r.entry).collect::<Vec<_>>(), [restrictions::Entry::Restriction(Action::Quarantine)]);
    }

    async fn an_override_of_latest_ends_with_a_higher_number(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let (skill, ..) = publish(&registry.app, "ada/github", &ada.id, "2.0.0").await.unwrap().unwrap();
        let set = Override { target: "1.0.0".parse().unwrap(), above: "2.0.0".parse().unwrap() };
        let mut tx = db.write().await.unwrap();
        let now = tx.now();
        let locked = skills::lock(tx.conn(), &skill.id, now).await.unwrap().unwrap();
        let settled = settle(tx.conn(), &locked, Some(set.clone())).await.unwrap();
        assert_eq!(settled.latest, Some(set.target));
        tx.commit(NewEvent::of_skill(EventKind::TagChanged, locked.owner, &skill.id)).await.unwrap();

        publish(&registry.app, "ada/github", &ada.id, "1.0.1").await.unwrap().unwrap();
        assert_eq!(standing(db, &skill).await.0.as_deref(), Some("1.0.0"));
        publish(&registry.app, "ada/github", &ada.id, "2.0.1").await.unwrap().unwrap();
        assert_eq!(standing(db, &skill).await.0.as_deref(), Some("2.0.1"));
        let ended = skills::by_id(&mut db.read().await.unwrap(), &skill.id).await.unwrap().unwrap();
        assert_eq!(ended.latest_override, None);
    }

    async fn sequences_are_not_lost_with_a_dropped_transaction(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, release, _) = publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let mut tx = db.write().await.unwrap();
        assert_eq!(restrictions::next_sequence(tx.conn()).await.unwrap(), 1);
        drop(tx);
        assert_eq!(restrict(db, &skill, &release, Action::Yank, &[]).await.unwrap(), 1);
    }
}
