//! Accounts that administrators close and open again, and what users may do on the whole site.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_registry::accounts::{self, Hand};
use skill_registry::auth::Scope;
use skill_registry::store::audit::newest;
use skill_registry::store::publishers::MemberRole;

use crate::support::{Answer, Caller, Skill, TestRegistry};

const USERS: &str = "/api/registry/v1/moderation/users";

async fn ban(who: &Caller, user: &str, hide_skills: bool) -> Answer {
    let said = json!({ "reason": "floods the registry", "hideSkills": hide_skills });
    who.post(&format!("{USERS}/{user}/ban"), &said).await
}

async fn unban(who: &Caller, user: &str) -> Answer {
    who.post(&format!("{USERS}/{user}/unban"), &json!({ "reason": "promised to stop" })).await
}

async fn role(who: &Caller, user: &str, role: &str) -> String {
    let answer = who.put(&format!("{USERS}/{user}/role"), &json!({ "role": role })).await;
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json["code"].as_str().or(json["role"].as_str()).unwrap())
}

fn code(answer: &Answer) -> String {
    format!("{} {}", answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or("done"))
}

/// The name of the administrator that the first start made.
async fn first(registry: &TestRegistry) -> String {
    registry.admin().get("/api/registry/v1/whoami").await.json()["user"].as_str().unwrap().to_owned()
}

