//! A token makes no token that reaches further than itself.

use std::collections::BTreeSet;

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::json;
use skill_core::name::Owner;
use skill_registry::accounts::Reach;
use skill_registry::auth::{Scope, Scopes};

use crate::support::{Caller, TestRegistry};

const TOKENS: &str = "/api/registry/v1/tokens";

fn reach() -> impl Strategy<Value = Reach> {
    let scopes = proptest::sample::subsequence(
        vec![Scope::Read, Scope::Publish, Scope::Moderate, Scope::Admin],
        1..=4,
    );
    let owner = proptest::option::of(proptest::sample::select(vec!["acme", "octo"]));
    let slug = proptest::option::of(proptest::sample::select(vec!["one", "two"]));
    let end = proptest::option::of(1_i64..4);
    (scopes, owner, slug, end).prop_map(|(scopes, owner, slug, end)| Reach {
        scopes: Scopes::of(scopes),
        publisher: owner.map(|owner| owner.parse().unwrap()),
        skill: owner.zip(slug).map(|(owner, slug)| format!("{owner}/{slug}").parse().unwrap()),
        expires_at: end.map(|end| Timestamp::from_second(end).unwrap()),
    })
}

/// Everything that a token with that reach can do: scope, publisher, skill, second.
fn uses(reach: &Reach) -> BTreeSet<(Scope, Owner, &'static str, i64)> {
    let all = [Scope::Read, Scope::Publish, Scope::Moderate, Scope::Admin];
    let mut uses = BTreeSet::new();
    for scope in all.into_iter().filter(|scope| reach.scopes.has(*scope) || reach.scopes.has(Scope::Admin)) {
        for owner in ["acme", "octo"].map(|owner| owner.parse::<Owner>().unwrap()) {
            for slug in ["one", "two", "another"] {
                let is_there = reach.publisher.as_ref().is_none_or(|only| *only == owner)
                    && reach
                        .skill
                        .as_ref()
                        .is_none_or(|only| only.owner == owner && only.slug.as_str() == slug);
                let until = reach.expires_at.map_or(9, Timestamp::as_second);
                if is_there {
                    uses.extend((0..until).map(|second| (scope, owner.clone(), slug, second)));
                }
            }
        }
    }
    uses
}

proptest! {
    /// Within is: it can do nothing that its maker cannot.
    #[test]
    fn within_is_a_subset_of_uses(wanted in reach(), maker in reach()) {
        let is_subset = uses(&wanted).is_subset(&uses(&maker));
        prop_assert_eq!(wanted.beyond(&maker).is_none(), is_subset, "{:?} from {:?}", wanted, maker);
    }
}

async fn code(caller: &Caller, body: serde_json::Value) -> String {
    let answer = caller.post(TOKENS, &body).await;
    let code = answer.json()["code"].as_str().unwrap_or("made").to_owned();
    format!("{} {code}", answer.status.as_u16())
}

on_both_engines! {
    async fn nothing_is_made_beyond_the_maker(registry) {
        let ada = registry.user("ada").await;
        registry.add_user("bob").await;
        for (wanted, expected) in [
            (json!({ "scopes": ["read"] }), "201 made"),
            (json!({ "scopes": ["publish"], "publisher": "ada", "expires": "30d" }), "201 made"),
            (json!({ "skill": "ada/tool", "expires": "90d" }), "201 made"),
            (json!({ "expires": "91d" }), "403 token-above-maker"),
            (json!({ "expires": "never" }), "403 token-above-maker"),
            (json!({ "scopes": ["admin"] }), "403 token-above-maker"),
            (json!({ "scopes": ["read", "moderate"] }), "403 token-above-maker"),
            (json!({ "publisher": "bob" }), "403 not-member"),
            (json!({ "skill": "bob/tool" }), "403 not-member"),
            (json!({ "publisher": "nobody-here" }), "404 owner-not-found"),
            (json!({ "publisher": "ada", "skill": "bob/tool" }), "422 bindings-differ"),
            (json!({ "scopes": ["everything"] }), "422 scope-unreadable"),
            (json!({ "scopes": [] }), "422 scope-unreadable"),
            (json!({ "label": "x".repeat(121) }), "422 label-long"),
            (json!({ "expires": "soon" }), "400 body-unreadable"),
            (json!({ "expires": "99999999999d" }), "422 token-life-long"),
        ] {
            assert_eq!(code(&ada, wanted.clone()).await, expected, "{wanted}");
        }
    }

    /// Whoever holds a token that is bound cannot make one that is not, nor one at all.
    async fn a_bound_token_makes_none(registry) {
        let ada = registry.user("ada").await;
        for binding in [json!({ "publisher": "ada" }), json!({ "skill": "ada/tool" })] {
            let bound = registry.bearer(ada.post(TOKENS, &binding).await.json()["token"].as_str().unwrap());
            assert_eq!(code(&bound, json!({})).await, "403 token-restricted");
            assert_eq!(bound.get(TOKENS).await.status, 200);
        }
    }

    /// A moderator who is one no longer makes no token for moderators, whatever the own one says.
    async fn the_role_counts_as_it_is_now(registry) {
        registry.add_user("mona").await;
        let role = async |role: &str| {
            let mut tx = registry.app.db().quiet().await.unwrap();
            let set = sqlx::query("UPDATE users SET role = $1 WHERE name = 'mona'").bind(role.to_owned());
            set.execute(tx.conn()).await.unwrap();
            tx.commit().await.unwrap();
        };
        role("moderator").await;
        let mona = registry.token("mona", [Scope::Read, Scope::Publish, Scope::Moderate]).await;
        assert_eq!(code(&mona, json!({ "scopes": ["moderate"] })).await, "201 made");
        role("user").await;
        assert_eq!(code(&mona, json!({ "scopes": ["moderate"] })).await, "403 site-role-missing");
    }
}

#[tokio::test]
async fn the_settings_say_how_long_tokens_live() {
    let registry = TestRegistry::on_sqlite().with("tokens.longest = '30d'").start().await;
    let admin = registry.admin();
    assert_eq!(code(&admin, json!({ "expires": "30d" })).await, "201 made");
    assert_eq!(code(&admin, json!({ "expires": "31d" })).await, "422 token-life-long");
    assert_eq!(code(&admin, json!({ "expires": "never" })).await, "422 token-life-long");
    let made = admin.post(TOKENS, &json!({})).await.json();
    assert_eq!(made["expiresAt"], "2026-12-30T12:00:00Z");
}
