//! What each state of a release lets a page show: the table of docs/API.md, "States", at every page.

use skill_core::state::ReleaseState;

use super::markup;
use crate::support::states::put_into;

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
