//! Who calls: tokens that are good, mangled, revoked, expired, too weak or for somebody else.

use axum::Router;
use axum::body::Body;
use axum::routing::post;
use http::{Request, StatusCode};
use insta::assert_snapshot;
use skill_core::name::{Owner, SkillName};
use skill_registry::App;
use skill_registry::accounts;
use skill_registry::app::layered;
use skill_registry::auth::{Auth, Caller, Scope, Scopes, login};
use skill_registry::problem::ApiError;
use skill_registry::store::tokens;
use tower::ServiceExt as _;

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
        accounts::revoke_token(registry.app.db(), registry.app.entropy(), &prefix, "test").await.unwrap();
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
        let (ada, bob): (Owner, Owner) = ("ada".parse().unwrap(), "bob".parse().unwrap());
        let full = caller(registry, &registry.user("ada").await).await.unwrap();
        registry.add_user("bob").await;
        assert_eq!(full.may_publish(&ada).unwrap().user.name, ada);
        assert!(matches!(full.may_publish(&bob), Err(ApiError::NotMember { .. })));
        assert!(matches!(Caller::Anonymous.may_publish(&ada), Err(ApiError::LoginNeeded)));
        let reader = caller(registry, &registry.token("ada", [Scope::Read]).await).await.unwrap();
        assert!(matches!(reader.may_publish(&ada), Err(ApiError::ScopeMissing { needs: Scope::Publish, .. })));
        let writer = caller(registry, &registry.token("ada", [Scope::Publish]).await).await.unwrap();
        assert!(writer.may_publish(&ada).is_ok());
        // Site administrators do not publish in other people's names.
        let admin = caller(registry, &registry.admin()).await.unwrap();
        assert!(matches!(admin.may_publish(&ada), Err(ApiError::NotMember { .. })));
    }

    async fn a_bound_token_is_good_for_what_it_is_bound_to(registry) {
        let ada = registry.user("ada").await;
        let name = |text: &str| text.parse::<SkillName>().unwrap();
        let mut tx = registry.app.db().quiet().await.unwrap();
        sqlx::query("UPDATE tokens SET skill = 'ada/github' WHERE sha256 = $1")
            .bind(ada.token().digest().to_hex())
            .execute(tx.conn())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let bound = caller(registry, &ada).await.unwrap();
        assert!(bound.may_change(&name("ada/github")).is_ok());
        assert!(matches!(bound.may_change(&name("ada/other")), Err(ApiError::TokenRestricted { .. })));
    }
}

/// A route that says who called, behind the layers that every route has.
fn probe(app: &App) -> Router {
    let routes = Router::new()
        .route("/whoami", post(async |Auth(caller): Auth, body: String| format!("{caller:?} {body}")));
    layered(routes).with_state(app.clone())
}

#[tokio::test]
async fn a_caller_is_refused_before_the_body_is_read() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let body = Body::from_stream(futures_util::stream::poll_fn(
        |_| -> std::task::Poll<Option<Result<String, std::io::Error>>> { panic!("the body was read") },
    ));
    let request = registry.anonymous().request(http::Method::POST, "/whoami").body(body).unwrap();
    let answer = probe(&registry.app).oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(answer.headers()["www-authenticate"], "Bearer");
}

#[tokio::test]
async fn a_private_registry_takes_only_tokens_that_read() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    registry.add_user("ada").await;
    let write_only = registry.token("ada", [Scope::Publish]).await;
    for (who, expected) in [
        (registry.anonymous(), StatusCode::UNAUTHORIZED),
        (write_only, StatusCode::FORBIDDEN),
        (registry.token("ada", [Scope::Read]).await, StatusCode::OK),
        (registry.admin(), StatusCode::OK),
    ] {
        let request = who.request(http::Method::POST, "/whoami").body(Body::empty()).unwrap();
        assert_eq!(probe(&registry.app).oneshot(request).await.unwrap().status(), expected);
    }
}

#[test]
fn scopes_have_one_text_form() {
    assert_snapshot!("publish, read".parse::<Scopes>().unwrap(), @"read,publish");
    assert_snapshot!(Scopes::default(), @"read,publish");
    assert_snapshot!("read,write".parse::<Scopes>().unwrap_err(), @"`write` does not read as a scope: read, publish, moderate or admin");
    assert_snapshot!(" , ".parse::<Scopes>().unwrap_err(), @"` , ` does not read as one scope at least");
}
