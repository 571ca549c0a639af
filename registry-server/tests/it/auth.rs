//! Who calls: tokens that are good, mangled, revoked, expired, too weak or for somebody else.

use http::Request;
use insta::assert_snapshot;
use skill_core::name::SkillName;
use skill_registry::accounts;
use skill_registry::auth::{Act, Caller, On, Scope, Scopes, login};
use skill_registry::problem::ApiError;
use skill_registry::store::publishers::MemberRole;
use skill_registry::store::tokens;

use crate::support::{self, TestRegistry};

async fn caller(registry: &TestRegistry, who: &support::Caller) -> Result<Caller, ApiError> {
    let request = who.request(http::Method::GET, "/").body(()).unwrap();
    login(&registry.app, request.headers()).await
}

async fn with_header(registry: &TestRegistry, value: &str) -> Result<Caller, ApiError> {
    let request = Request::builder().header("authorization", value).body(()).unwrap();
    login(&registry.app, request.headers()).await
}

on_both_engines! {
    async fn a_token_says_who_and_what_for(registry) {
        let ada = registry.user("ada").await;
        let Caller::User(identity) = caller(registry, &ada).await.unwrap() else { panic!("anonymous") };
        assert_eq!(identity.user.name.as_str(), "ada");
        assert_eq!(identity.scopes, Scopes::of([Scope::Read, Scope::Publish]));
        assert_eq!(identity.own_publisher().as_str(), "ada");
        assert_eq!(caller(registry, &registry.anonymous()).await.unwrap(), Caller::Anonymous);
    }

    async fn what_is_no_token_of_ours_is_told_without_the_database(registry) {
        let ada = registry.user("ada").await;
        let text = ada.token().reveal().to_owned();
        registry.app.db().close().await;
        for value in ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer clh_abc", &format!("Bearer {}", &text[..60]), &text] {
            let refused = with_header(registry, value).await;
            assert!(matches!(refused, Err(ApiError::TokenUnreadable)), "{value}: {refused:?}");
        }
    }

    async fn unknown_revoked_and_expired_tokens_are_refused(registry) {
        let ada = registry.user("ada").await;
        let unknown = skill_registry::auth::new_token(&skill_registry::Entropy::seeded(99)).unwrap();
        let refused = with_header(registry, &format!("Bearer {}", unknown.reveal())).await;
        assert!(matches!(refused, Err(ApiError::TokenRejected)), "{refused:?}");

        registry.later(90 * 86_400 - 1);
        assert!(caller(registry, &ada).await.is_ok());
        registry.later(1);
        assert!(matches!(caller(registry, &ada).await, Err(ApiError::TokenExpired)));

        let fresh = registry.token("ada", [Scope::Read]).await;
        let prefix = fresh.token().prefix().to_owned();
        accounts::revoke_token(registry.app.db(), &prefix, "test").await.unwrap();
        assert!(matches!(caller(registry, &fresh).await, Err(ApiError::TokenRejected)));
    }

    async fn a_disabled_account_is_refused(registry) {
        let ada = registry.user("ada").await;
        let mut tx = registry.app.db().quiet().await.unwrap();
        sqlx::query("UPDATE users SET disabled_at = 1 WHERE name = 'ada'").execute(tx.conn()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(matches!(caller(registry, &ada).await, Err(ApiError::AccountDisabled)));
    }

    async fn the_last_use_is_noted_to_the_hour(registry) {
        let ada = registry.user("ada").await;
        let last_used = async || {
            let mut conn = registry.app.db().read().await.unwrap();
            tokens::by_digest(&mut conn, ada.token().digest()).await.unwrap().unwrap().last_used_at
        };
        // Noted beside the requests, one note at a time.
        let noted = async || {
            while last_used().await != Some(registry.app.clock().now()) {
                caller(registry, &ada).await.unwrap();
            }
        };
        assert_eq!(last_used().await, None);
        noted().await;
        let first = last_used().await.unwrap();
        registry.later(3599);
        caller(registry, &ada).await.unwrap();
        assert_eq!(last_used().await, Some(first));
        registry.later(1);
        noted().await;
    }

    async fn only_members_with_the_scope_publish(registry) {
        let full = caller(registry, &registry.user("ada").await).await.unwrap();
        registry.add_user("bob").await;
        let publish = |who: &Caller, owner: &str| {
            who.permit(Act::Publish, On::Publisher(owner.parse().unwrap())).map(|permit| permit.identity().user.name.to_string())
        };
        assert_eq!(publish(&full, "ada").unwrap(), "ada");
        assert!(matches!(publish(&full, "bob"), Err(ApiError::NotMember { .. })));
        assert!(matches!(publish(&Caller::Anonymous, "ada"), Err(ApiError::LoginNeeded)));
        let reader = caller(registry, &registry.token("ada", [Scope::Read]).await).await.unwrap();
        assert!(matches!(publish(&reader, "ada"), Err(ApiError::ScopeMissing { needs: Scope::Publish, .. })));
        let writer = caller(registry, &registry.token("ada", [Scope::Publish]).await).await.unwrap();
        assert!(publish(&writer, "ada").is_ok());
        // Site administrators do not publish in other people's names.
        let admin = caller(registry, &registry.admin()).await.unwrap();
        assert!(matches!(publish(&admin, "ada"), Err(ApiError::NotMember { .. })));
    }

    async fn a_bound_token_is_good_for_what_it_is_bound_to(registry) {
        let ada = registry.user("ada").await;
        let bind = async |column: &str, to: &str| {
            run(registry, "UPDATE tokens SET publisher = NULL, skill = NULL WHERE label = 'test'").await;
            run(registry, &format!("UPDATE tokens SET {column} = '{to}' WHERE label = 'test'")).await;
            caller(registry, &ada).await.unwrap()
        };
        let on_skill = |name: &str| On::Skill(name.parse().unwrap());
        let on_ada = || On::Publisher("ada".parse().unwrap());
        let bound = bind("skill", "ada/github").await;
        assert!(bound.permit(Act::Yank, on_skill("ada/github")).is_ok());
        for (act, on) in [
            (Act::Yank, on_skill("ada/other")),
            (Act::Webhooks, on_ada()),
            (Act::Invite, on_ada()),
            (Act::MakeToken, On::Nothing),
            (Act::Report, on_skill("bob/demo")),
        ] {
            let refused = bound.permit(act, on);
            assert!(matches!(&refused, Err(ApiError::TokenRestricted { to }) if to == "ada/github"), "{act:?}: {refused:?}");
        }
        assert!(bound.permit(Act::ReadPublisher, on_ada()).is_ok());
        let bound = bind("publisher", "ada").await;
        assert!(bound.permit(Act::Yank, on_skill("ada/other")).is_ok());
        assert!(bound.permit(Act::Webhooks, on_ada()).is_ok());
        assert!(matches!(bound.permit(Act::Invite, on_ada()), Err(ApiError::TokenRestricted { .. })));
        assert!(matches!(bound.permit(Act::Yank, on_skill("bob/demo")), Err(ApiError::TokenRestricted { .. })));
    }

    async fn a_role_that_is_too_low_is_named(registry) {
        registry.organisation("team").await;
        registry.join("team", "admin", MemberRole::Owner).await;
        let ada = registry.user("ada").await;
        registry.join("team", "ada", MemberRole::Admin).await;
        let ada = caller(registry, &ada).await.unwrap();
        let team = || On::Publisher("team".parse().unwrap());
        assert!(ada.permit(Act::Invite, team()).is_ok());
        assert_snapshot!(serde_json::to_string(&ada.permit(Act::SetRole, team()).unwrap_err().problem()).unwrap(), @r#"{"type":"urn:skill-registry:problem:role-missing","status":403,"code":"role-missing","title":"this takes the role owner at team","needs":"owner","owner":"team"}"#);
        assert_snapshot!(ada.permit(Act::SetRole, team()).unwrap_err().plain(), @"Forbidden: this takes the role owner at team");
    }

    /// A token is good for no more than its user is at the moment, whatever it was made with.
    async fn a_demoted_moderator_keeps_a_token_that_does_nothing_more(registry) {
        registry.add_user("mona").await;
        run(registry, "UPDATE users SET role = 'moderator' WHERE name = 'mona'").await;
        let mona = registry.token("mona", [Scope::Read, Scope::Moderate]).await;
        let moderator = caller(registry, &mona).await.unwrap();
        let stranger = "ada/demo".parse().unwrap();
        assert!(moderator.permit(Act::Close, On::Nothing).is_ok());
        assert!(moderator.sees(&stranger));
        assert!(matches!(moderator.permit(Act::Ban, On::Nothing), Err(ApiError::ScopeMissing { .. })));
        let reader = caller(registry, &registry.token("mona", [Scope::Read]).await).await.unwrap();
        assert!(!reader.sees(&stranger) && reader.sees(&"mona/demo".parse().unwrap()));
        // What is hidden is shown to a token that reads, and to one that is bound only what it is bound to.
        let publishes = caller(registry, &registry.token("mona", [Scope::Publish]).await).await.unwrap();
        assert!(!publishes.sees(&"mona/demo".parse().unwrap()));
        run(registry, "UPDATE tokens SET skill = 'mona/other' WHERE scopes LIKE '%moderate%'").await;
        let bound = caller(registry, &mona).await.unwrap();
        assert!(!bound.sees(&stranger) && !bound.sees(&"mona/demo".parse().unwrap()));
        assert!(bound.sees(&"mona/other".parse().unwrap()));
        run(registry, "UPDATE tokens SET skill = NULL").await;

        run(registry, "UPDATE users SET role = 'user' WHERE name = 'mona'").await;
        let demoted = caller(registry, &mona).await.unwrap();
        assert!(!demoted.sees(&stranger));
        assert_snapshot!(serde_json::to_string(&demoted.permit(Act::Close, On::Nothing).unwrap_err().problem()).unwrap(), @r#"{"type":"urn:skill-registry:problem:site-role-missing","status":403,"code":"site-role-missing","title":"this takes the site role moderator","needs":"moderator"}"#);
    }

    /// A permit is good for its act on its skill, and for nothing that was not decided.
    async fn a_permit_for_one_thing_is_none_for_another(registry) {
        let ada = caller(registry, &registry.user("ada").await).await.unwrap();
        let name: SkillName = "ada/demo".parse().unwrap();
        let later = ada.permit(Act::Publish, On::Later).unwrap();
        assert!(matches!(later.skill(&[Act::Publish]), Err(ApiError::Internal(_))));
        let publish = later.narrow(On::Skill(name.clone())).unwrap();
        assert_eq!(publish.skill(&[Act::Tag, Act::Publish]).unwrap(), &name);
        assert!(matches!(publish.skill(&[Act::Yank]), Err(ApiError::Internal(_))));
        let elsewhere = later.narrow(On::Skill("bob/demo".parse().unwrap()));
        assert!(matches!(elsewhere, Err(ApiError::NotMember { .. })), "{elsewhere:?}");
    }
}

async fn run(registry: &TestRegistry, sql: &str) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
}

/// At a route, where the gate asks, and at an address that no route has, where none stands.
#[tokio::test]
async fn a_private_registry_takes_only_tokens_that_read() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    registry.add_user("ada").await;
    let write_only = registry.token("ada", [Scope::Publish]).await;
    for (who, at_a_route, elsewhere) in [
        (registry.anonymous(), 401, 401),
        (write_only, 403, 403),
        (registry.token("ada", [Scope::Read]).await, 200, 404),
        (registry.admin(), 200, 404),
    ] {
        assert_eq!(who.get("/api/v1/skills").await.status, at_a_route);
        assert_eq!(who.get("/no/such/page").await.status, elsewhere);
    }
}

#[test]
fn scopes_have_one_text_form() {
    assert_snapshot!("publish, read".parse::<Scopes>().unwrap(), @"read,publish");
    assert_snapshot!(Scopes::default(), @"read,publish");
    assert_snapshot!("read,write".parse::<Scopes>().unwrap_err(), @"`write` does not read as a scope: read, publish, moderate or admin");
    assert_snapshot!(" , ".parse::<Scopes>().unwrap_err(), @"` , ` does not read as one scope at least");
}
