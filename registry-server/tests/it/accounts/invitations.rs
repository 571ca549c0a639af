//! Invitations: who may, for how long, and who answers.

use serde_json::{Value, json};
use skill_registry::store::publishers::MemberRole;

use crate::support::{Caller, TestRegistry};

const TO_TEAM: &str = "/api/registry/v1/publishers/team/invitations";
const OWN: &str = "/api/registry/v1/invitations";
const WEEK: u64 = 7 * 86_400;

/// `team` with adam, an admin, and olga, an owner; bob is to be invited.
async fn team(registry: &TestRegistry) -> [Caller; 3] {
    registry.organisation("team").await;
    let (adam, olga) = (registry.user("adam").await, registry.user("olga").await);
    registry.join("team", "adam", MemberRole::Admin).await;
    registry.join("team", "olga", MemberRole::Owner).await;
    [adam, olga, registry.user("bob").await]
}

async fn invite(caller: &Caller, body: Value) -> (String, String) {
    let answer = caller.post(TO_TEAM, &body).await;
    let json = answer.json();
    let word = json["code"].as_str().or(json["role"].as_str()).unwrap();
    (format!("{} {word}", answer.status.as_u16()), json["id"].as_str().unwrap_or_default().to_owned())
}

async fn answer(caller: &Caller, id: &str, how: &str) -> String {
    let answer = caller.post(&format!("{OWN}/{id}/{how}"), &json!({})).await;
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json["code"].as_str().or(json["role"].as_str()).unwrap())
}

async fn open(caller: &Caller, path: &str) -> usize {
    caller.get(path).await.json()["invitations"].as_array().unwrap().len()
}

async fn role(caller: &Caller) -> Option<String> {
    let answer = caller.get("/api/registry/v1/publishers/team").await;
    answer.json()["role"].as_str().map(str::to_owned)
}

