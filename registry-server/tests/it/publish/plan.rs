//! What is told of a publish is what then comes of it.

use serde_json::{Value, json};
use skill_registry::auth::Scope;
use skill_registry::store::head;
use skill_registry::store::publishers::MemberRole;

use super::malicious::hidden;
use crate::support::{Answer, Caller, Skill, TestRegistry};

const SKILL: &str = "/api/registry/v1/skills/ada/demo";

/// Situations, and what was told and done in each.
struct Law<'r> {
    registry: &'r TestRegistry,
    told: Vec<String>,
}

impl Law<'_> {
    /// Asks, publishes and compares; what was asked has written nothing.
    async fn holds(&mut self, situation: &str, caller: &Caller, skill: Skill) {
        let before = self.event().await;
        let told = skill.plan(caller).await;
        assert_eq!(self.event().await, before, "{situation}: the plan wrote something");
        let done = skill.publish(caller).await;
        self.told.push(format!("{situation}: {}", in_short(&told)));
        if !done.status.is_success() {
            assert_eq!((told.status, told.json()), (done.status, done.json()), "{situation}");
            return;
        }
        assert_eq!(told.status, 200, "{situation}: {}", told.shown());
        let (told, done) = (told.json(), done.json());
        // What the scan finds is not known before the files are there.
        let is_told = |key: &str| key != "status" || done["verdict"] == "clean" || done["unchanged"] == true;
        for key in
            ["owner", "slug", "version", "unchanged", "url", "status"].into_iter().filter(|key| is_told(key))
        {
            assert_eq!(told[key], done[key], "{situation}: {key}");
        }
    }

    async fn event(&self) -> u64 {
        head::get(&mut self.registry.app.db().read().await.unwrap()).await.unwrap().event
    }
}

fn in_short(answer: &Answer) -> String {
    let answer = answer.json();
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    if let Some(code) = answer["code"].as_str() {
        return format!("{} {code}", answer["status"]);
    }
    let unchanged = if answer["unchanged"] == true { " unchanged" } else { "" };
    format!(
        "{}/{} {} {}{unchanged} {}",
        text("owner"),
        text("slug"),
        text("version"),
        text("status"),
        answer["tags"]
    )
}

fn demo(content: &str) -> Skill {
    Skill::new("demo").file("a.txt", content)
}

async fn done(caller: &Caller, path: &str) {
    let answer = caller.post(&format!("{SKILL}{path}"), &json!({})).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.shown());
}

async fn numbers_and_tags(law: &mut Law<'_>, ada: &Caller) {
    law.holds("first", ada, demo("a")).await;
    law.holds("the same again", ada, demo("a")).await;
    law.holds("the same again, a part up", ada, demo("a").meta("bump", "major")).await;
    law.holds("other files", ada, demo("b")).await;
    law.holds("a minor", ada, demo("c").meta("bump", "minor")).await;
    law.holds("a major", ada, demo("d").meta("bump", "major")).await;
    law.holds("a number", ada, demo("e").version("5.0.0")).await;
    law.holds("a used number", ada, demo("a").version("1.0.0")).await;
    law.holds("a used number, other files", ada, demo("x").version("1.0.0")).await;
    law.holds("a pre-release", ada, demo("f").version("6.0.0-beta.1").tag("beta")).await;
    law.holds("a pre-release as latest", ada, demo("g").version("6.0.0-beta.2").tag("latest")).await;
    law.holds("a backport", ada, demo("h").version("1.0.9")).await;
    law.holds("a backport as latest", ada, demo("i").version("1.0.10").tag("latest")).await;
    law.holds("the same with a tag", ada, demo("e").version("5.0.0").tag("stable").tag("latest")).await;
    law.holds("an old one as latest", ada, demo("a").version("1.0.0").tag("latest")).await;
    law.holds("two tags", ada, demo("j").tag("stable").tag("good")).await;
    law.holds("the last number", ada, demo("k").version("5.0.18446744073709551615")).await;
    law.holds("none after it", ada, demo("l")).await;
}

async fn names(law: &mut Law<'_>, ada: &Caller, eve: &Caller) {
    law.holds("a reserved slug", ada, Skill::new("verified-demo")).await;
    law.holds("an owner who is not there", ada, Skill::new("demo").owner("nobody-here")).await;
    law.holds("an owner who is another", ada, Skill::new("demo").owner("eve")).await;
    law.holds("a slug that another has", eve, demo("a")).await;
    law.registry.organisation("team").await;
    law.registry.join("team", "admin", MemberRole::Owner).await;
    law.registry.join("team", "ada", MemberRole::Publisher).await;
    law.holds("a team", ada, Skill::new("demo").owner("team")).await;
    law.holds("a team of others", eve, Skill::new("demo").owner("team").file("a.txt", "a")).await;
    law.holds("without a token", &law.registry.anonymous(), Skill::new("demo")).await;
    let reader = law.registry.token("ada", [Scope::Read]).await;
    law.holds("with a token that reads", &reader, Skill::new("demo")).await;
}

