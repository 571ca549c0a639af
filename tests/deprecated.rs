//! A skill that its author advises against: everybody hears of it, nothing is refused.

use insta::assert_snapshot;

use crate::support::{Registry, Sandbox, Skill};

#[test]
fn whoever_installs_it_is_warned() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "3.4.1").success();
    let message = ["deprecate", "github", "--message", "use acme/forge, which does all of it"];
    assert_snapshot!(author.skill(message).to_string(), @r"
    -- stdout
    deprecated  acme/github
    -- stderr
    whoever installs it is warned; nothing is closed by it
    hint: run `skill deprecate acme/github --undo` to take it back
    -- exit 0
    ");
    let user = Sandbox::with(&registry);
    assert_snapshot!(user.skill(["install", "github"]).to_string(), @r#"
    -- stdout
    installed  acme/github 3.4.1   skills/github
    -- stderr
    warning[release-deprecated]: acme/github is deprecated
             acme says: "use acme/forge, which does all of it"
    1 skill to install in skills/
      +  acme/github  latest  3.4.1  clean  128 B  corp
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    "#);
    let info = user.skill(["info", "github"]).success();
    assert!(
        info.stdout.contains("deprecated  acme says: \"use acme/forge, which does all of it\""),
        "{info}"
    );
    assert_eq!(
        user.skill(["info", "github", "--json"]).json()["deprecated"],
        "use acme/forge, which does all of it"
    );
    // Also what a lock restores is told of.
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--frozen"]).success();
    assert!(out.stderr.contains("warning[release-deprecated]: acme/github is deprecated\n"), "{out}");
    user.skill(["verify"]).success();

    assert_snapshot!(author.skill(["deprecate", "acme/github", "--undo"]).to_string(), @r"
    -- stdout
    undeprecated  acme/github
    -- exit 0
    ");
    let other = Sandbox::with(&registry);
    assert!(!other.skill(["install", "github"]).success().stderr.contains("deprecated"));
}

#[test]
fn what_is_refused() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "3.4.1").success();
    for args in [
        &["deprecate", "github", "--json"][..],
        &["deprecate", "github@3.4.1", "--message", "x", "--json"],
        &["deprecate", "github", "--message", "x", "--undo", "--json"],
    ] {
        assert_eq!(author.skill(args).code(2).error_code(), "usage", "{args:?}");
    }
    assert_eq!(
        author.skill(["deprecate", "github", "--message", " ", "--json"]).code(1).error_code(),
        "release-refused"
    );
    let stranger = Sandbox::publisher(&registry, "eve");
    let out = stranger.skill(["deprecate", "acme/github", "--message", "x", "--json"]).code(7);
    assert_eq!(out.error_code(), "not-member");
}
