//! What a user's publishers have, in a browser.

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use skill_registry::store::publishers::MemberRole;

use super::markup;
use crate::support::{Answer, Skill, TestRegistry};

const PAGE: &str = "/dashboard";

/// What a person reads of a page, without the blanks between.
fn read(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

on_both_engines! {
    /// Every skill with its state, also what nobody else sees.
    async fn the_skills_of_a_publisher(registry) {
        let ada = registry.user("ada").await;
        for slug in ["open", "old", "gone", "shut", "removed", "stopped"] {
            Skill::new(slug).version("1.0.0").published(&ada).await;
            registry.later(1);
        }
        Skill::new("open").version("1.1.0").script("x.sh", "#!/bin/sh\n").published(&ada).await;
        registry.later(1);
        let skills = "/api/registry/v1/skills/ada";
        let reason = json!({ "reason": "why <b>not" });
        ada.put(&format!("{skills}/old/deprecation"), &json!({ "message": "use open" })).await;
        registry.later(1);
        ada.send_json(Method::DELETE, &format!("{skills}/gone"), &reason).await;
        ada.post(&format!("{skills}/shut/versions/1.0.0/withdraw"), &reason).await;
        let admin = registry.admin();
        let closed = "/api/registry/v1/moderation/releases/ada";
        admin.post(&format!("{closed}/removed/1.0.0/takedown"), &json!({ "reason": "harm", "scope": "release" })).await;
        admin.post(&format!("{closed}/stopped/1.0.0/hide"), &reason).await;
        admin.put(&format!("{skills}/open/star"), &json!({})).await;

        let browser = registry.signed_in("ada").await;
        let page = browser.get(PAGE).await;
        assert_eq!(status(&page), 200);
        assert_snapshot!(read(&page), @"Dashboard Skills of ada, where you are owner. What nobody gets ada/removed 1.0.0 Taken down since 30 November 2026 · “harm” ada/stopped 1.0.0 Quarantined since 30 November 2026 · “hidden” To you: “why &lt;b&gt;not” The page of each says what is waited for, or what was found. Skills 6 ada/removed 1.0.0 Taken down 1 release · 0 downloads · 0 stars · changed 30 November 2026 Settings of removed ada/gone 1.0.0 Deleted 1 release · 0 downloads · 0 stars · changed 30 November 2026 · the bare name is kept until 30 December 2026 Settings of gone ada/shut 1.0.0 Withdrawn 1 release · 0 downloads · 0 stars · changed 30 November 2026 Settings of shut ada/stopped 1.0.0 Quarantined 1 release · 0 downloads · 0 stars · changed 30 November 2026 Settings of stopped ada/old 1.0.0 Clean deprecated 1 release · 0 downloads · 0 stars · changed 30 November 2026 Settings of old ada/open 1.1.0 Clean 2 releases · 0 downloads · 1 star · changed 30 November 2026 Settings of open");
        assert!(!page.text().contains("<b>not"));
    }

    /// Accepting makes a member, declining does not, and neither can be done for somebody else.
    async fn invitations_are_answered(registry) {
        let ada = registry.user("ada").await;
        for team in ["alpha", "beta"] {
            registry.organisation(team).await;
            registry.join(team, "ada", MemberRole::Owner).await;
            registry.add_user(&format!("{team}-user")).await;
            let body = json!({ "user": format!("{team}-user"), "role": "admin" });
            assert_eq!(status(&ada.post(&format!("/api/registry/v1/publishers/{team}/invitations"), &body).await), 201);
        }
        let id = |page: &Answer| {
            page.text().split(r#"name="invitation" value=""#).nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
        };
        let (one, other) = (registry.signed_in("alpha-user").await, registry.signed_in("beta-user").await);
        let page = one.get(PAGE).await;
        assert!(read(&page).contains("alpha ada asks you to act for it as admin, until 7 December 2026."), "{}", read(&page));
        let (first, second) = (id(&page).unwrap(), id(&other.get(PAGE).await).unwrap());
        for act in ["accept", "decline"] {
            assert_eq!(status(&other.post(&format!("{PAGE}/invitations/{act}"), &[("invitation", &first)]).await), 404);
        }
        let done = one.post("/dashboard/invitations/accept", &[("invitation", &first)]).await;
        assert_eq!((status(&done), done.header("location")), (303, Some("/dashboard?publisher=alpha")));
        assert!(read(&one.get("/dashboard?publisher=alpha").await).contains("Skills of alpha, where you are admin."));
        assert_eq!(id(&one.get(PAGE).await), None);

        let done = other.post("/dashboard/invitations/decline", &[("invitation", &second)]).await;
        assert_eq!((status(&done), done.header("location")), (303, Some(PAGE)));
        assert_eq!((id(&other.get(PAGE).await), status(&other.get("/dashboard?publisher=beta").await)), (None, 403));
    }
}

/// Of the publishers of others nothing is told, not even whether they are there.
#[tokio::test]
async fn nothing_of_another_publisher() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    registry.add_user("mallory").await;
    let mallory = registry.signed_in("mallory").await;
    let page = mallory.get(PAGE).await;
    assert!(status(&page) == 200 && !page.text().contains("secret") && !page.text().contains("ada/"));
    let [there, not] =
        [mallory.get("/dashboard?publisher=ada").await, mallory.get("/dashboard?publisher=axa").await];
    assert_eq!((status(&there), status(&not)), (403, 403));
    assert_eq!(there.text().replace("ada", "axa"), not.text());
    assert_eq!(status(&mallory.get("/dashboard?publisher=..").await), 404);
    let nobody = registry.anonymous().get(PAGE).await;
    assert!(status(&nobody) == 401 && !nobody.text().contains("secret"));
    // A site role is none in a publisher.
    assert_eq!(status(&registry.signed_in("admin").await.get("/dashboard?publisher=ada").await), 403);
}

#[tokio::test]
async fn many_skills_are_paged() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    for number in 0..52 {
        Skill::new(&format!("skill-{number}")).published(&ada).await;
        registry.later(6);
    }
    let browser = registry.signed_in("ada").await;
    let (first, second) = (browser.get(PAGE).await, browser.get("/dashboard?publisher=ada&page=2").await);
    assert!(first.text().contains(r#"rel="next" href="/dashboard?publisher=ada&amp;page=2""#));
    assert!(read(&first).contains("Page 1 of 2") && read(&first).contains("ada/skill-51 "));
    assert!(read(&second).contains("ada/skill-0 ") && !read(&second).contains("ada/skill-2 "));
    assert_eq!(status(&browser.get("/dashboard?page=3").await), 404);
}
