//! What is held until a moderator has looked at it: names that are nearly much-used ones, and many new names at once.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_core::digest::Sha256;
use skill_registry::store::audit::newest;
use skill_registry::store::downloads::{self, Class};

use crate::moderation::moderator;
use crate::support::{Answer, Caller, Skill, TestRegistry};

/// `acme/github`, fetched by as many people as make it much used; and acme.
async fn much_used(registry: &TestRegistry) -> Caller {
    let acme = registry.user("acme").await;
    Skill::new("github").published(&acme).await;
    let mut tx = registry.app.db().quiet().await.unwrap();
    let now = tx.now();
    let release: String = sqlx::query_scalar("SELECT id FROM releases").fetch_one(tx.conn()).await.unwrap();
    for n in 0..5 {
        let client = Sha256::of(format!("reader {n}"));
        downloads::count(tx.conn(), &release, client, Class::Person, now).await.unwrap();
    }
    tx.commit().await.unwrap();
    // The list is asked for every five minutes.
    registry.later(5 * 60);
    acme
}

async fn status(caller: &Caller, name: &str) -> Answer {
    caller.get(&format!("/api/registry/v1/skills/{name}/status")).await
}

/// The ids of what waits for moderators about a skill.
async fn holds(mona: &Caller, name: &str) -> Vec<String> {
    let case = mona.get(&format!("/api/registry/v1/moderation/cases/{name}")).await.json();
    let open = |hold: &&Value| hold["decision"].is_null();
    case["holds"]
        .as_array()
        .unwrap()
        .iter()
        .filter(open)
        .map(|hold| hold["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn decide(mona: &Caller, id: &str, verb: &str, reason: &str) -> Answer {
    mona.post(&format!("/api/registry/v1/moderation/holds/{id}/{verb}"), &json!({ "reason": reason })).await
}

/// What others get of a skill: its detail, its archive, its index, its page, and whether a search finds it.
async fn seen(caller: &Caller, name: &str) -> String {
    let (owner, slug) = name.split_once('/').unwrap();
    let mut told = Vec::new();
    for path in [
        format!("/api/v1/skills/{slug}?ownerHandle={owner}"),
        format!("/api/v1/download?slug={slug}&ownerHandle={owner}&version=1.0.0"),
        format!("/index/{owner}/{slug}"),
        format!("/{owner}/skills/{slug}"),
    ] {
        told.push(caller.get(&path).await.status.as_u16().to_string());
    }
    let found = caller.get(&format!("/api/v1/search?q={slug}&mode=exact")).await.json();
    told.push(format!("{} found", found["results"].as_array().unwrap().len()));
    told.join(" ")
}

on_both_engines! {
    async fn a_look_alike_waits_and_is_passed(registry) {
        much_used(registry).await;
        let eve = registry.user("eve").await;
        let mona = moderator(registry, "mona").await;
        let held = Skill::new("githb").published(&eve).await;
        assert_snapshot!(format!("{} {}", held["status"], held["waiting"]), @r#""pending" [{"kind":"look-alike","why":"its name is nearly acme/github: one letter differs"}]"#);
        // The same again is answered as it stands, and a further release waits with the first.
        let again = Skill::new("githb").version("1.0.0").publish(&eve).await;
        assert_eq!((again.status.as_u16(), &again.json()["waiting"]), (200, &held["waiting"]));
        let next = Skill::new("githb").file("more.txt", "more").published(&eve).await;
        assert_eq!((&next["status"], &next["version"]), (&json!("pending"), &json!("1.0.1")));

        assert_snapshot!(seen(&registry.anonymous(), "eve/githb").await, @"404 423 404 404 0 found");
        assert_snapshot!(seen(&eve, "eve/githb").await, @"423 423 404 423 0 found");
        let why = eve.get("/api/v1/skills/githb/versions/1.0.0?ownerHandle=eve").await;
        assert_snapshot!(why.shown(), @r"
        423 text/plain; charset=utf-8
        Scan pending: this version is not published yet, try again later (its name is nearly acme/github: one letter differs)
        ");
        for other in [&registry.anonymous(), &registry.user("bob").await] {
            assert_eq!(status(other, "eve/githb").await.status, 404);
        }
        assert_eq!(status(&mona, "eve/githb").await.json(), status(&eve, "eve/githb").await.json());
        assert_snapshot!(status(&eve, "eve/githb").await.shown(), @r#"
        200 application/json
        {
          "owner": "eve",
          "slug": "githb",
          "releases": [
            {
              "version": "1.0.1",
              "state": "pending",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:05:00Z",
              "waiting": [
                {
                  "kind": "look-alike",
                  "why": "its name is nearly acme/github: one letter differs"
                }
              ]
            },
            {
              "version": "1.0.0",
              "state": "pending",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:05:00Z",
              "waiting": [
                {
                  "kind": "look-alike",
                  "why": "its name is nearly acme/github: one letter differs"
                }
              ]
            }
          ]
        }
        "#);
        let queue = mona.get("/api/registry/v1/moderation/queue?kind=hold").await.json();
        assert_eq!((&queue["cases"][0]["slug"], &queue["cases"][0]["holds"]), (&json!("githb"), &json!(2)));

        let open = holds(&mona, "eve/githb").await;
        assert_eq!(open.len(), 2);
        let passed = decide(&mona, &open[0], "pass", "a tool of its own").await;
        assert_eq!((passed.status.as_u16(), &passed.json()["decision"]), (200, &json!("passed")));
        assert_eq!(holds(&mona, "eve/githb").await, [""; 0]);
        assert_snapshot!(seen(&registry.anonymous(), "eve/githb").await, @"200 200 200 200 1 found");
        let detail = registry.anonymous().get("/api/v1/skills/githb?ownerHandle=eve").await.json();
        assert_eq!(detail["latestVersion"]["version"], "1.0.1");
        let mut conn = registry.app.db().read().await.unwrap();
        let row = newest(&mut conn, 1).await.unwrap().remove(0);
        assert_eq!((row.action.as_str(), row.actor.as_str(), row.reason.as_str()), ("hold.pass", "mona", "a tool of its own"));
        // What is passed stays so.
        let later = Skill::new("githb").file("more.txt", "and more").published(&eve).await;
        assert_eq!(later["status"], "visible");
    }

    async fn a_look_alike_is_refused_and_its_name_is_kept(registry) {
        much_used(registry).await;
        let eve = registry.user("eve").await;
        let bob = registry.user("bob").await;
        let mona = moderator(registry, "mona").await;
        Skill::new("githb").published(&eve).await;
        Skill::new("githb").file("more.txt", "more").published(&eve).await;
        let open = holds(&mona, "eve/githb").await;
        assert_eq!(decide(&mona, &open[1], "refuse", "").await.json()["code"], "reason-missing");
        assert_eq!(decide(&mona, &open[1], "refuse", "a squat").await.status, 200);
        assert_snapshot!(decide(&mona, &open[0], "pass", "").await.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:hold-decided",
          "status": 409,
          "code": "hold-decided",
          "title": "mona decided it before: refused",
          "decision": "refused",
          "requestId": "test"
        }
        "#);
        assert_snapshot!(seen(&registry.anonymous(), "eve/githb").await, @"410 410 200 410 0 found");
        assert_snapshot!(status(&eve, "eve/githb").await.shown(), @r#"
        200 application/json
        {
          "owner": "eve",
          "slug": "githb",
          "releases": [
            {
              "version": "1.0.1",
              "state": "taken-down",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:05:00Z",
              "closed": {
                "reason": "a squat",
                "by": "mona",
                "at": "2026-11-30T12:05:00Z"
              }
            },
            {
              "version": "1.0.0",
              "state": "taken-down",
              "verdict": "clean",
              "publishedAt": "2026-11-30T12:05:00Z",
              "closed": {
                "reason": "a squat",
                "by": "mona",
                "at": "2026-11-30T12:05:00Z"
              }
            }
          ]
        }
        "#);
        // Numbers are used, and the name is nobody's any more (bug report 87).
        for who in [&eve, &bob] {
            let refused = Skill::new("githb").version("1.0.0").file("x.txt", "x").publish(who).await;
            assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("slug-held")), "{}", refused.shown());
        }
        // A moderator who was wrong gives it back as anything else that was taken down.
        let restore = "/api/registry/v1/moderation/releases/eve/githb/1.0.0/restore";
        let restored = mona.post(restore, &json!({ "reason": "no squat after all" })).await;
        assert_eq!((restored.status.as_u16(), &restored.json()["status"]), (200, &json!("visible")), "{}", restored.shown());
        assert_eq!(Skill::new("githb").version("1.0.2").file("x.txt", "x").published(&eve).await["status"], "visible");
    }

    /// A sample of each kind of squat is held; names that are none, the own ones and equal ones are not.
    async fn who_is_held_and_who_is_not(registry) {
        let acme = much_used(registry).await;
        let eve = registry.user("eve").await;
        for squat in ["git-hub", "g1thub", "gitthub", "gihtub", "githubs", "github-pro", "my-github", "githu"] {
            let held = Skill::new(squat).published(&eve).await;
            assert_eq!((&held["status"], &held["waiting"][0]["kind"]), (&json!("pending"), &json!("look-alike")), "{squat}");
        }
        for fine in ["github", "gitlab", "hub", "weather"] {
            assert_eq!(Skill::new(fine).published(&eve).await["status"], "visible", "{fine}");
        }
        assert_eq!(Skill::new("git-hub").published(&acme).await["status"], "visible");
        assert_eq!(Skill::new("githubs").published(&registry.admin()).await["status"], "visible");
        // `latest` would not come true.
        let refused = Skill::new("gitub").tag("latest").publish(&eve).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("tag-not-honoured")));
    }

    async fn who_may_not_decide(registry) {
        much_used(registry).await;
        let eve = registry.user("eve").await;
        let mona = moderator(registry, "mona").await;
        Skill::new("githb").published(&eve).await;
        registry.join("eve", "mona", skill_registry::store::publishers::MemberRole::Publisher).await;
        let id = holds(&mona, "eve/githb").await.remove(0);
        assert_eq!(decide(&mona, &id, "pass", "").await.json()["code"], "own-case");
        assert_eq!(decide(&mona, &id, "refuse", "why not").await.json()["code"], "own-case");
        assert_eq!(decide(&mona, "none", "pass", "").await.json()["code"], "hold-not-found");
        assert_eq!(decide(&eve, &id, "pass", "").await.status, 403);
        let nora = moderator(registry, "nora").await;
        assert_eq!(decide(&nora, &id, "pass", &"x".repeat(501)).await.json()["code"], "reason-long");
        assert_eq!(decide(&nora, &id, "pass", "").await.status, 200);
    }

    /// A publish beside the decision is passed or refused with it, or waits: none slips through, none is lost.
    async fn a_publish_beside_a_decision(registry) {
        much_used(registry).await;
        let eve = registry.user("eve").await;
        let mona = moderator(registry, "mona").await;
        for (verb, slug) in [("pass", "githb"), ("refuse", "gihtub")] {
            Skill::new(slug).published(&eve).await;
            let id = holds(&mona, &format!("eve/{slug}")).await.remove(0);
            let publishes = (0..4).map(|n| Skill::new(slug).file("n.txt", n.to_string()));
            let publishes = futures_util::future::join_all(publishes.map(|skill| {
                let eve = eve.clone();
                async move { skill.publish(&eve).await }
            }));
            let (answers, decided) = tokio::join!(publishes, decide(&mona, &id, verb, "because"));
            assert_eq!(decided.status, 200);
            for answer in answers {
                assert!(matches!(answer.status.as_u16(), 201 | 409), "{}", answer.shown());
            }
            let stands = status(&eve, &format!("eve/{slug}")).await.json();
            for release in stands["releases"].as_array().unwrap() {
                let expected = if verb == "pass" { "visible" } else { "taken-down" };
                assert_eq!(release["state"], expected, "{slug} {release:#}");
            }
        }
    }
}

/// More new names in a day than the operator lets through are held, not refused; the next day it begins anew.
#[tokio::test]
async fn many_new_names_in_a_day_are_looked_at_first() {
    let registry = TestRegistry::on_sqlite().with("limits.new_skills_day = 2\n").start().await;
    let (eve, bob) = (registry.user("eve").await, registry.user("bob").await);
    let publish = async |who: &Caller, slug: &str| Skill::new(slug).published(who).await;
    assert_eq!(publish(&eve, "one").await["status"], "visible");
    assert_eq!(publish(&eve, "two").await["status"], "visible");
    assert_snapshot!(publish(&eve, "three").await["waiting"], @r#"[{"kind":"first-publishes","why":"more than 2 new names in 24 hours are looked at first"}]"#);
    // A further release of what is there is no new name, and others have a count of their own.
    assert_eq!(Skill::new("one").file("a.txt", "a").published(&eve).await["status"], "visible");
    assert_eq!(publish(&bob, "three").await["status"], "visible");
    registry.later(25 * 60 * 60);
    assert_eq!(publish(&eve, "four").await["status"], "visible");
}

#[tokio::test]
async fn new_names_of_a_young_account_are_looked_at_first() {
    let registry = TestRegistry::on_sqlite().with("limits.new_account = \"2h\"\n").start().await;
    let eve = registry.user("eve").await;
    assert_snapshot!(Skill::new("one").published(&eve).await["waiting"], @r#"[{"kind":"first-publishes","why":"new names of a young account are looked at first"}]"#);
    registry.later(2 * 60 * 60);
    assert_eq!(Skill::new("two").published(&eve).await["status"], "visible");
}

/// A name that the operator protects counts as much used before anybody published it.
#[tokio::test]
async fn a_protected_name_needs_no_downloads() {
    let registry =
        TestRegistry::on_sqlite().with("names.protected = \"acme/payments, acme/ledger\"\n").start().await;
    let eve = registry.user("eve").await;
    assert_eq!(Skill::new("payment").published(&eve).await["status"], "pending");
    assert_eq!(Skill::new("ledgers").published(&eve).await["status"], "pending");
    assert_eq!(Skill::new("weather").published(&eve).await["status"], "visible");
}
