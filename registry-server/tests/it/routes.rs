//! Every route there is.

use axum::body::Body;
use http::Method;
use skill_core::name::RESERVED_OWNERS;

use crate::support::TestRegistry;

/// The routes of one face, from the description that is served.
async fn table(of: impl Fn(&str) -> bool) -> String {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await.json();
    let mut table = String::new();
    for (path, methods) in api["paths"].as_object().unwrap().iter().filter(|(path, _)| of(path)) {
        for (method, operation) in methods.as_object().unwrap() {
            let token = if operation["security"].is_array() { " (token)" } else { "" };
            table += &format!(
                "{:6} {path}{token}: {}\n",
                method.to_uppercase(),
                operation["summary"].as_str().unwrap()
            );
        }
    }
    table
}

#[tokio::test]
async fn the_table_of_our_own() {
    insta::assert_snapshot!(table(|path| !path.starts_with("/api/v1/")).await, @r"
    GET    /.well-known/skill-registry.json: Says what this registry is: its id, its newest root, who may read, what it takes.
    POST   /api/cli/device/code: Begins a login by device: two codes, of which a person types one on a page.
    POST   /api/cli/device/token: Asks whether the person has approved it: the token, once, or why there is none.
    GET    /api/registry/v1/audit (token): Gives the audit log: one line of JSON for each change, oldest first, with its number and its digest.
    GET    /api/registry/v1/invitations (token): Lists the open invitations of whoever asks, by publisher.
    POST   /api/registry/v1/invitations/{id}/accept (token): Accepts an own invitation.
    POST   /api/registry/v1/invitations/{id}/decline (token): Declines an own invitation.
    GET    /api/registry/v1/limits: Says what a publish may weigh, so that a client can check before it sends (bug report 84).
    POST   /api/registry/v1/moderation/appeals/{id}/decide (token): Answers an appeal. Granting it gives the release back.
    GET    /api/registry/v1/moderation/cases/{owner}/{slug} (token): Shows everything about a skill that a moderator looks at before a decision.
    POST   /api/registry/v1/moderation/holds/{id}/pass (token): Lets the releases of a skill be seen that wait for the same.
    POST   /api/registry/v1/moderation/holds/{id}/refuse (token): Takes down the releases of a skill that wait for the same.
    GET    /api/registry/v1/moderation/proposals (token): Lists the restorations that wait for a second person.
    POST   /api/registry/v1/moderation/proposals/{id}/approve (token): Gives a release back that another moderator wants to give back.
    POST   /api/registry/v1/moderation/proposals/{id}/decline (token): Says no to a proposal, or takes the own one back.
    GET    /api/registry/v1/moderation/queue (token): Lists what waits for a moderator, one case a skill.
    POST   /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/hide (token): Closes the bytes of a release, and tells the reason to its publisher alone.
    POST   /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/quarantine (token): Closes the bytes of a release, under every name.
    POST   /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/restore (token): Gives a release back that was quarantined or taken down, or proposes it to a second person.
    POST   /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/takedown (token): Removes a release: its bytes under every name, or this name and number.
    POST   /api/registry/v1/moderation/reports/{id}/decide (token): Decides a report. That closes nothing by itself.
    POST   /api/registry/v1/moderation/users/{user}/ban (token): Closes an account, and hides its skills where that is asked for.
    PUT    /api/registry/v1/moderation/users/{user}/role (token): Makes a moderator or an administrator of a user, or a plain user again.
    POST   /api/registry/v1/moderation/users/{user}/unban (token): Opens an account again. What was hidden with it stays so: each release is restored by itself.
    POST   /api/registry/v1/publish (token): Publishes one version of a skill: one upload, one answer.
    POST   /api/registry/v1/publish/plan (token): Says what a publish would come to, and stores nothing.
    POST   /api/registry/v1/publishers (token): Makes a publisher for several users. Whoever asks is its owner.
    GET    /api/registry/v1/publishers/{owner} (token): Shows a publisher to its members.
    GET    /api/registry/v1/publishers/{owner}/invitations (token): Lists the open invitations to a publisher, by user.
    POST   /api/registry/v1/publishers/{owner}/invitations (token): Invites a user to a publisher, for seven days. One who is invited already is invited anew.
    DELETE /api/registry/v1/publishers/{owner}/invitations/{id} (token): Takes an invitation to a publisher back.
    GET    /api/registry/v1/publishers/{owner}/members (token): Lists the members of a publisher, by name.
    PUT    /api/registry/v1/publishers/{owner}/members/{user} (token): Gives a member of a publisher another role.
    DELETE /api/registry/v1/publishers/{owner}/members/{user} (token): Ends a membership: one's own, or as an owner that of another.
    GET    /api/registry/v1/publishers/{owner}/webhooks (token): Lists the webhooks of a publisher, oldest first.
    POST   /api/registry/v1/publishers/{owner}/webhooks (token): Makes a webhook. Its secret is in this answer and nowhere else.
    DELETE /api/registry/v1/publishers/{owner}/webhooks/{id} (token): Removes a webhook, and what was to be sent to it.
    GET    /api/registry/v1/publishers/{owner}/webhooks/{id}/deliveries (token): Lists the last hundred deliveries of a webhook, last first.
    POST   /api/registry/v1/publishers/{owner}/webhooks/{id}/ping (token): Sends something to a webhook now, once, and answers what came of it.
    POST   /api/registry/v1/sign-in-links (token): Makes a link that signs a browser in, once and within 15 minutes.
    DELETE /api/registry/v1/skills/{owner}/{slug} (token): Deletes a whole skill: nobody gets any of its releases any more, and its numbers stay used.
    PUT    /api/registry/v1/skills/{owner}/{slug}/deprecation (token): Says of a skill that it should not be used any more, and what to do instead.
    DELETE /api/registry/v1/skills/{owner}/{slug}/deprecation (token): Takes a deprecation back. One that is not there is gone already, which is 204 too.
    GET    /api/registry/v1/skills/{owner}/{slug}/downloads: Says how often a skill was downloaded, by day, and by whom as far as they say it.
    POST   /api/registry/v1/skills/{owner}/{slug}/reports (token): Tells the moderators about a skill, a closed one too.
    PUT    /api/registry/v1/skills/{owner}/{slug}/star (token): Stars a skill. Once more it changes nothing.
    DELETE /api/registry/v1/skills/{owner}/{slug}/star (token): Takes a star back. Without one it changes nothing.
    GET    /api/registry/v1/skills/{owner}/{slug}/status (token): Says how each release of a skill stands, and why: to its publisher and to moderators.
    PUT    /api/registry/v1/skills/{owner}/{slug}/tags/{tag} (token): Lets a tag point to a release.
    DELETE /api/registry/v1/skills/{owner}/{slug}/tags/{tag} (token): Removes a tag. Removing `latest` gives it back to the rule.
    POST   /api/registry/v1/skills/{owner}/{slug}/undelete (token): Brings a deleted skill back: each of its releases stands as it did before.
    GET    /api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals (token): Lists what was said against the closing of a release, and what moderators answered.
    POST   /api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals (token): Asks the moderators to look again at a release that the registry closed.
    POST   /api/registry/v1/skills/{owner}/{slug}/versions/{version}/restore (token): Brings a withdrawn release back: it stands as it did before.
    POST   /api/registry/v1/skills/{owner}/{slug}/versions/{version}/unyank (token): Takes a yank back.
    POST   /api/registry/v1/skills/{owner}/{slug}/versions/{version}/withdraw (token): Withdraws a release: nobody gets it any more. Its number stays used.
    POST   /api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank (token): Yanks a release: nothing chooses it any more but a lock that names it.
    GET    /api/registry/v1/tokens (token): Lists the own tokens that are not revoked, newest first. Their texts are not among it.
    POST   /api/registry/v1/tokens (token): Makes a token for oneself. Its text is in this answer and nowhere else.
    DELETE /api/registry/v1/tokens/{id} (token): Refuses an own token from now on, and every token that was made with it.
    GET    /api/registry/v1/whoami (token): Says who a token belongs to, which publishers that user acts for, and what the token may be used for.
    GET    /index/{owner}/{slug}: Gives the index of a skill: one line of JSON for each of its versions, lowest first, then an empty line.
    GET    /trust/root/{file}: Gives one version of the root metadata, the exact bytes that were signed.
    ");
}

#[tokio::test]
async fn the_table_of_the_contract() {
    insta::assert_snapshot!(table(|path| path.starts_with("/api/v1/")).await, @r"
    GET    /api/v1/download: Gives the archive of a version: the canonical zip of its files, which its release statement names.
    GET    /api/v1/openapi.json: Gives the description of every route: this document.
    POST   /api/v1/publishers (token): Makes a publisher for several users.
    GET    /api/v1/resolve: Finds the version that a folder came from, by ClawHub's fingerprint of its files.
    GET    /api/v1/search: Searches the skills that can be chosen.
    GET    /api/v1/skills: Lists the skills that can be chosen.
    GET    /api/v1/skills/-/reports (token): Lists reports, oldest first.
    POST   /api/v1/skills/-/reports/{id}/triage (token): Decides a report. What is done about the release is an act of its own.
    GET    /api/v1/skills/{slug}: Shows one skill: its names and counts, what `latest` is, what it needs, and its text.
    DELETE /api/v1/skills/{slug} (token): Deletes a whole skill.
    GET    /api/v1/skills/{slug}/file: Gives one file of a version: its bytes as they were published.
    GET    /api/v1/skills/{slug}/moderation: Shows what is said against a skill: of one that can be had to everybody, of a closed one to who sees it.
    POST   /api/v1/skills/{slug}/report (token): Tells the moderators about a skill.
    POST   /api/v1/skills/{slug}/tags/{tag} (token): Lets a tag point to a version.
    POST   /api/v1/skills/{slug}/undelete (token): Brings a deleted skill back.
    GET    /api/v1/skills/{slug}/versions: Lists the versions of a skill that can be seen, highest first. Yanked ones are among them and say so.
    GET    /api/v1/skills/{slug}/versions/{version}: Shows one version with its files and what its scan said.
    DELETE /api/v1/skills/{slug}/versions/{version} (token): Withdraws one version.
    GET    /api/v1/skills/{slug}/versions/{version}/envelope: Gives the trust envelope of a release: the signed statements about it, with their places in the log.
    POST   /api/v1/skills/{slug}/versions/{version}/restore (token): Brings a withdrawn version back.
    POST   /api/v1/stars/{slug} (token): Stars a skill.
    DELETE /api/v1/stars/{slug} (token): Takes a star back.
    GET    /api/v1/whoami (token): Says who a token belongs to.
    ");
}

/// No publisher may be called like the first segment of a route: its pages would be hidden by it.
#[tokio::test]
async fn the_first_segments_are_reserved_as_owners() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await.json();
    let documented = api["paths"].as_object().unwrap().keys().cloned();
    let own = skill_registry::web::account_paths().map(|(_, path)| path);
    let others =
        ["/healthz", "/metrics", "/readyz"].into_iter().chain(skill_registry::web::paths()).chain(own);
    let others = others.map(str::to_owned);
    for path in documented.chain(others) {
        let first = path.trim_start_matches('/').split('/').next().unwrap().trim_start_matches('.');
        let stem = first.split('.').next().unwrap();
        let is_open = first.is_empty() || first == "{owner}";
        assert!(is_open || RESERVED_OWNERS.contains(&stem), "{path}");
    }
}

/// The description in full: what changes in it changes for whoever generated a client from it.
#[tokio::test]
async fn the_description() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await;
    insta::assert_snapshot!("openapi", format!("{:#}\n", api.json()));
}

/// No answer to anything may be taken for another kind than it says: files of skills share the origin of the pages.
#[tokio::test]
async fn no_answer_is_sniffed() {
    let registry = TestRegistry::on_sqlite().start().await;
    let anyone = registry.anonymous();
    let api = anyone.get("/api/v1/openapi.json").await.json();
    let documented = api["paths"].as_object().unwrap().keys().cloned();
    let others = ["/healthz", "/metrics", "/readyz", "/no/such/page", "/api/v1/no"]
        .into_iter()
        .chain(skill_registry::web::paths())
        .chain(skill_registry::web::account_paths().map(|(_, path)| path));
    for path in documented.chain(others.map(str::to_owned)) {
        let path = path.replace(['{', '}'], "");
        for method in [Method::GET, Method::HEAD, Method::POST, Method::DELETE, Method::OPTIONS] {
            let answer =
                anyone.send(anyone.request(method.clone(), &path).body(Body::empty()).unwrap()).await;
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{method} {path}");
        }
    }
}
