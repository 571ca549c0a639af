//! Who may publish what.

use skill_registry::auth::Scope;
use skill_registry::store::publishers::MemberRole;

use crate::support::Skill;

on_both_engines! {
    async fn without_a_token(registry) {
        let answer = Skill::new("demo").publish(&registry.anonymous()).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        401 application/problem+json
        {
          "type": "urn:skill-registry:problem:login-needed",
          "status": 401,
          "code": "login-needed",
          "title": "a login is needed",
          "requestId": "test"
        }
        "#);
    }

    async fn with_a_token_that_only_reads(registry) {
        registry.add_user("ada").await;
        let reader = registry.token("ada", [Scope::Read]).await;
        let answer = Skill::new("demo").publish(&reader).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        403 application/problem+json
        {
          "type": "urn:skill-registry:problem:scope-missing",
          "status": 403,
          "code": "scope-missing",
          "title": "the token may be used for read, this needs publish",
          "needs": "publish",
          "requestId": "test"
        }
        "#);
    }

    /// Bug report 90: for a team as somebody else, and as a member of it.
    async fn for_a_team(registry) {
        let ada = registry.user("ada").await;
        let eve = registry.user("eve").await;
        registry.organisation("team").await;
        registry.join("team", "admin", MemberRole::Owner).await;
        registry.join("team", "ada", MemberRole::Publisher).await;
        let answer = Skill::new("demo").owner("team").publish(&eve).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        403 application/problem+json
        {
          "type": "urn:skill-registry:problem:not-member",
          "status": 403,
          "code": "not-member",
          "title": "this account does not act for team",
          "owner": "team",
          "requestId": "test"
        }
        "#);
        let published = Skill::new("demo").owner("team").published(&ada).await;
        assert_eq!(published["url"], "http://127.0.0.1:8787/team/skills/demo");
        // Bug report 91: `latest` is derived there as everywhere.
        let detail = registry.anonymous().get("/api/v1/skills/demo?ownerHandle=team").await.json();
        assert_eq!(detail["latestVersion"]["version"], "1.0.0");
        assert_eq!(detail["owner"]["handle"], "team");
        let own = registry.anonymous().get("/api/v1/skills/demo?ownerHandle=ada").await;
        assert_eq!(own.status, 404);
    }

    /// What a publish without an owner goes to is what the account says first: a client shows it before it sends.
    async fn without_an_owner(registry) {
        let ada = registry.user("ada").await;
        registry.organisation("a-team").await;
        registry.join("a-team", "admin", MemberRole::Owner).await;
        registry.join("a-team", "ada", MemberRole::Publisher).await;
        for own in ["ada", "a-team"] {
            let account = ada.get("/api/registry/v1/whoami").await.json();
            assert_eq!(account["publishers"][0]["owner"], own);
            assert_eq!(Skill::new("demo").published(&ada).await["owner"], own);
            let mut tx = registry.app.db().quiet().await.unwrap();
            sqlx::query("UPDATE tokens SET publisher = 'a-team'").execute(tx.conn()).await.unwrap();
            tx.commit().await.unwrap();
        }
    }

    async fn for_nobody(registry) {
        let ada = registry.user("ada").await;
        let answer = Skill::new("demo").owner("nobody").publish(&ada).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        404 application/problem+json
        {
          "type": "urn:skill-registry:problem:owner-not-found",
          "status": 404,
          "code": "owner-not-found",
          "title": "there is no publisher nobody",
          "owner": "nobody",
          "requestId": "test"
        }
        "#);
    }
}
