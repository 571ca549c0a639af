//! What each state of a release lets a page show: the table of docs/API.md, "States", at every page.

use skill_core::state::ReleaseState;
use skill_registry::store::restrictions::Action;
use skill_registry::store::{releases, skills};

use super::markup;
use super::skill::words;
use crate::publish::malicious;
use crate::support::states::{bring, put_into};
use crate::support::{Skill, TestRegistry, rows};

on_both_engines! {
    async fn every_state_at_every_page(registry) {
        let ada = registry.user("ada").await;
        let anyone = registry.anonymous();
        let mut shown = String::from("owner/others: page, version, versions, files, file, diff, security; command shown\n");
        for state in ReleaseState::ALL {
            let slug = format!("is-{state}");
            put_into(registry, &ada, &slug, state).await;
            let page = format!("/ada/skills/{slug}");
            shown += &format!("{state}:");
            for path in [
                page.clone(),
                format!("{page}/versions/1.0.0"),
                format!("{page}/versions"),
                format!("{page}/files"),
                format!("{page}/files?version=1.0.0&path=SKILL.md"),
                format!("{page}/diff"),
                format!("{page}/security"),
            ] {
                let (owner, others) = (ada.get(&path).await, anyone.get(&path).await);
                markup::read(others.text()).unwrap();
                markup::read(owner.text()).unwrap();
                shown += &format!(" {}/{}", owner.status.as_u16(), others.status.as_u16());
            }
            let html = anyone.get(&page).await;
            let command = html.text().contains(&format!("skill install ada/{slug}"));
            let listed = anyone.get("/skills").await.text().contains(&page);
            let home = anyone.get("/").await.text().contains(&page);
            let found = anyone.get(&format!("/search?q={slug}")).await;
            let found = found.text().matches(&format!("href=\"{page}\"")).count();
            shown += &format!("; command {command}, listed {listed}, home {home}, found {found}\n");
        }
        insta::assert_snapshot!(shown, @r"
        owner/others: page, version, versions, files, file, diff, security; command shown
        pending: 423/404 423/404 423/404 423/404 423/404 423/404 423/404; command false, listed false, home false, found 0
        visible: 200/200 200/200 200/200 200/200 200/200 200/200 200/200; command true, listed true, home true, found 1
        suspicious: 200/200 200/200 200/200 200/200 200/200 200/200 200/200; command true, listed true, home true, found 1
        yanked: 200/200 200/200 200/200 200/200 200/200 200/200 200/200; command false, listed false, home false, found 0
        withdrawn: 410/410 410/410 410/410 410/410 410/410 410/410 410/410; command false, listed false, home false, found 0
        quarantined: 403/403 403/403 403/403 403/403 403/403 403/403 403/403; command false, listed false, home false, found 1
        deleted: 410/404 410/404 410/404 410/404 410/404 410/404 410/404; command false, listed false, home false, found 0
        taken-down: 410/410 410/410 410/410 410/410 410/410 410/410 410/410; command false, listed false, home false, found 1
        ");
    }
}

/// Where nothing can be had, the page is about what readers have to know of: a quarantine is not hidden behind a newer
/// release that is pending or was withdrawn, and where the search leads there is a page.
#[tokio::test]
async fn every_pair_of_states_has_one_page() {
    const STATES: [ReleaseState; 6] = [
        ReleaseState::Visible,
        ReleaseState::Yanked,
        ReleaseState::Pending,
        ReleaseState::Withdrawn,
        ReleaseState::Quarantined,
        ReleaseState::TakenDown,
    ];
    let registry = TestRegistry::on_sqlite().start().await;
    let (ada, anyone) = (registry.user("ada").await, registry.anonymous());
    let mut shown = String::new();
    for older in STATES {
        for newer in STATES {
            let slug = format!("{older}-{newer}");
            Skill::new(&slug).published(&ada).await;
            Skill::new(&slug).file("more.md", "more").published(&ada).await;
            bring(&registry, &ada, &slug, "1.0.0", older).await;
            bring(&registry, &ada, &slug, "1.0.1", newer).await;
            let page = format!("/ada/skills/{slug}");
            let version = |html: &str| {
                let (_, rest) = html.split_once("<span class=\"version v\">")?;
                Some(rest.split_once('<')?.0.to_owned())
            };
            let mut line = format!("{older}, {newer}:");
            for caller in [&ada, &anyone] {
                let answer = caller.get(&page).await;
                let version = version(answer.text()).unwrap_or_default();
                line += &format!(" {} {version}", answer.status.as_u16());
            }
            let found = anyone.get(&format!("/search?q={slug}")).await;
            if found.text().contains(&format!("href=\"{page}\"")) {
                assert_ne!(anyone.get(&page).await.status, 404, "{slug}");
                line += ", found";
            }
            shown += &format!("{}\n", line.trim_end());
        }
    }
    insta::assert_snapshot!(shown, @r"
    visible, visible: 200 1.0.1 200 1.0.1, found
    visible, yanked: 200 1.0.0 200 1.0.0, found
    visible, pending: 200 1.0.0 200 1.0.0, found
    visible, withdrawn: 200 1.0.0 200 1.0.0, found
    visible, quarantined: 200 1.0.0 200 1.0.0, found
    visible, taken-down: 200 1.0.0 200 1.0.0, found
    yanked, visible: 200 1.0.1 200 1.0.1, found
    yanked, yanked: 200 1.0.1 200 1.0.1
    yanked, pending: 200 1.0.0 200 1.0.0
    yanked, withdrawn: 200 1.0.0 200 1.0.0
    yanked, quarantined: 200 1.0.0 200 1.0.0
    yanked, taken-down: 200 1.0.0 200 1.0.0
    pending, visible: 200 1.0.1 200 1.0.1, found
    pending, yanked: 200 1.0.1 200 1.0.1
    pending, pending: 423 1.0.1 404
    pending, withdrawn: 410 1.0.1 410 1.0.1
    pending, quarantined: 403 1.0.1 403 1.0.1, found
    pending, taken-down: 410 1.0.1 410 1.0.1, found
    withdrawn, visible: 200 1.0.1 200 1.0.1, found
    withdrawn, yanked: 200 1.0.1 200 1.0.1
    withdrawn, pending: 410 1.0.0 410 1.0.0
    withdrawn, withdrawn: 410 1.0.1 410 1.0.1
    withdrawn, quarantined: 403 1.0.1 403 1.0.1, found
    withdrawn, taken-down: 410 1.0.1 410 1.0.1, found
    quarantined, visible: 200 1.0.1 200 1.0.1, found
    quarantined, yanked: 200 1.0.1 200 1.0.1
    quarantined, pending: 403 1.0.0 403 1.0.0, found
    quarantined, withdrawn: 403 1.0.0 403 1.0.0, found
    quarantined, quarantined: 403 1.0.1 403 1.0.1, found
    quarantined, taken-down: 410 1.0.1 410 1.0.1, found
    taken-down, visible: 200 1.0.1 200 1.0.1, found
    taken-down, yanked: 200 1.0.1 200 1.0.1
    taken-down, pending: 410 1.0.0 410 1.0.0, found
    taken-down, withdrawn: 410 1.0.0 410 1.0.0, found
    taken-down, quarantined: 403 1.0.1 403 1.0.1, found
    taken-down, taken-down: 410 1.0.1 410 1.0.1, found
    ");
}

/// A sentence about findings counts findings. What stands as suspicious without one says what is known.
#[tokio::test]
async fn a_lifted_quarantine_is_told_and_no_finding_is_made_up() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    malicious::hidden("tides").published(&ada).await;
    let mut conn = registry.app.db().read().await.unwrap();
    let skill = skills::find(&mut conn, &"ada/tides".parse().unwrap()).await.unwrap().unwrap();
    let release = releases::find(&mut conn, &skill.id, &"1.0.0".parse().unwrap()).await.unwrap().unwrap();
    drop(conn);
    let lifts = [Action::Quarantine];
    rows::restrict(registry.app.db(), &skill, &release, Action::Unyank, &lifts).await.unwrap();
    registry.app.pulse().ask(registry.app.db()).await.unwrap();
    let sentence =
        |words: &str| words.lines().find(|line| line.starts_with("Suspicious ")).unwrap().to_owned();
    let page = words(&registry.anonymous().get("/ada/skills/tides").await);
    assert_eq!(
        sentence(&page),
        "Suspicious 1 finding needs your judgement before you install. Its quarantine of 30 November 2026 was lifted. What was checked"
    );
    let findings = set_findings(&registry, "[]").await;
    let page = words(&registry.anonymous().get("/ada/skills/tides/versions/1.0.0").await);
    assert_eq!(
        sentence(&page),
        "Suspicious The scan of 30 November 2026 calls it malicious, without a critical finding. Its quarantine of 30 November 2026 was lifted. What was checked"
    );
    set_findings(&registry, &findings).await;
}

/// Replaces the findings of the one release there is; answers with those before.
async fn set_findings(registry: &TestRegistry, findings: &str) -> String {
    let mut tx = registry.app.db().quiet().await.unwrap();
    let before = sqlx::query_scalar("SELECT findings FROM releases").fetch_one(tx.conn()).await.unwrap();
    sqlx::query("UPDATE releases SET findings = $1")
        .bind(findings.to_owned())
        .execute(tx.conn())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    before
}
