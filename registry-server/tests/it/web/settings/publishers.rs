//! Publishers, their members and invitations.

use insta::assert_snapshot;
use skill_registry::store::publishers::MemberRole;

use crate::support::{Answer, Browser, TestRegistry};
use crate::web::markup;

const LIST: &str = "/settings/publishers";
const TEAM: &str = "/settings/publishers/team";

/// What a person reads of a page, without the blanks between.
fn read(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

/// What a page says of members and invitations.
async fn told(browser: &Browser) -> String {
    let text = read(&browser.get(TEAM).await);
    text.split(" A publisher publishes").next().unwrap().to_owned()
}

/// The id of the one invitation on a page.
fn invitation(page: &Answer) -> String {
    let rest = page.text().split(r#"name="invitation" value=""#).nth(1).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

async fn people<const N: usize>(registry: &TestRegistry, names: [&str; N]) -> [Browser; N] {
    let mut browsers = Vec::new();
    for name in names {
        registry.add_user(name).await;
        browsers.push(registry.signed_in(name).await);
    }
    browsers.try_into().unwrap_or_else(|_| unreachable!())
}

on_both_engines! {
    async fn a_publisher_from_its_making_to_the_last_owner(registry) {
        let [ada, bob] = people(registry, ["ada", "bob"]).await;
        let made = ada.post(LIST, &[("handle", "team"), ("display_name", "The <b>team")]).await;
        assert_eq!((status(&made), made.header("location")), (303, Some(TEAM)));
        assert!(read(&ada.get(LIST).await).contains("ada you are owner team you are owner"));
        let invited = ada.post(&format!("{TEAM}/invitations"), &[("user", "bob"), ("role", "admin")]).await;
        assert_eq!((status(&invited), invited.header("location")), (303, Some(TEAM)));
        assert_snapshot!(told(&ada).await, @"Members of team You are owner. Its skills · Webhooks ada you owner since 30 November 2026 Role of ada publisheradminowner Give it to ada Leave Invitations bob as admin, by ada, until 7 December 2026 Take it back from bob User As publisheradminowner Invite");

        // Nobody is a member before they have answered.
        assert_eq!(status(&bob.get(TEAM).await), 403);
        let id = invitation(&bob.get("/dashboard").await);
        assert_eq!(status(&bob.post("/dashboard/invitations/accept", &[("invitation", &id)]).await), 303);
        assert_snapshot!(told(&bob).await, @"Members of team You are admin. Its skills · Webhooks ada owner since 30 November 2026 bob you admin since 30 November 2026 Leave Invitations None waits for an answer. User As publisheradmin Invite");

        for (path, fields, expected) in [
            ("members/role", [("user", "bob"), ("role", "owner")], 303),
            ("members/role", [("user", "ada"), ("role", "publisher")], 303),
            // An owner no more.
            ("members/role", [("user", "bob"), ("role", "publisher")], 403),
            ("members/remove", [("user", "bob"), ("role", "")], 403),
        ] {
            assert_eq!(status(&ada.post(&format!("{TEAM}/{path}"), &fields).await), expected, "{path} {fields:?}");
        }
        let ask = bob.get(&format!("{TEAM}/members/remove?user=bob")).await;
        assert!(read(&ask).contains("Leave team?"));
        let refused = bob.post(&format!("{TEAM}/members/remove"), &[("user", "bob")]).await;
        assert!(status(&refused) == 409 && read(&refused).contains("Nothing was changed bob is the last owner of team."));
        let ask = bob.get(&format!("{TEAM}/members/remove?user=ada")).await;
        assert_snapshot!(read(&ask), @"Remove ada from team? What will happen ada acts for team no more from this moment on, with whatever token or session. Invitations that ada made and nobody has answered are taken back. What was published stays. To come back takes another invitation. Remove ada Keep ada");
        assert_eq!(bob.post(&format!("{TEAM}/members/remove"), &[("user", "ada")]).await.header("location"), Some(TEAM));
        assert_eq!(status(&ada.get(TEAM).await), 403);
        assert_eq!(status(&bob.get(&format!("{TEAM}/members/remove?user=ada")).await), 404);
    }

    async fn many_members_are_paged(registry) {
        let [ada] = people(registry, ["ada"]).await;
        registry.organisation("team").await;
        registry.join("team", "ada", MemberRole::Owner).await;
        for number in 0..54 {
            let name = format!("user-{number:02}");
            registry.add_user(&name).await;
            registry.join("team", &name, MemberRole::Publisher).await;
        }
        let first = ada.get(TEAM).await;
        let next = first.text().split(r#"rel="next" href=""#).nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(next, "/settings/publishers/team?cursor=user-48");
        let second = ada.get(next).await;
        assert!(read(&first).contains("user-48") && !read(&first).contains("user-49"));
        assert!(read(&second).contains("user-49") && read(&second).contains("user-53"));
        assert!(!second.text().contains(r#"rel="next""#));
    }
}

/// Whoever may not is offered nothing and does nothing; a stranger is told nothing.
#[tokio::test]
async fn what_a_role_allows() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    let [olga, adam, pia, mallory] = people(&registry, ["olga", "adam", "pia", "mallory"]).await;
    registry.organisation("team").await;
    for (name, role) in
        [("olga", MemberRole::Owner), ("adam", MemberRole::Admin), ("pia", MemberRole::Publisher)]
    {
        registry.join("team", name, role).await;
    }
    let mut offered = String::new();
    for (name, browser) in [("olga", &olga), ("adam", &adam), ("pia", &pia)] {
        let page = browser.get(TEAM).await;
        let forms = markup::read(page.text()).unwrap();
        let mut actions: Vec<String> =
            forms.all("form").map(|form| form.get("action").replace(TEAM, "")).collect();
        actions
            .retain(|action| action.starts_with('/') && !["/sign-out", "/search"].contains(&action.as_str()));
        actions.dedup();
        let links: Vec<String> = forms
            .all("a")
            .map(|link| link.get("href").replace(TEAM, ""))
            .filter(|href| href.starts_with("/members") || href.starts_with("/webhooks"))
            .collect();
        offered += &format!("{name}: {} {}\n", actions.join(" "), links.join(" "));
    }
    assert_snapshot!(offered, @r"
    olga: /members/role /invitations /webhooks /members/remove?user=adam /members/remove?user=olga /members/remove?user=pia
    adam: /invitations /webhooks /members/remove?user=adam
    pia:  /members/remove?user=pia
    ");
    for (browser, path, fields, expected) in [
        (&pia, "invitations", [("user", "mallory"), ("role", "publisher")], 403),
        (&adam, "invitations", [("user", "mallory"), ("role", "owner")], 403),
        (&adam, "members/role", [("user", "pia"), ("role", "admin")], 403),
        (&olga, "invitations", [("user", "nobody"), ("role", "admin")], 404),
        (&olga, "invitations", [("user", "pia"), ("role", "admin")], 409),
        (&olga, "invitations", [("user", "pia"), ("role", "king")], 422),
        (&olga, "invitations", [("user", ""), ("role", "admin")], 422),
        (&olga, "invitations/withdraw", [("invitation", "none"), ("", "")], 404),
        (&olga, "members/role", [("user", "nobody"), ("role", "admin")], 404),
        (&olga, "members/role", [("user", "olga"), ("role", "admin")], 409),
        (&mallory, "invitations", [("user", "mallory"), ("role", "owner")], 403),
        (&mallory, "members/remove", [("user", "pia"), ("", "")], 403),
    ] {
        let answer = browser.post(&format!("{TEAM}/{path}"), &fields).await;
        assert_eq!(status(&answer), expected, "{path} {fields:?}: {}", read(&answer));
        assert!(expected == 403 || read(&answer).contains("Nothing was changed"), "{path} {fields:?}");
    }
    for path in ["", "/webhooks", "/members/remove?user=pia"] {
        let there = mallory.get(&format!("{TEAM}{path}")).await;
        let not = mallory.get(&format!("/settings/publishers/txxm{path}")).await;
        assert_eq!(
            (status(&there), there.text().replace("team", "txxm")),
            (403, not.text().to_owned()),
            "{path}"
        );
        assert_eq!(status(&registry.anonymous().get(&format!("{TEAM}{path}")).await), 401);
        assert_eq!(status(&registry.signed_in("admin").await.get(&format!("{TEAM}{path}")).await), 403);
    }
    // That of one person has no others.
    let own = read(&olga.get("/settings/publishers/olga").await);
    assert!(own.contains("the publisher of one person") && !own.contains("Invite"));
    let refused =
        olga.post("/settings/publishers/olga/invitations", &[("user", "pia"), ("role", "admin")]).await;
    assert_eq!(status(&refused), 409);
}

#[tokio::test]
async fn a_handle_that_is_refused_is_kept_in_the_form() {
    let registry = TestRegistry::on_sqlite().start().await;
    let [ada, _] = people(&registry, ["ada", "bob"]).await;
    let mut said = String::new();
    for (handle, name) in [
        ("", "kept"),
        ("No Handle", "kept"),
        ("bob", "kept"),
        ("admin", "kept"),
        ("api", "kept \"<i>"),
        ("team", &"x".repeat(201)),
    ] {
        let refused = ada.post(LIST, &[("handle", handle), ("display_name", name)]).await;
        let text = read(&refused);
        let why = text.split("No publisher was made ").nth(1).unwrap().split(" ada you are").next().unwrap();
        said += &format!("{} {why}\n", status(&refused));
        let page = markup::read(refused.text()).unwrap();
        assert!(page.all("input").any(|field| field.get("name") == "handle" && field.get("value") == handle));
    }
    assert_snapshot!(said, @r"
    422 A publisher has a handle.
    422 `No Handle` does not read as an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters.
    409 The handle bob is taken.
    409 The handle admin is reserved.
    409 The handle api is reserved.
    422 The display name has 201 bytes, at most 200 are kept.
    ");
}
