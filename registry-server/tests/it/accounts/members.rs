//! Roles, leaving, and the owner who stays.

use insta::assert_snapshot;
use serde_json::json;
use skill_registry::store::publishers::MemberRole;

use crate::support::{Caller, Skill, TestRegistry};

const MEMBERS: &str = "/api/registry/v1/publishers/team/members";

/// `team`, with one member of each role: pia, adam, olga.
async fn team(registry: &TestRegistry) -> [Caller; 3] {
    registry.organisation("team").await;
    let pia = registry.user("pia").await;
    let adam = registry.user("adam").await;
    let olga = registry.user("olga").await;
    registry.join("team", "pia", MemberRole::Publisher).await;
    registry.join("team", "adam", MemberRole::Admin).await;
    registry.join("team", "olga", MemberRole::Owner).await;
    [pia, adam, olga]
}

async fn role(caller: &Caller, user: &str, role: &str) -> String {
    let answer = caller.put(&format!("{MEMBERS}/{user}"), &json!({ "role": role })).await;
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json["code"].as_str().or(json["role"].as_str()).unwrap())
}

async fn remove(caller: &Caller, user: &str) -> String {
    let answer = caller.delete(&format!("{MEMBERS}/{user}")).await;
    match answer.status.as_u16() {
        204 => "204".to_owned(),
        status => format!("{status} {}", answer.json()["code"].as_str().unwrap()),
    }
}

on_both_engines! {
    async fn members_are_listed_by_name(registry) {
        let [pia, _, _] = team(registry).await;
        assert_snapshot!(pia.get(&format!("{MEMBERS}?limit=1")).await.shown(), @r#"
        200 application/json
        {
          "members": [
            {
              "user": "adam",
              "displayName": "adam",
              "role": "admin",
              "since": "2026-11-30T12:00:00Z"
            }
          ],
          "nextCursor": "adam"
        }
        "#);
        let rest = pia.get(&format!("{MEMBERS}?cursor=adam")).await.json();
        let names: Vec<&str> = rest["members"].as_array().unwrap().iter().map(|m| m["user"].as_str().unwrap()).collect();
        assert_eq!((names, rest["nextCursor"].as_str()), (vec!["olga", "pia"], None));
    }

    /// A role counts from the next request on, whatever token is shown.
    async fn a_role_holds_at_once(registry) {
        let [pia, _, olga] = team(registry).await;
        assert_eq!(role(&pia, "adam", "publisher").await, "403 role-missing");
        assert_eq!(role(&olga, "pia", "owner").await, "200 owner");
        assert_eq!(role(&pia, "adam", "publisher").await, "200 publisher");
        assert_eq!(role(&pia, "adam", "publisher").await, "200 publisher");
        assert_eq!(role(&olga, "absent", "admin").await, "404 member-not-found");
        assert_eq!(role(&olga, "pia", "king").await, "422 role-unreadable");
        assert_eq!(remove(&olga, "pia").await, "204");
        let refused = Skill::new("tool").owner("team").version("1.0.0").publish(&pia).await;
        assert_eq!(refused.json()["code"], "not-member");
    }

    /// Whoever may give no roles can still go.
    async fn members_leave_by_themselves(registry) {
        let [pia, adam, olga] = team(registry).await;
        assert_eq!(remove(&pia, "adam").await, "403 role-missing");
        assert_eq!(remove(&adam, "pia").await, "403 role-missing");
        assert_eq!(remove(&pia, "pia").await, "204");
        assert_eq!(remove(&pia, "pia").await, "403 not-member");
        assert_eq!(remove(&olga, "adam").await, "204");
        assert_eq!(remove(&olga, "adam").await, "404 member-not-found");
    }

    async fn the_last_owner_stays(registry) {
        let [_, _, olga] = team(registry).await;
        assert_eq!(role(&olga, "olga", "admin").await, "409 last-owner");
        assert_eq!(remove(&olga, "olga").await, "409 last-owner");
        // An owner whose account is closed gives no roles.
        assert_eq!(role(&olga, "adam", "owner").await, "200 owner");
        let mut tx = registry.app.db().quiet().await.unwrap();
        sqlx::query("UPDATE users SET disabled_at = 1 WHERE name = 'adam'").execute(tx.conn()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(remove(&olga, "olga").await, "409 last-owner");
        assert_eq!(role(&olga, "pia", "owner").await, "200 owner");
        assert_eq!(remove(&olga, "olga").await, "204");
    }

    /// One's own publisher is one's own for ever.
    async fn nobody_leaves_the_personal_publisher(registry) {
        let ada = registry.user("ada").await;
        let answer = ada.delete("/api/registry/v1/publishers/ada/members/ada").await;
        assert_eq!(answer.json()["code"], "last-owner");
    }

    /// Two owners who lower each other in the same moment: one stays.
    async fn of_two_owners_that_go_at_once_one_stays(registry) {
        let [_, adam, olga] = team(registry).await;
        for _ in 0..6 {
            registry.join("team", "adam", MemberRole::Owner).await;
            registry.join("team", "olga", MemberRole::Owner).await;
            let (one, other) = tokio::join!(role(&adam, "olga", "admin"), role(&olga, "adam", "admin"));
            let done = [&one, &other].iter().filter(|answer| answer.starts_with("200")).count();
            assert_eq!(done, 1, "{one}, {other}");
        }
    }
}