async fn states(law: &mut Law<'_>, ada: &Caller, eve: &Caller) {
    done(ada, "/versions/5.0.0/yank").await;
    law.holds("a yanked number", ada, demo("e").version("5.0.0")).await;
    law.holds("a yanked number with a tag", ada, demo("e").version("5.0.0").tag("old")).await;
    done(ada, "/versions/5.0.1/withdraw").await;
    law.holds("a withdrawn number", ada, demo("j").version("5.0.1")).await;
    assert_eq!(ada.delete(SKILL).await.status, 200);
    law.holds("a deleted skill", ada, demo("m")).await;
    let bob = law.registry.user("bob").await;
    law.holds("its slug", &bob, demo("m")).await;
    done(ada, "/undelete").await;
    law.holds("an undeleted skill", ada, demo("m").meta("bump", "minor")).await;
    law.holds("a malicious one", eve, hidden("hello")).await;
    law.holds("the same again", eve, hidden("hello")).await;
    law.holds("its bytes under another name", ada, hidden("hello")).await;
    law.holds("its bytes as latest", &bob, hidden("hello").tag("latest")).await;
}

on_both_engines! {
    async fn what_is_told_is_what_is_done(registry) {
        let (ada, eve) = (registry.user("ada").await, registry.user("eve").await);
        let mut law = Law { registry, told: Vec::new() };
        numbers_and_tags(&mut law, &ada).await;
        names(&mut law, &ada, &eve).await;
        states(&mut law, &ada, &eve).await;
        assert!(law.told.len() >= 30);
        insta::assert_snapshot!(law.told.join("\n"), @r#"
        first: ada/demo 1.0.0 visible []
        the same again: ada/demo 1.0.0 visible unchanged []
        the same again, a part up: ada/demo 1.0.0 visible unchanged []
        other files: ada/demo 1.0.1 visible []
        a minor: ada/demo 1.1.0 visible []
        a major: ada/demo 2.0.0 visible []
        a number: ada/demo 5.0.0 visible []
        a used number: ada/demo 1.0.0 visible unchanged []
        a used number, other files: 409 version-taken
        a pre-release: ada/demo 6.0.0-beta.1 visible ["beta"]
        a pre-release as latest: 409 tag-not-honoured
        a backport: ada/demo 1.0.9 visible []
        a backport as latest: 409 tag-not-honoured
        the same with a tag: ada/demo 5.0.0 visible unchanged ["stable"]
        an old one as latest: 409 tag-not-honoured
        two tags: ada/demo 5.0.1 visible ["stable","good"]
        the last number: ada/demo 5.0.18446744073709551615 visible []
        none after it: 409 version-exhausted
        a reserved slug: 409 slug-reserved
        an owner who is not there: 404 owner-not-found
        an owner who is another: 403 not-member
        a slug that another has: eve/demo 1.0.0 visible []
        a team: team/demo 1.0.0 visible []
        a team of others: 403 not-member
        without a token: 401 login-needed
        with a token that reads: 403 scope-missing
        a yanked number: ada/demo 5.0.0 yanked unchanged []
        a yanked number with a tag: 409 tag-not-honoured
        a withdrawn number: ada/demo 5.0.1 withdrawn unchanged []
        a deleted skill: 409 skill-deleted
        its slug: 409 slug-held
        an undeleted skill: ada/demo 5.1.0 visible []
        a malicious one: eve/hello 1.0.0 visible []
        the same again: eve/hello 1.0.0 quarantined unchanged []
        its bytes under another name: ada/hello 1.0.0 quarantined []
        its bytes as latest: 409 tag-not-honoured
        "#);
    }

    async fn a_plan_says_the_rules_and_the_limits(registry) {
        let ada = registry.user("ada").await;
        let plan = Skill::new("demo").tag("stable").plan(&ada).await.json();
        let limits = registry.anonymous().get("/api/registry/v1/limits").await.json();
        assert_eq!(plan["limits"], limits);
        let rules = skill_scan::RuleSet::builtin();
        assert_eq!(plan["ruleset"], json!({ "name": rules.name(), "sha256": rules.sha256() }));
        let keys: Vec<&str> = plan.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["owner", "slug", "version", "status", "unchanged", "tags", "url", "ruleset", "limits"]);
    }

    async fn a_plan_that_does_not_read(registry) {
        let ada = registry.user("ada").await;
        let tree = "sha256:".to_owned() + &"0".repeat(64);
        let mut told = String::new();
        for (what, body) in [
            ("nothing", Value::Null),
            ("a list", json!([null, "demo"])),
            ("no slug", json!({ "treeDigest": tree })),
            ("no digest", json!({ "slug": "demo" })),
            ("version and bump", json!({ "slug": "demo", "treeDigest": tree, "version": "1.0.0", "bump": "major" })),
            ("U+0000", json!({ "slug": "demo", "treeDigest": tree, "changelog": "a\0b" })),
            ("a key of later", json!({ "slug": "demo", "treeDigest": tree, "later": 1 })),
        ] {
            let answer = ada.post("/api/registry/v1/publish/plan", &body).await;
            told += &format!("{what}: {} {}\n", answer.status.as_u16(), answer.json()["title"]);
        }
        insta::assert_snapshot!(told, @r#"
        nothing: 400 "it is no object of JSON"
        a list: 400 "it is no object of JSON"
        no slug: 400 "missing field `slug` at line 1 column 88"
        no digest: 400 "`treeDigest` is missing"
        version and bump: 400 "`version` and `bump` exclude each other"
        U+0000: 400 "it holds the character U+0000"
        a key of later: 200 null
        "#);
    }
}
