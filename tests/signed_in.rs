//! Signing a browser in, by `skill` and by the operator.

use insta::assert_snapshot;

use crate::support::browser::Browser;
use crate::support::{Registry, Sandbox};

#[test]
fn a_link_of_the_command_line_signs_a_browser_in() {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    let out = acme.skill(["login", "--link"]).success();
    let (_, link) = out.stdout.trim_end().split_at(out.stdout.find("/sign-in/link/skl_").unwrap());
    assert_eq!(out.stdout.lines().count(), 1);
    assert!(out.stderr.starts_with("works once, until "), "{out}");

    let mut browser = Browser::at(&registry);
    assert_eq!(browser.open("/settings/sessions").status, 401);
    let page = browser.open(link);
    assert!(page.text.contains("Sign in as acme"), "{}", page.text);
    let done = browser.submit(&page, "/sign-in/link", &[]);
    assert_eq!((done.status, done.location.as_deref()), (303, Some("/")));
    let front = browser.open("/");
    assert!(front.text.contains("<summary>acme</summary>"), "{}", front.text);
    assert_eq!(browser.open(link).status, 410);

    // The token ends, and with it what it let in.
    let list = acme.skill(["token", "list", "--json"]).success().json();
    let id = list["tokens"][0]["id"].as_str().unwrap().to_owned();
    acme.skill(["token", "revoke", &id]).success();
    assert_eq!(browser.open("/settings/sessions").status, 401);
    assert_eq!(acme.skill(["login", "--link", "--json"]).code(7).error_code(), "token-rejected");
}

#[test]
fn a_link_of_the_operator_signs_in_and_the_page_signs_out_everywhere() {
    let registry = Registry::start();
    registry.admin(&["user", "add", "ada"]);
    let mut browsers = [Browser::at(&registry), Browser::at(&registry)];
    for browser in &mut browsers {
        let link = registry.admin(&["user", "link", "ada"]);
        let page = browser.open(link.trim_end());
        assert_eq!(browser.submit(&page, "/sign-in/link", &[]).status, 303);
    }
    let [here, there] = &mut browsers;
    let sessions = here.open("/settings/sessions");
    assert_eq!(sessions.text.matches(r#"name="session""#).count(), 2);
    assert_eq!(here.submit(&sessions, "/settings/sessions/end-all", &[]).status, 303);
    assert_eq!((here.open("/settings/sessions").status, there.open("/settings/sessions").status), (401, 401));
}

#[test]
fn a_link_takes_a_token() {
    let registry = Registry::start();
    let nobody = Sandbox::with(&registry);
    assert_snapshot!(nobody.skill(["login", "--link"]), @r"
    -- stderr
    error[login-needed]: registry corp needs a token for this
      because: nothing was sent
    hint: run `skill login`
    -- exit 7
    ");
    assert_eq!(nobody.skill(["login", "--link", "--token", "-", "--json"]).code(2).error_code(), "usage");
}
