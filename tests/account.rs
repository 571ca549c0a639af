//! Tokens, publishers and members, by `skill`.

use insta::assert_snapshot;

use crate::support::{Output, Registry, Sandbox, Skill};

/// What differs from run to run: texts of tokens, their ids, days.
fn stable(out: &Output, known: &[(&str, &str)]) -> String {
    let text = known.iter().fold(out.to_string(), |text, (value, name)| text.replace(value, name));
    let mut shown = String::new();
    for word in text.split_inclusive([' ', '\n', ',', '"']) {
        let bare = word.trim_end_matches([' ', '\n', ',', '"']);
        let is_day = bare.len() == 10 && bare.bytes().filter(u8::is_ascii_digit).count() == 8;
        shown += &if is_day { word.replace(bare, "[DAY]") } else { word.to_owned() };
    }
    shown
}

#[test]
fn a_token_of_ones_own() {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    let out =
        acme.skill(["token", "create", "--label", "ci", "--publisher", "acme", "--expires", "30d"]).success();
    let token = out.stdout.trim_end().to_owned();
    assert_eq!((token.len(), out.stdout.len()), (74, 75), "{out}");
    let prefix = &token[..12];
    assert_snapshot!(stable(&out, &[(&token, "[TOKEN]")]), @r"
    -- stdout
    [TOKEN]
    -- stderr
    shown this once; read and publish for acme until [DAY]
    -- exit 0
    ");
    assert_eq!(acme.skill(["token", "create", "--quiet"]).success().stdout.len(), 75);
    let made = acme.skill(["token", "create", "--skill", "acme/github", "--json"]).success().json();
    let of_skill = made["token"].as_str().unwrap().to_owned();
    assert_eq!(made["skill"], "acme/github");

    // It publishes what it is for, and nothing else.
    let ci = Sandbox::with(&registry);
    ci.skill(["login", "--token", &of_skill]).success();
    Skill::new("github").publish(&ci, "1.0.0").success();
    let other = Skill::new("gitlab").publish(&ci, "1.0.0").code(7);
    assert!(other.stderr.contains("error[token-restricted]"), "{other}");
    assert_eq!(ci.skill(["token", "create", "--json"]).code(7).error_code(), "token-restricted");

    let list = acme.skill(["token", "list", "--json"]).success();
    assert_eq!(list.json()["tokens"].as_array().unwrap().len(), 4);
    assert!(!list.stdout.contains(&token[12..]), "{list}");
    let list = acme.skill(["token", "list"]).success().stdout;
    let row = list.lines().find(|line| line.starts_with(prefix)).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[1..5], ["ci", "read,publish", "acme", "never"], "{list}");

    let revoked = acme.skill(["token", "revoke", prefix]).success();
    assert_snapshot!(stable(&revoked, &[(prefix, "[PREFIX]")]), @r"
    -- stdout
    revoked  [PREFIX]
    -- exit 0
    ");
    // Its text may still be good somewhere: only the prefix of it leaves this machine.
    let whole = acme.skill(["token", "revoke", &token, "--verbose"]).success();
    assert!(whole.stderr.contains(prefix) && !whole.stderr.contains(&token), "{whole}");
    let again = acme.skill(["token", "revoke", prefix]).success();
    assert_snapshot!(stable(&again, &[(prefix, "[PREFIX]")]), @r"
    -- stdout
    revoked  [PREFIX]   it was before
    -- exit 0
    ");
    assert_eq!(ci.skill(["login", "--token", &token, "--json"]).code(7).error_code(), "token-rejected");
}

#[test]
fn a_token_that_is_not_made() {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    registry.publisher("octo");
    for (asked, exit, code) in [
        (["--scope", "admin"], 7, "token-above-maker"),
        (["--publisher", "octo"], 7, "not-member"),
        (["--skill", "octo/github"], 7, "not-member"),
        (["--publisher", "nobody-here"], 3, "owner-not-found"),
        (["--scope", "everything"], 2, "usage"),
        (["--expires", "soon"], 2, "usage"),
        (["--publisher", "No Handle"], 2, "usage"),
    ] {
        let out = acme.skill(["token", "create", "--json"].into_iter().chain(asked)).code(exit);
        assert_eq!(out.error_code(), code, "{asked:?}");
    }
    assert_snapshot!(acme.skill(["token", "create", "--scope", "admin"]), @r"
    -- stderr
    error[token-above-maker]: the token that makes it lacks the scope admin
    hint: ask for less, or use another token
    -- exit 7
    ");
    assert_snapshot!(acme.skill(["token", "revoke", "skr_00000000"]), @r"
    -- stderr
    error[token-not-found]: there is no token `skr_00000000`
    hint: run `skill token list`
    -- exit 3
    ");
    let nobody = Sandbox::with(&registry);
    assert_eq!(nobody.skill(["token", "list", "--json"]).code(7).error_code(), "login-needed");
}

/// The operator makes a token for a continuous build that can do one thing.
#[test]
fn the_operator_binds_a_token() {
    let registry = Registry::start();
    registry.publisher("acme");
    let bound =
        registry.admin(&["token", "create", "--user", "acme", "--skill", "acme/github", "--expires", "30d"]);
    let ci = Sandbox::with(&registry);
    ci.skill(["login", "--token", bound.trim()]).success();
    Skill::new("github").publish(&ci, "1.0.0").success();
    assert_eq!(Skill::new("gitlab").publish(&ci, "1.0.0").code, 7);
}

fn publish_for(sandbox: &Sandbox, owner: &str) -> Output {
    Skill::new("github").write(sandbox, "source");
    sandbox.skill(["publish", "source", "--slug", "github", "--owner", owner, "--version", "1.0.0"])
}

#[test]
fn a_publisher_of_several_people() {
    let registry = Registry::start();
    let ada = Sandbox::publisher(&registry, "ada");
    let bob = Sandbox::publisher(&registry, "bob");
    assert_snapshot!(ada.skill(["publisher", "create", "acme", "--display-name", "Acme Works"]).success(), @r"
    -- stdout
    made  acme   you are its owner
    -- stderr
    hint: run `skill publish PATH --owner acme` to publish for it
    -- exit 0
    ");
    publish_for(&ada, "acme").success();
    let refused = publish_for(&bob, "acme").code(7);
    assert!(refused.stderr.contains("error[not-member]"), "{refused}");
    assert_snapshot!(stable(&ada.skill(["publisher", "show", "acme"]).success(), &[]), @r"
    -- stdout
    acme in registry corp
    name        Acme Works
    is          several people
    since       [DAY]
    your role   owner
    -- exit 0
    ");
    assert_snapshot!(ada.skill(["publisher", "list"]).success(), @r"
    -- stdout
    publisher  role
    ada        owner
    acme       owner
    -- exit 0
    ");
    assert_snapshot!(stable(&ada.skill(["publisher", "members", "acme"]).success(), &[]), @r"
    -- stdout
    ada  owner  [DAY]  ada
    -- exit 0
    ");
    assert_snapshot!(ada.skill(["publisher", "leave", "acme"]), @r"
    -- stderr
    error[last-owner]: ada is the last owner of acme
    -- exit 1
    ");
    for (asked, who, exit, code) in [
        (&["create", "acme"][..], &bob, 1, "owner-taken"),
        (&["create", "docs"], &bob, 1, "owner-reserved"),
        (&["create", "No Handle"], &bob, 2, "usage"),
        (&["show", "acme"], &bob, 7, "not-member"),
        (&["members", "acme"], &bob, 7, "not-member"),
        (&["leave", "acme"], &bob, 7, "not-member"),
        (&["role", "acme", "bob", "admin"], &ada, 3, "member-not-found"),
        (&["role", "acme", "bob", "king"], &ada, 2, "usage"),
        (&["role", "acme", "ada", "none"], &ada, 1, "last-owner"),
    ] {
        let out = who.skill(["publisher"].iter().chain(asked).chain(&["--json"])).code(exit);
        assert_eq!(out.error_code(), code, "{asked:?}");
    }
}

#[test]
fn an_invitation() {
    let registry = Registry::start();
    let ada = Sandbox::publisher(&registry, "ada");
    let bob = Sandbox::publisher(&registry, "bob");
    ada.skill(["publisher", "create", "acme"]).success();
    let invited = ada.skill(["publisher", "invite", "acme", "bob"]).success();
    assert_snapshot!(stable(&invited, &[]), @r"
    -- stdout
    invited  bob   publisher of acme, until [DAY]
    -- stderr
    bob accepts with `skill publisher accept acme`
    -- exit 0
    ");
    let list = ada.skill(["publisher", "invitations", "acme", "--json"]).success().json();
    assert_eq!(list, bob.skill(["publisher", "invitations", "--json"]).success().json());
    assert_eq!(list["invitations"][0]["user"], "bob");
    publish_for(&bob, "acme").code(7);
    assert_snapshot!(bob.skill(["publisher", "accept", "acme"]).success(), @r"
    -- stdout
    accepted  acme   as publisher
    -- exit 0
    ");
    publish_for(&bob, "acme").success();
    assert_snapshot!(bob.skill(["publisher", "accept", "acme"]), @r"
    -- stderr
    error[invitation-not-found]: you have no open invitation to acme
    hint: run `skill publisher invitations`
    -- exit 3
    ");
    for (asked, who, exit, code) in [
        (&["invite", "acme", "bob"][..], &ada, 1, "member-already"),
        (&["invite", "acme", "nobody-here"], &ada, 3, "user-not-found"),
        (&["invite", "ada", "bob"], &ada, 1, "publisher-personal"),
        (&["invite", "acme", "ada"], &bob, 7, "role-missing"),
        (&["uninvite", "acme", "bob"], &ada, 3, "invitation-not-found"),
    ] {
        let out = who.skill(["publisher"].iter().chain(asked).chain(&["--json"])).code(exit);
        assert_eq!(out.error_code(), code, "{asked:?}");
    }
    assert_snapshot!(ada.skill(["publisher", "role", "acme", "bob", "owner"]).success(), @r"
    -- stdout
    set  bob   owner of acme
    -- exit 0
    ");
    assert_snapshot!(ada.skill(["publisher", "leave", "acme"]).success(), @r"
    -- stdout
    left  acme
    -- exit 0
    ");
    registry.publisher("eve");
    bob.skill(["publisher", "invite", "acme", "eve", "--role", "admin"]).success();
    assert_snapshot!(bob.skill(["publisher", "uninvite", "acme", "eve"]).success(), @r"
    -- stdout
    taken back  eve   from acme
    -- exit 0
    ");
    bob.skill(["publisher", "invite", "acme", "ada"]).success();
    assert_snapshot!(ada.skill(["publisher", "decline", "acme"]).success(), @r"
    -- stdout
    declined  acme
    -- exit 0
    ");
}
