//! One release is taken back by its owner, and restored.

use serde_json::json;
use skill_core::state::ReleaseState;
use skill_registry::store::{head, restrictions, skills};

use super::{DEMO, in_force, latest, two_versions};
use crate::support::Skill;
use crate::support::states::bring;

on_both_engines! {
    /// Bug report 95: one version goes, the others stay, and it can be brought back as it was.
    async fn a_withdrawal_and_its_undoing(registry) {
        let ada = two_versions(registry).await;
        let anyone = registry.anonymous();
        let withdraw = format!("{DEMO}/versions/1.0.1/withdraw");
        let answer = ada.post(&withdraw, &json!({ "reason": "holds a key" })).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.1",
          "status": "withdrawn"
        }
        "#);
        assert_eq!(latest(&anyone).await, "1.0.0");
        let gone = anyone.get("/api/v1/download?slug=demo&version=1.0.1").await;
        assert_eq!((gone.status.as_u16(), gone.text()), (410, "Version not available"));
        let index = anyone.get("/index/ada/demo").await;
        assert!(index.text().contains("\"state\":\"withdrawn\""), "{}", index.text());
        // Its number stays used.
        let again = Skill::new("demo").version("1.0.1").file("a.txt", "other").publish(&ada).await;
        assert_eq!(again.json()["code"], "version-taken");

        let answer = ada.post(&format!("{DEMO}/versions/1.0.1/restore"), &json!({})).await;
        assert_eq!(answer.json()["status"], "visible");
        assert_eq!(latest(&anyone).await, "1.0.1");
        assert!(in_force(registry, "1.0.1").await.is_empty());
    }

    /// The answer may have been lost, and the request sent again.
    async fn what_is_so_already_stays_so(registry) {
        let ada = two_versions(registry).await;
        for (verb, state) in [("withdraw", "withdrawn"), ("restore", "visible")] {
            let path = format!("{DEMO}/versions/1.0.1/{verb}");
            assert_eq!(ada.post(&path, &json!({})).await.json()["status"], state);
            let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
            let again = ada.post(&path, &json!({ "reason": "again" })).await;
            assert_eq!(again.json()["status"], state, "{}", again.shown());
            let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
            assert_eq!(after, before, "nothing was written");
        }
    }

    async fn what_was_yanked_comes_back_yanked(registry) {
        let ada = two_versions(registry).await;
        ada.post(&format!("{DEMO}/versions/1.0.1/yank"), &json!({ "reason": "slow" })).await;
        let long = "x".repeat(500);
        let withdrawn = ada.post(&format!("{DEMO}/versions/1.0.1/withdraw"), &json!({ "reason": long })).await;
        assert_eq!(withdrawn.json()["status"], "withdrawn");
        let restored = ada.post(&format!("{DEMO}/versions/1.0.1/restore"), &json!({ "reason": long })).await;
        assert_eq!(restored.json()["status"], "yanked");
        assert_eq!(in_force(registry, "1.0.1").await, ["1 yank: slow"]);
    }

    /// Whoever watches over the registry has the last word: an owner takes nothing back from under a quarantine, and
    /// opens none by restoring what was withdrawn before.
    async fn what_the_registry_closed_is_not_its_owners(registry) {
        let ada = two_versions(registry).await;
        bring(registry, &ada, "demo", "1.0.0", ReleaseState::Quarantined).await;
        let refused = ada.post(&format!("{DEMO}/versions/1.0.0/withdraw"), &json!({})).await;
        insta::assert_snapshot!(refused.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:release-closed",
          "status": 409,
          "code": "release-closed",
          "title": "ada/demo@1.0.0 is quarantined, which a withdrawal does not change",
          "requestId": "test"
        }
        "#);
        ada.post(&format!("{DEMO}/versions/1.0.1/withdraw"), &json!({})).await;
        bring(registry, &ada, "demo", "1.0.1", ReleaseState::TakenDown).await;
        let restored = ada.post(&format!("{DEMO}/versions/1.0.1/restore"), &json!({})).await;
        assert_eq!(restored.json()["status"], "taken-down");
    }

    async fn who_may_not(registry) {
        two_versions(registry).await;
        let eve = registry.user("eve").await;
        for verb in ["withdraw", "restore"] {
            let path = format!("{DEMO}/versions/1.0.1/{verb}");
            assert_eq!(registry.anonymous().post(&path, &json!({})).await.json()["code"], "login-needed");
            assert_eq!(eve.post(&path, &json!({})).await.json()["code"], "not-member");
        }
        let mut conn = registry.app.db().read().await.unwrap();
        let skill = skills::find(&mut conn, &"ada/demo".parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(restrictions::of_skill(&mut conn, &skill.id).await.unwrap(), []);
    }
}
