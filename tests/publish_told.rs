//! What an author is told before and instead of a publish.

use insta::assert_snapshot;

use crate::closed::malicious;
use crate::support::wire::{Fate, Wire};
use crate::support::{Registry, Sandbox, Skill};

#[test]
fn a_dry_run_asks_the_registry() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo").publish(&author, "1.0.0").success();
    Skill::new("demo").file("more.txt", "more").write(&author, "demo");
    let args = ["publish", "./demo", "--bump", "minor", "--tag", "stable", "--dry-run"];
    assert_snapshot!(author.skill(args).success(), @r"
    -- stdout
    would publish acme/demo 1.1.0

    in     2 files, 124 B
           SKILL.md    120 B
           more.txt      4 B

    scan   clean, by the rules of registry corp

    tags   stable
    -- stderr
    dry run: nothing was sent
    -- exit 0
    ");
    let plan = author.skill([&args[..], &["--json"]].concat()).success().json();
    assert_eq!(
        (&plan["wouldBe"], &plan["sameRules"], &plan["verdict"], &plan["tags"]),
        (&"visible".into(), &true.into(), &"clean".into(), &serde_json::json!(["stable"]))
    );
    // Nothing came of it.
    assert_eq!(registry.get("/api/v1/skills/demo")["latestVersion"]["version"], "1.0.0");
}

