//! What an author takes back and brings back again, and what others hear of it.

use insta::assert_snapshot;

use crate::support::{Registry, Sandbox, Skill};

fn published() -> (Registry, Sandbox) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    for version in ["3.4.0", "3.4.1"] {
        Skill::new("github").file("v.txt", version).publish(&author, version).success();
    }
    (registry, author)
}

#[test]
fn one_release_is_withdrawn_and_restored() {
    let (registry, author) = published();
    assert_snapshot!(author.skill(["delete", "github@3.4.1", "--reason", "holds a key", "--yes"]).to_string(), @r"
    -- stdout
    withdrawn  acme/github 3.4.1
    -- stderr
    copies that are installed still verify, with a warning
    hint: run `skill undelete acme/github@3.4.1` to bring it back
    -- exit 0
    ");
    let user = Sandbox::with(&registry);
    let out = user.skill(["install", "github@3.4.1"]).code(3);
    assert!(out.stderr.contains("error[release-gone]"), "{out}");
    assert!(out.stderr.contains("because: acme says: \"holds a key\""), "{out}");
    user.skill(["install", "github"]).success();
    assert!(user.read("skills.lock").contains("version = \"3.4.0\""));
    assert_snapshot!(author.skill(["undelete", "github@3.4.1"]).to_string(), @r"
    -- stdout
    restored  acme/github 3.4.1   visible
    -- exit 0
    ");
    let again = author.skill(["undelete", "acme/github@3.4.1", "--json"]).success();
    assert_snapshot!(again.stdout, @r#"{"owner":"acme","slug":"github","version":"3.4.1","name":"acme/github@3.4.1","status":"visible"}"#);
    user.skill(["install", "github@3.4.1"]).success();
}

/// Bug report 96: who deletes hears how long the name is kept, and so does who wants it.
#[test]
fn a_whole_skill_is_deleted_and_brought_back() {
    let (registry, author) = published();
    let user = Sandbox::with(&registry);
    user.skill(["install", "github"]).success();
    let deleted = author.skill(["delete", "acme/github", "--yes"]).success();
    assert_snapshot!(deleted.undated(), @r"
    -- stdout
    deleted  acme/github   2 releases   kept until [DATE]
    -- stderr
    copies that are installed still verify, with a warning
    hint: run `skill undelete acme/github` to bring it back
    -- exit 0
    ");
    assert_eq!(
        Sandbox::with(&registry).skill(["install", "github", "--json"]).code(3).error_code(),
        "skill-not-found"
    );
    user.skill(["verify"]).success();

    let other = Sandbox::publisher(&registry, "octo");
    let refused = Skill::new("github").file("other.txt", "other").publish(&other, "1.0.0").code(1);
    assert_snapshot!(refused.undated(), @r"
    -- stderr
    packed 2 files, 133 B (316 B zipped); slug github from --slug
    error[slug-held]: the slug github is kept for its last holder until [DATE]
      because: acme deleted acme/github on [DATE]
      because: the registry has stored nothing
    hint: run `skill publish source/github --slug NAME` with another slug
    -- exit 1
    ");
    let own = Skill::new("github").file("other.txt", "other").publish(&author, "9.0.0").code(1);
    assert_snapshot!(own.to_string(), @r"
    -- stderr
    packed 2 files, 133 B (316 B zipped); slug github from --slug
    error[skill-deleted]: acme/github was deleted; its owner can bring it back
      because: the registry has stored nothing
    hint: run `skill undelete acme/github`
    -- exit 1
    ");

    assert_snapshot!(author.skill(["undelete", "github"]).to_string(), @r"
    -- stderr
    error[usage]: github does not say whose skill it is
      because: a deleted skill has given its bare name up
    hint: write it with its owner: `skill undelete OWNER/github`
    -- exit 2
    ");
    assert_snapshot!(author.skill(["undelete", "acme/github"]).to_string(), @r"
    -- stdout
    undeleted  acme/github   2 releases
    -- exit 0
    ");
    Sandbox::with(&registry).skill(["install", "github"]).success();
    let json = author.skill(["delete", "github", "--yes", "--json"]).success();
    assert_snapshot!(json.undated(), @r#"
    -- stdout
    {"owner":"acme","slug":"github","releases":2,"status":"deleted","reservedUntil":"[DATE]"}
    -- exit 0
    "#);
}

#[test]
fn it_asks_first() {
    let (_registry, author) = published();
    assert_snapshot!(author.skill(["delete", "acme/github@3.4.1"]).to_string(), @r"
    -- stderr
    error[confirmation-needed]: delete asks first and there is no terminal
      because: nothing was sent
    hint: add `--yes` to delete acme/github 3.4.1
    -- exit 2
    ");
    let json = author.skill(["delete", "github", "--json"]).code(2);
    assert_eq!(json.error_code(), "confirmation-needed");
    assert_eq!(author.skill(["delete", "acme/github@^3", "--yes", "--json"]).code(2).error_code(), "usage");
    for (typed, code) in [("n\n", 1), ("\n", 1), ("github\n", 1), ("\u{4}", 1), ("y\n", 0)] {
        // What was typed ahead answers no question that anybody saw.
        let out = author.answering(&["delete", "acme/github@3.4.1"], "y\n", "[y/N] ", typed).code(code);
        assert_eq!(
            out.stdout.contains("error[declined]: nothing was withdrawn"),
            code == 1,
            "{typed:?}: {out}"
        );
    }
    let out = author.answering(&["delete", "acme/github"], "", "[y/N] ", "n\n").code(1);
    assert_snapshot!(out.stdout, @r"
    This deletes acme/github with all of its releases from registry corp
    Delete acme/github? [y/N] n
    error[declined]: nothing was deleted
    ");
}

#[test]
fn only_who_may() {
    let (registry, _author) = published();
    let stranger = Sandbox::publisher(&registry, "eve");
    for args in [
        &["delete", "acme/github", "--yes", "--json"][..],
        &["delete", "acme/github@3.4.1", "--yes", "--json"],
        &["undelete", "acme/github", "--json"],
        &["undelete", "acme/github@3.4.1", "--json"],
    ] {
        assert_eq!(stranger.skill(args).code(7).error_code(), "not-member", "{args:?}");
        assert_eq!(Sandbox::with(&registry).skill(args).code(7).error_code(), "login-needed", "{args:?}");
    }
    Sandbox::with(&registry).skill(["install", "github@3.4.1"]).success();
}