on_both_engines! {
    async fn an_invitation_gives_nothing_until_it_is_accepted(registry) {
        let [adam, _, bob] = team(registry).await;
        let (invited, id) = invite(&adam, json!({ "user": "bob", "role": "admin" })).await;
        assert_eq!(invited, "201 admin");
        assert_eq!(role(&bob).await, None);
        let own = bob.get(OWN).await.json();
        let one = &own["invitations"][0];
        assert_eq!((&one["publisher"], &one["invitedBy"], &one["expiresAt"]),
            (&json!("team"), &json!("adam"), &json!("2026-12-07T12:00:00Z")));
        assert_eq!(adam.get(TO_TEAM).await.json(), own);
        assert_eq!(answer(&bob, &id, "accept").await, "200 admin");
        assert_eq!(role(&bob).await.as_deref(), Some("admin"));
        assert_eq!((open(&bob, OWN).await, open(&adam, TO_TEAM).await), (0, 0));
        assert_eq!(answer(&bob, &id, "accept").await, "404 invitation-not-found");
    }

    async fn only_the_invited_one_answers(registry) {
        let [adam, olga, bob] = team(registry).await;
        let (_, id) = invite(&adam, json!({ "user": "bob" })).await;
        for other in [&adam, &olga, &registry.user("mallory").await, &registry.admin()] {
            for how in ["accept", "decline"] {
                assert_eq!(answer(other, &id, how).await, "404 invitation-not-found");
            }
            assert_eq!(open(other, OWN).await, 0);
        }
        assert_eq!(answer(&bob, &id, "decline").await, "200 publisher");
        assert_eq!(answer(&bob, &id, "accept").await, "404 invitation-not-found");
        assert_eq!(role(&bob).await, None);
    }

    async fn an_invitation_is_open_for_seven_days(registry) {
        let [adam, _, bob] = team(registry).await;
        let (_, id) = invite(&adam, json!({ "user": "bob" })).await;
        registry.later(WEEK - 1);
        assert_eq!(open(&bob, OWN).await, 1);
        registry.later(1);
        assert_eq!((open(&bob, OWN).await, open(&adam, TO_TEAM).await), (0, 0));
        assert_eq!(answer(&bob, &id, "accept").await, "404 invitation-not-found");
        // Invited anew it is another one, and the only one.
        let (_, anew) = invite(&adam, json!({ "user": "bob" })).await;
        let (_, newest) = invite(&adam, json!({ "user": "bob", "role": "admin" })).await;
        assert_eq!(open(&bob, OWN).await, 1);
        assert_eq!(answer(&bob, &anew, "accept").await, "404 invitation-not-found");
        assert_eq!(answer(&bob, &newest, "accept").await, "200 admin");
    }

    async fn what_is_no_invitation(registry) {
        let [adam, olga, _] = team(registry).await;
        for (caller, body, expected) in [
            (&adam, json!({ "user": "bob", "role": "owner" }), "403 role-missing"),
            (&olga, json!({ "user": "bob", "role": "owner" }), "201 owner"),
            (&adam, json!({ "user": "absent" }), "404 user-not-found"),
            (&adam, json!({ "user": "olga" }), "409 member-already"),
            (&adam, json!({ "user": "bob", "role": "king" }), "422 role-unreadable"),
            (&adam, json!({}), "400 body-unreadable"),
        ] {
            assert_eq!(invite(caller, body.clone()).await.0, expected, "{body}");
        }
        let personal = adam.post("/api/registry/v1/publishers/adam/invitations", &json!({ "user": "bob" })).await;
        assert_eq!(personal.json()["code"], "publisher-personal");
    }

    async fn an_invitation_is_taken_back(registry) {
        let [adam, olga, bob] = team(registry).await;
        let (_, id) = invite(&adam, json!({ "user": "bob" })).await;
        // Not through another publisher.
        let elsewhere = format!("/api/registry/v1/publishers/olga/invitations/{id}");
        assert_eq!(olga.delete(&elsewhere).await.status, 404);
        assert_eq!(olga.delete(&format!("{TO_TEAM}/{id}")).await.status, 204);
        assert_eq!(answer(&bob, &id, "accept").await, "404 invitation-not-found");
    }

    /// Whoever loses the role that invited takes the invitation along.
    /// Of an acceptance and a withdrawal at once one comes about, and the other says so.
    async fn an_answer_beside_a_withdrawal(registry) {
        let [_, olga, bob] = team(registry).await;
        for _ in 0..8 {
            let (said, id) = invite(&olga, json!({ "user": "bob", "role": "admin" })).await;
            assert_eq!(said, "201 admin");
            let path = format!("{TO_TEAM}/{id}");
            let (accepted, withdrawn) = tokio::join!(answer(&bob, &id, "accept"), olga.delete(&path));
            let is_member = role(&bob).await.is_some();
            assert_eq!((accepted.starts_with("200"), withdrawn.status == 204), (is_member, !is_member), "{accepted}");
            olga.delete("/api/registry/v1/publishers/team/members/bob").await;
        }
    }

    async fn not_more_than_a_hundred_wait_at_once(registry) {
        let [_, olga, _] = team(registry).await;
        for number in 0..100 {
            registry.user(&format!("user{number}")).await;
            let (said, _) = invite(&olga, json!({ "user": format!("user{number}") })).await;
            assert_eq!(said, "201 publisher", "{number}");
        }
        assert_eq!(invite(&olga, json!({ "user": "bob" })).await.0, "409 invitations-many");
    }

    async fn an_invitation_goes_with_the_role_that_made_it(registry) {
        let [adam, olga, bob] = team(registry).await;
        for change in ["lower", "remove"] {
            registry.join("team", "adam", MemberRole::Admin).await;
            let (_, id) = invite(&adam, json!({ "user": "bob" })).await;
            let path = "/api/registry/v1/publishers/team/members/adam";
            let status = match change {
                "lower" => olga.put(path, &json!({ "role": "publisher" })).await.status,
                _ => olga.delete(path).await.status,
            };
            assert!(status.is_success(), "{change}");
            assert_eq!(answer(&bob, &id, "accept").await, "404 invitation-not-found", "{change}");
        }
    }
}