on_both_engines! {
    async fn a_closed_account_is_refused_from_the_next_request_on(registry) {
        let ada = registry.user("ada").await;
        let browser = registry.signed_in("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let admin = registry.admin();
        assert_snapshot!(ban(&admin, "ada", false).await.shown(), @r#"
        200 application/json
        {
          "user": "ada",
          "role": "user",
          "disabledAt": "2026-11-30T12:00:00Z",
          "ownerless": [],
          "hidden": []
        }
        "#);
        assert_eq!(code(&ada.get("/api/registry/v1/whoami").await), "401 account-disabled");
        let refused = Skill::new("demo").version("1.0.1").publish(&ada).await;
        assert_eq!(code(&refused), "401 account-disabled");
        assert_eq!(browser.get("/settings/sessions").await.status, 401);
        // What was published stays.
        assert_eq!(registry.anonymous().get("/api/v1/skills/demo").await.status, 200);
        let row = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((row.action.as_str(), row.subject.as_str(), row.reason.as_str()), ("user.ban", "ada", "floods the registry"));
        // Once more changes nothing.
        assert_eq!(code(&ban(&admin, "ada", false).await), "200 done");
        assert_eq!(newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0), row);

        assert_snapshot!(unban(&admin, "ada").await.shown(), @r#"
        200 application/json
        {
          "user": "ada",
          "role": "user",
          "disabledAt": null
        }
        "#);
        assert_eq!(ada.get("/api/registry/v1/whoami").await.status, 200);
        assert_eq!(browser.get("/settings/sessions").await.status, 200);
        assert_eq!(code(&unban(&admin, "ada").await), "200 done");
    }

    /// Nobody comes back through a door that was opened before.
    async fn invitations_of_a_closed_account_are_taken_back(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        registry.user("eve").await;
        registry.organisation("team").await;
        registry.join("team", "ada", MemberRole::Owner).await;
        registry.join("team", "eve", MemberRole::Owner).await;
        let eve = registry.token("eve", [Scope::Read, Scope::Publish]).await;
        let path = "/api/registry/v1/publishers/team/invitations";
        for (who, user) in [(&ada, "bob"), (&eve, "dan")] {
            registry.add_user(if user == "dan" { "dan" } else { "cat" }).await;
            assert_eq!(who.post(path, &json!({ "user": user })).await.status, 201);
        }
        // What ada invited goes, and what ada is invited to.
        registry.organisation("other").await;
        registry.join("other", "eve", MemberRole::Owner).await;
        let to_other = eve.post("/api/registry/v1/publishers/other/invitations", &json!({ "user": "ada" })).await;
        assert_eq!(to_other.status, 201);
        let answer = ban(&registry.admin(), "ada", false).await;
        assert_eq!(answer.json()["ownerless"], json!([]));
        assert_eq!(bob.get("/api/registry/v1/invitations").await.json()["invitations"], json!([]));
        let left = eve.get(path).await.json();
        assert_eq!(left["invitations"].as_array().unwrap().len(), 1);
        assert_eq!(eve.get("/api/registry/v1/publishers/other/invitations").await.json()["invitations"], json!([]));
        // Nobody owns what eve owned alone.
        let answer = ban(&registry.admin(), "eve", false).await;
        assert_eq!(answer.json()["ownerless"], json!(["other", "team"]));
    }

    async fn the_skills_of_a_closed_account_are_hidden_where_that_is_asked_for(registry) {
        let ada = registry.user("ada").await;
        for (slug, version, text) in [("one", "1.0.0", "a"), ("one", "1.1.0", "b"), ("two", "1.0.0", "c")] {
            Skill::new(slug).version(version).file("a.txt", text).published(&ada).await;
        }
        let withdrawn = "/api/registry/v1/skills/ada/one/versions/1.0.0/withdraw";
        assert_eq!(ada.post(withdrawn, &json!({})).await.status, 200);
        let answer = ban(&registry.admin(), "ada", true).await.json();
        let hidden: Vec<String> = answer["hidden"].as_array().unwrap().iter()
            .map(|one| format!("{}@{}", one["slug"].as_str().unwrap(), one["version"].as_str().unwrap())).collect();
        assert_eq!(hidden, ["one@1.1.0", "two@1.0.0"]);
        for slug in ["one", "two"] {
            let page = registry.anonymous().get(&format!("/api/v1/skills/{slug}?ownerHandle=ada")).await;
            assert_eq!(page.status, 403, "{slug}");
            assert!(!page.text().contains("floods"), "{slug}");
        }
        assert_eq!(ban(&registry.admin(), "ada", true).await.json()["hidden"], json!([]));
        // Opening the account opens none of them.
        assert_eq!(code(&unban(&registry.admin(), "ada").await), "200 done");
        assert_eq!(registry.anonymous().get("/api/v1/skills/two").await.status, 403);
    }

    async fn an_administrator_is_left(registry) {
        let admin = registry.admin();
        let first = first(registry).await;
        assert_eq!(code(&ban(&admin, &first, false).await), "409 own-account");
        assert_eq!(role(&admin, &first, "moderator").await, "409 last-admin");
        let ada = registry.user("ada").await;
        let hand = Hand::Operator { db: registry.app.db() };
        let refused = accounts::ban(&hand, &first.parse().unwrap(), "x").await.unwrap_err();
        assert_eq!(refused.to_string(), format!("{first} is the last administrator with an open account"));
        assert_eq!(role(&admin, "ada", "admin").await, "200 admin");
        // A role is that of now: the token had the scope all along, or has not.
        assert_eq!(code(&ban(&ada, "bob", false).await), "403 scope-missing");
        let second = registry.token("ada", [Scope::Admin]).await;
        assert_eq!(role(&second, &first, "user").await, "200 user");
        assert_eq!(role(&admin, "ada", "user").await, "403 site-role-missing");
        assert_eq!(role(&second, "ada", "user").await, "409 last-admin");
        assert_eq!(role(&second, "ada", "king").await, "422 role-unreadable");
        assert_eq!(role(&second, "nobody", "user").await, "404 user-not-found");
        let row = newest(&mut registry.app.db().read().await.unwrap(), 1).await.unwrap().remove(0);
        assert_eq!((row.action.as_str(), row.detail), ("user.role", json!({ "from": "admin", "to": "user" })));
    }

    /// Two administrators who close each other's accounts at once do not leave the registry to nobody.
    async fn two_administrators_do_not_close_each_other(registry) {
        let first = first(registry).await;
        registry.add_user("ada").await;
        assert_eq!(role(&registry.admin(), "ada", "admin").await, "200 admin");
        let second = registry.token("ada", [Scope::Admin]).await;
        let admin = registry.admin();
        let (one, other) = tokio::join!(ban(&admin, "ada", false), ban(&second, &first, false));
        let mut both = [one.status.as_u16(), other.status.as_u16()];
        both.sort_unstable();
        assert_eq!(both, [200, 401], "{} {}", one.text(), other.text());
    }

    async fn what_is_not_said_right(registry) {
        registry.add_user("ada").await;
        let admin = registry.admin();
        assert_eq!(code(&ban(&admin, "nobody", false).await), "404 user-not-found");
        for verb in ["ban", "unban"] {
            let path = format!("{USERS}/ada/{verb}");
            assert_eq!(code(&admin.post(&path, &json!({})).await), "422 reason-missing", "{verb}");
            assert_eq!(code(&admin.post(&path, &json!({ "reason": "a".repeat(501) })).await), "422 reason-long", "{verb}");
            assert_eq!(code(&admin.post(&path, &Value::Null).await), "400 body-unreadable", "{verb}");
        }
    }
}
