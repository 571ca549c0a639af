//! Every skill below a folder, published in one go.

use std::process::Stdio;
use std::time::Duration;

use insta::assert_snapshot;

use crate::closed::malicious;
use crate::support::wire::{Fate, Wire};
use crate::support::{Registry, Sandbox, Skill};

const ALL: [&str; 3] = ["publish", "./skills", "--all"];

/// The numbers of a skill that the registry has.
fn numbers(registry: &Registry, slug: &str) -> Vec<String> {
    let page = registry.get(&format!("/api/v1/skills/{slug}/versions"));
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["version"].as_str().unwrap().to_owned()).collect()
}

fn three(author: &Sandbox) {
    for slug in ["github", "notes"] {
        Skill::new(slug).publish(author, "1.0.0").success();
        Skill::new(slug).write(author, &format!("skills/{slug}"));
    }
    Skill::new("github").file("more.txt", "more").write(author, "skills/github");
    Skill::new("review").write(author, "skills/deeper/review");
}

#[test]
fn first_the_plan_then_what_is_new() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    three(&author);
    assert_snapshot!(author.skill([&ALL[..], &["--dry-run"]].concat()).success(), @r"
    -- stdout
    3 skills below skills
      ~  acme/github  1.0.0  -> 1.0.1
      =  acme/notes   1.0.0  the same files
      +  acme/review  -      -> 1.0.0
    -- stderr
    dry run: nothing was sent
    -- exit 0
    ");
    assert_eq!(numbers(&registry, "github"), ["1.0.0"]);
    assert_snapshot!(author.skill(ALL).success(), @r"
    -- stdout
    published  acme/github 1.0.1   clean   visible
    unchanged  acme/notes 1.0.0    clean   visible
    published  acme/review 1.0.0   clean   visible
    -- stderr
    3 skills below skills
      ~  acme/github  1.0.0  -> 1.0.1
      =  acme/notes   1.0.0  the same files
      +  acme/review  -      -> 1.0.0
    2 of 3 published in [TIME] s
    -- exit 0
    ");
    assert_eq!(numbers(&registry, "github").len(), 2);
    // Once more there is nothing to do.
    let again = author.skill([&ALL[..], &["--json"]].concat()).success().json();
    assert_eq!(
        (again["published"].as_array().unwrap().len(), again["skipped"].as_array().unwrap().len()),
        (0, 3)
    );
    let tagged = author.skill([&ALL[..], &["--tag", "stable", "--json"]].concat()).success().json();
    assert_eq!(tagged["plan"][0]["action"], "tag");
    assert_eq!(registry.get("/api/v1/skills/notes")["skill"]["tags"]["stable"], "1.0.0");
}

#[test]
fn one_that_is_refused_keeps_no_other_from_being_published() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").write(&author, "skills/notes");
    Skill::new("official-notes").write(&author, "skills/official-notes");
    author.write("skills/bare/SKILL.md", "# No frontmatter\n");
    malicious("tags").write(&author, "skills/tags");
    Skill::new("zeta").write(&author, "skills/zeta");
    assert_snapshot!(author.skill(ALL), @r"
    -- stdout
    published  acme/notes 1.0.0   clean   visible
    published  acme/zeta 1.0.0    clean   visible
    -- stderr
    5 skills below skills
      +  acme/notes             -  -> 1.0.0
      +  acme/tags              -  -> 1.0.0
      +  acme/zeta              -  -> 1.0.0
      !  skills/bare            -  frontmatter-missing
      !  skills/official-notes  -  slug-reserved
    error[publish-malicious]: acme/tags 1.0.0 is malicious, and is quarantined
         critical  c.sh:1  decode-to-shell
                   encoded text is decoded and run
         critical  c.sh:1  decoded-download
                   the text that is decoded and run downloads and runs more
      because: the registry keeps it closed; the number 1.0.0 is used
    hint: a false alarm goes to the moderators with `skill report acme/tags@1.0.0 --kind false-alarm --reason TEXT`
    error[frontmatter-missing]: skills/bare/SKILL.md has no frontmatter
      because: a published skill needs a name and a description
      because: nothing was sent
    hint: put these lines at the top of skills/bare/SKILL.md
          ---
          name: bare
          description: What it does, and when to use it.
          ---
    error[slug-reserved]: the slug official-notes is reserved
      because: the registry has stored nothing
    hint: run `skill publish ./skills/official-notes --slug NAME` with another slug
    2 of 5 published in [TIME] s
    -- exit 5
    ");
    let again = author.skill([&ALL[..], &["--json"]].concat()).code(5).json();
    let codes: Vec<_> =
        again["refused"].as_array().unwrap().iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(codes, ["frontmatter-missing", "slug-reserved", "publish-malicious"]);
    let skipped: Vec<_> = again["skipped"].as_array().unwrap().iter().map(|one| &one["slug"]).collect();
    assert_eq!(skipped, ["notes", "zeta"]);
}

#[test]
fn what_cannot_be_is_said_before_anything_is_sent() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").write(&author, "skills/one");
    Skill::new("notes").write(&author, "skills/two");
    assert_snapshot!(author.skill(ALL), @r"
    -- stderr
    error[usage]: skills/one and skills/two would both be notes
      because: a slug is the name in SKILL.md, else the name of the folder
      because: nothing was sent
    hint: give one of them another name, or publish it by itself with `--slug NAME`
    -- exit 2
    ");
    author.write("none/README.md", "# Nothing\n");
    assert_snapshot!(author.skill(["publish", "./none", "--all"]), @r"
    -- stderr
    error[bundle-no-skill-md]: no SKILL.md below none
      because: dot folders and what ignore files of that folder name are not looked into
      because: nothing was sent
    -- exit 1
    ");
    let one_number = author.skill([&ALL[..], &["--version", "1.0.0", "--json"]].concat());
    assert_eq!(one_number.code(2).error_code(), "usage");
}

/// What ends one ends all where it concerns all, and what is left is told.
#[test]
fn a_registry_that_goes_away_ends_it() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let wire = Wire::to(&registry, |request| {
        if request.starts_with("POST /api/registry/v1/publish ") {
            let head = "HTTP/1.1 500 Internal Server Error\r\nretry-after: 60\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
            return Fate::Answered(head.as_bytes().to_vec());
        }
        Fate::Passes
    });
    let far = Sandbox::new();
    far.skill(["registry", "add", &wire.url(), "--name", "corp"]).success();
    far.skill(["login", "--token", author.token()]).success();
    for slug in ["one", "three", "two"] {
        Skill::new(slug).write(&far, &format!("skills/{slug}"));
    }
    assert_snapshot!(far.skill(ALL), @r"
    -- stderr
    3 skills below skills
      +  acme/one    -  -> 1.0.0
      +  acme/three  -  -> 1.0.0
      +  acme/two    -  -> 1.0.0
    error[registry-error]: registry corp answered with status 500
      because: 2 skills were not tried
    hint: try again; if it stays, give the request id to its operator
    hint: run the same command again, which goes on there
    0 of 3 published in [TIME] s
    -- exit 6
    ");
    let answer = far.skill([&ALL[..], &["--json"]].concat()).code(6).json();
    assert_eq!(answer["left"], serde_json::json!(["skills/three", "skills/two"]));
}

/// It dies in the middle, and run again it goes on there: each skill is published once.
#[test]
fn it_goes_on_where_it_died() {
    const SKILLS: usize = 40;
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let slugs: Vec<String> = (0..SKILLS).map(|number| format!("skill-{number:02}")).collect();
    for slug in &slugs {
        Skill::new(slug)
            .file("data.txt", format!("{slug}\n").repeat(1000))
            .write(&author, &format!("skills/{slug}"));
    }
    let mut command = author.command();
    let mut running = command.args(ALL).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_begun = || registry.get("/api/v1/skills?limit=50")["items"].as_array().unwrap().len() >= 5;
    while !is_begun() && running.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let answer = author.skill([&ALL[..], &["--json"]].concat()).success().json();
    let count = |key: &str| answer[key].as_array().unwrap().len();
    assert_eq!(count("published") + count("skipped"), SKILLS);
    assert!(count("skipped") >= 5, "what was published before is left alone");
    for slug in &slugs {
        assert_eq!(numbers(&registry, slug), ["1.0.0"], "{slug}");
    }
}