/// A dry run ends as the publish would.
#[test]
fn a_dry_run_is_refused_as_the_publish_is() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo").publish(&author, "1.0.0").success();
    Skill::new("demo").file("more.txt", "more").write(&author, "demo");
    malicious("tags").write(&author, "tags");
    for (args, code) in [
        (&["./demo", "--version", "1.0.0"][..], "version-taken"),
        (&["./demo", "--version", "1.1.0-beta.1", "--tag", "latest"], "tag-not-honoured"),
        (&["./demo", "--slug", "official-demo"], "slug-reserved"),
        (&["./demo", "--owner", "nobody"], "owner-not-found"),
        (&["./tags"], "publish-malicious"),
        (&["./tags"], "publish-malicious"),
    ] {
        let told = author.skill([&["publish", "--json", "--dry-run"], args].concat());
        let done = author.skill([&["publish", "--json"], args].concat());
        assert_eq!((told.code, told.error_code()), (done.code, done.error_code()), "{told}{done}");
        assert_eq!(told.error_code(), code);
    }
    assert_snapshot!(author.skill(["publish", "./demo", "--version", "1.0.0", "--dry-run"]), @r"
    -- stderr
    error[version-taken]: acme/demo 1.0.0 exists with other files
      because: a number is used once, also after a yank or a deletion
      because: the registry has stored nothing
    hint: run `skill publish ./demo --version 1.0.1`, the next free number
    -- exit 1
    ");
    assert_snapshot!(author.skill(["publish", "./tags", "--slug", "others", "--dry-run"]), @r"
    -- stderr
    error[publish-malicious]: acme/others 1.0.0 is malicious, and would be quarantined
         critical  c.sh:1  decode-to-shell
                   encoded text is decoded and run
         critical  c.sh:1  decoded-download
                   the text that is decoded and run downloads and runs more
      because: nothing was sent
    -- exit 5
    ");
}

/// So many bytes of text that does not say the same again and again.
fn lines(bytes: u32) -> String {
    let lines = (0..bytes / 9).map(|number| format!("{:08x}\n", number.wrapping_mul(2_654_435_761)));
    lines.collect::<Vec<_>>().concat()
}

/// Bug report 84: the limit of the registry is known before a byte is sent, and what is too large is named.
#[test]
fn a_limit_is_told_before_anything_is_sent() {
    let mut registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo")
        .file("a.txt", lines(9 << 20))
        .file("b.txt", lines(2 << 20))
        .file("c.txt", "c")
        .write(&author, "demo");
    registry.kill();
    fs_err::write(registry.data().join("config.toml"), "limits.bundle_bytes = 1048576\n").unwrap();
    registry.restart();
    assert_snapshot!(author.skill(["publish", "./demo"]), @r"
    -- stderr
    error[bundle-large]: the files hold 11.0 MiB together, more than 1.0 MiB
      because: registry corp takes no more
      because: the largest: a.txt (9.0 MiB), b.txt (2.0 MiB), SKILL.md (120 B)
      because: nothing was sent
    hint: leave files out with `.skillignore`
    -- exit 1
    ");
    registry.kill();
    fs_err::remove_file(registry.data().join("config.toml")).unwrap();
    registry.restart();
    // Without it they go: what is sent is one compressed archive.
    author.skill(["publish", "./demo"]).success();
}

/// Bug report 84: a proxy in front of the registry takes less than the registry does.
#[test]
fn a_proxy_that_takes_less_is_told_apart() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let wire = Wire::to(&registry, |request| {
        if request.starts_with("POST /api/registry/v1/publish ") {
            let page = "<html><head><title>413 Request Entity Too Large</title></head></html>";
            let head = format!(
                "HTTP/1.1 413 Content Too Large\r\ncontent-type: text/html\r\ncontent-length: {}",
                page.len()
            );
            return Fate::Answered(format!("{head}\r\nconnection: close\r\n\r\n{page}").into_bytes());
        }
        Fate::Passes
    });
    let far = Sandbox::new();
    far.skill(["registry", "add", &wire.url(), "--name", "corp"]).success();
    far.skill(["login", "--token", author.token()]).success();
    Skill::new("demo").file("data.txt", "0123456789\n".repeat(5000)).write(&far, "demo");
    assert_snapshot!(far.skill(["publish", "./demo"]), @r"
    -- stderr
    packed 2 files, 53.8 KiB (603 B zipped)
    error[bundle-large]: what stands before registry corp takes no upload of 603 B
      because: it answered with status 413
      because: 603 B were sent
      because: the largest: data.txt (53.7 KiB), SKILL.md (120 B)
      because: the registry has stored nothing
    hint: ask the operator of the registry, whose own limit is another
    hint: leave files out with `.skillignore`
    -- exit 1
    ");
}

/// Bug report 86: a registry that answers newer clients only says which.
#[test]
fn a_client_that_is_too_old_is_told_what_to_do() {
    let mut registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo").write(&author, "demo");
    registry.kill();
    fs_err::write(registry.data().join("config.toml"), "clients.minimum = '99.0.0'\n").unwrap();
    registry.restart();
    assert_snapshot!(author.skill(["publish", "./demo"]), @r"
    -- stderr
    error[client-too-old]: skill 0.1.0 is older than 99.0.0, the oldest that this registry answers
    hint: install a newer `skill`
    -- exit 1
    ");
    assert_eq!(author.skill(["search", "demo", "--json"]).error_code(), "client-too-old");
}

/// Bug report 82: SKILL.md goes in whatever ignore files say, version control stays out.
/// Bug report 89: no list of endings; what a dry run shows is what is stored.
#[test]
fn what_is_shown_is_what_is_stored() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo")
        .file(".git/HEAD", "ref: x")
        .file(".gitignore", "*.md\n")
        .file("Dockerfile", "FROM scratch\n")
        .file("deploy.tmpl", "{{ name }}\n")
        .file(".clawhubignore", "*.log\n")
        .write(&author, "demo");
    let shown = author.skill(["publish", "./demo", "--dry-run", "--json"]).success().json();
    let shown: Vec<&str> =
        shown["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(shown.contains(&"SKILL.md") && shown.contains(&"deploy.tmpl"), "{shown:?}");
    author.skill(["publish", "./demo"]).success();
    let stored = registry.get("/api/v1/skills/demo/versions/1.0.0");
    let stored: Vec<&str> = stored["version"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(shown, stored);
}
