use skill_core::state::ReleaseState;

use crate::support::states::{bring, put_into};
use crate::support::{Skill, TestRegistry};

on_both_engines! {
    async fn the_archive_and_its_headers(registry) {
        let ada = registry.user("ada").await;
        let skill = Skill::new("demo").script("run.sh", "#!/bin/sh\necho hello\n");
        skill.published(&ada).await;
        let answer = registry.anonymous().get("/api/v1/download?slug=demo&ownerHandle=ada&version=1.0.0").await;
        assert_eq!(answer.body, skill.archive());
        let headers = ["content-type", "content-length", "content-disposition", "cache-control"];
        let shown: Vec<_> = headers.iter().map(|name| format!("{name}: {}", answer.header(name).unwrap_or("-"))).collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        content-type: application/zip
        content-length: 283
        content-disposition: attachment; filename="demo-1.0.0.zip"
        cache-control: no-cache
        "#);
        let by_tag = registry.anonymous().get("/api/v1/download?slug=demo&tag=latest").await;
        assert_eq!(by_tag.body, answer.body);
        let tag = answer.header("etag").unwrap();
        let known = registry.anonymous().known("/api/v1/download?slug=demo", tag).await;
        assert_eq!((known.status.as_u16(), known.body.len(), known.header("etag")), (304, 0, Some(tag)));
        assert_eq!(registry.anonymous().known("/api/v1/download?slug=demo", "\"x\"").await.status, 200);
        assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo&tag=beta").await.status, 404);
    }
}

on_both_engines! {
    async fn each_client_counts_once_a_day(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        Skill::new("demo").published(&ada).await;
        for client in [&ada, &bob, &bob] {
            assert_eq!(client.get("/api/v1/download?slug=demo").await.status, 200);
        }
        // Written beside the requests; nobody without a name or an address is counted.
        assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.status, 200);
        loop {
            // An answer with counts is kept for half a minute.
            registry.later(30);
            let shown = registry.anonymous().get("/api/v1/skills/demo").await.json();
            if shown["skill"]["stats"]["downloads"] == 2 {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// Bug report 40: what is stored is missing or cut short, and the answer is an error before the first byte.
#[tokio::test]
async fn a_missing_or_cut_archive_is_an_error() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let digest = Skill::new("demo").published(&ada).await["archiveSha256"].as_str().unwrap().to_owned();
    let blob = registry.data().join("blobs").join(&digest[..2]).join(&digest[2..]);
    let bytes = fs_err::read(&blob).unwrap();
    fs_err::write(&blob, &bytes[..bytes.len() - 1]).unwrap();
    let cut = registry.anonymous().get("/api/v1/download?slug=demo").await;
    assert_eq!((cut.status.as_u16(), cut.text()), (500, "Internal server error"));
    fs_err::remove_file(&blob).unwrap();
    for path in ["/api/v1/download?slug=demo", "/api/v1/skills/demo/file?path=SKILL.md"] {
        let missing = registry.anonymous().get(path).await;
        assert_eq!((missing.status.as_u16(), missing.text()), (500, "Internal server error"), "{path}");
    }
    // The same content again heals it.
    Skill::new("demo").version("1.0.1").published(&ada).await;
    assert_eq!(registry.anonymous().get("/api/v1/download?slug=demo").await.body, bytes);
}

on_both_engines! {
    /// What was given once, and is kept for that, is closed at once, and never kept for whom it is closed to.
    async fn what_is_kept_opens_nothing(registry) {
        let ada = registry.user("ada").await;
        let mut said = Vec::new();
        for (slug, state) in [
            ("held", ReleaseState::Quarantined),
            ("gone", ReleaseState::Deleted),
            ("back", ReleaseState::Withdrawn),
            ("down", ReleaseState::TakenDown),
            ("wait", ReleaseState::Pending),
        ] {
            put_into(registry, &ada, slug, ReleaseState::Visible).await;
            let path = format!("/api/v1/download?slug={slug}&ownerHandle=ada&version=1.0.0");
            let first = registry.anonymous().get(&path).await;
            let tag = first.header("etag").unwrap();
            assert_eq!(registry.anonymous().get(&path).await.body, first.body);
            bring(registry, &ada, slug, "1.0.0", state).await;
            let others = registry.anonymous().get(&path).await.status;
            let again = registry.anonymous().known(&path, tag).await.status;
            let owner = ada.get(&path).await.status;
            said.push(format!("{slug} {} {} {}", others.as_u16(), again.as_u16(), owner.as_u16()));
        }
        insta::assert_snapshot!(said.join("\n"), @r"
        held 403 403 403
        gone 410 410 410
        back 410 410 410
        down 410 410 410
        wait 423 423 423
        ");
    }
}
