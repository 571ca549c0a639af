//! From a registry: the release that was meant, whole, and what is said when there is none.

use insta::assert_snapshot;

use crate::support::{Registry, Sandbox, Skill};

/// acme/github in the numbers that every journey here asks for.
pub(crate) fn github(registry: &Registry) -> Sandbox {
    let author = Sandbox::publisher(registry, "acme");
    for version in ["2.9.0", "3.0.0", "3.4.1", "3.4.2", "3.5.0-beta.1", "4.0.0"] {
        Skill::new("github")
            .file("data/version.txt", version)
            .script("scripts/pr.sh", "#!/bin/sh\necho pr\n")
            .publish(&author, version)
            .success();
    }
    author.skill(["yank", "github@3.4.2", "--reason", "drops labels"]).success();
    author
}

/// The first 12 digits of the locked tree.
fn tree(user: &Sandbox) -> String {
    let lock = user.read("skills.lock");
    lock.split("tree = \"sha256:").nth(1).unwrap()[..12].to_owned()
}

#[test]
fn the_highest_release_within_the_requirement() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    assert_snapshot!(user.skill(["install", "github@^3"]).to_string(), @r"
    -- stdout
    installed  acme/github 3.4.1   skills/github
    -- stderr
    1 skill to install in skills/
      +  acme/github  ^3  3.4.1  clean  151 B  corp
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    ");
    assert_eq!(user.read("skills/github/data/version.txt"), "3.4.1");
    assert_eq!(user.read("skills.toml"), "[skills]\n\"acme/github\" = \"^3\"\n");
    let verified = user.skill(["verify"]).to_string().replace(&tree(&user), "[TREE]");
    assert_snapshot!(verified, @r"
    -- stdout
    acme/github 3.4.1   skills/github
      ok    disk       3 files, 151 B, sha256:[TREE]
      ok    lock       agrees with the signed release
      ok    root       version 1, co-located, 1 of 1 key, pinned
      ok    signature  release and scan statement, keys in range
      ok    log        number 5, not yet proved
      ok    verdict    clean by rules 2026.12.2

    1 skill: 1 passes; 6 checks: 6 ok
    -- exit 0
    ");
    assert_snapshot!(user.skill(["install"]).to_string(), @r"
    -- stdout
    unchanged  acme/github 3.4.1   skills/github
    -- stderr
    nothing to do: 1 skill is as wanted
    -- exit 0
    ");
}

#[test]
fn five_spellings_of_one_skill() {
    let registry = Registry::start();
    let _author = github(&registry);
    for spelling in ["github", "acme/github", "@acme/github", "github@4.0.0", "@acme/github@^4"] {
        let user = Sandbox::with(&registry);
        let installed = user.skill(["install", spelling, "--json"]).success().json();
        assert_eq!(installed["installed"][0]["owner"], "acme", "{spelling}");
        assert_eq!(installed["installed"][0]["version"], "4.0.0", "{spelling}");
        assert_eq!(user.read("skills/github/data/version.txt"), "4.0.0", "{spelling}");
    }
}

#[test]
fn no_requirement_is_recorded_as_a_caret_of_the_latest() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github"]).success();
    assert_eq!(user.read("skills.toml"), "[skills]\n\"acme/github\" = \"^4.0.0\"\n");
}

#[test]
fn what_no_release_answers_is_told_with_what_exists() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    let before = user.disk();
    assert_snapshot!(user.skill(["install", "github@^9"]).to_string(), @r"
    -- stderr
    error[version-not-found]: no release of acme/github matches ^9
      because: registry corp has 2.9.0, 3.0.0, 3.4.1 and 4.0.0 (latest)
      because: 3.4.2 is yanked and 3.5.0-beta.1 is a pre-release
      because: nothing was changed
    hint: run `skill install acme/github@^4` for the newest
    -- exit 3
    ");
    let document = user.skill(["install", "github@^9", "--json"]).code(3).json();
    assert_eq!(document["error"]["available"], serde_json::json!(["4.0.0", "3.4.1", "3.0.0", "2.9.0"]));
    assert_eq!(document["error"]["yanked"], serde_json::json!(["3.4.2"]));
    assert_eq!(document["error"]["preReleases"], serde_json::json!(["3.5.0-beta.1"]));
    assert_eq!(user.skill(["install", "github@3.4.2", "--json"]).code(3).error_code(), "version-yanked");
    assert_eq!(user.skill(["install", "github@~3.5", "--json"]).code(3).error_code(), "version-prerelease");
    assert_eq!(user.skill(["install", "github@nightly", "--json"]).code(3).error_code(), "tag-not-found");
    assert_eq!(user.skill(["install", "githb", "--json"]).code(3).error_code(), "skill-not-found");
    assert_eq!(user.skill(["install", "octo/github", "--json"]).code(3).error_code(), "skill-not-found");
    assert_eq!(user.disk(), before);
}

#[test]
fn a_pre_release_that_is_asked_for_is_installed() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@3.5.0-beta.1"]).success();
    assert_eq!(user.read("skills/github/data/version.txt"), "3.5.0-beta.1");
    user.skill(["verify"]).success();
}

#[test]
fn another_requirement_is_a_change_of_version() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    assert_snapshot!(user.skill(["install", "github@^4", "--dry-run"]).to_string(), @r"
    -- stdout
    would change 1 skill in skills/
      ~  acme/github  ^4  3.4.1 -> 4.0.0  clean  151 B  corp
         1 file changed
    -- stderr
    dry run: nothing was written; policy was not asked
    -- exit 0
    ");
    user.skill(["install", "github@^4"]).success();
    assert_eq!(user.read("skills/github/data/version.txt"), "4.0.0");
    assert!(user.read("skills.lock").contains("version = \"4.0.0\""));
    assert_eq!(fs_err::read_dir(user.path(".skill/envelopes")).unwrap().count(), 1);
    assert_eq!(fs_err::read_dir(user.path(".skill/trees")).unwrap().count(), 1);
    user.skill(["verify"]).success();
}

#[test]
fn a_dry_run_writes_nothing() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    let before = user.disk();
    let document = user.skill(["install", "github@^3", "--dry-run", "--json"]).success().json();
    assert_eq!(document["dryRun"], true);
    assert_eq!(document["installed"][0]["version"], "3.4.1");
    assert_eq!(user.disk(), before);
}

/// Case 42, for the registry.
#[test]
fn the_executable_bit_survives_whatever_the_umask_says() {
    use std::os::unix::fs::PermissionsExt as _;
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    let mode = |path: &str| fs_err::metadata(user.path(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("skills/github/scripts/pr.sh"), 0o755);
    assert_eq!(mode("skills/github/SKILL.md"), 0o644);
    assert_eq!(mode("skills/github/scripts"), 0o755);
}

#[test]
fn all_or_nothing_over_several_references() {
    let registry = Registry::start();
    let author = github(&registry);
    Skill::new("notes").publish(&author, "1.0.0").success();
    let user = Sandbox::with(&registry);
    let before = user.disk();
    user.skill(["install", "notes", "github@^9"]).code(3);
    assert_eq!(user.disk(), before);
    user.skill(["install", "notes", "github@^3"]).success();
    assert_snapshot!(user.skill(["list"]).to_string(), @r"
    -- stdout
    skill        version  from  where
    acme/github  3.4.1    corp  skills/github
    acme/notes   1.0.0    corp  skills/notes
    -- exit 0
    ");
}

#[test]
fn a_first_contact_pins_and_an_impostor_is_told() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::new();
    let out = user.skill(["install", "github@^3", "--registry", &registry.url()]).success();
    assert!(out.stderr.contains("first contact with"), "{out}");
    assert!(user.read("skills.lock").contains("[registry.r-"), "a registry known by its URL only");
    let again = user.skill(["install", "github@^3", "--registry", &registry.url()]).success();
    assert!(!again.stderr.contains("first contact"), "{again}");

    let impostor = Registry::start();
    let _other = github(&impostor);
    let lock = user.read("skills.lock").replace(&registry.url(), &impostor.url());
    user.write("skills.lock", lock);
    let before = user.disk();
    let document =
        user.skill(["install", "github@^3", "--registry", &impostor.url(), "--json"]).code(4).json();
    assert_eq!(document["error"]["code"], "registry-id-changed");
    for id in ["expected", "found"] {
        assert_eq!(document["error"][id].as_str().unwrap().len(), 64, "{document}");
    }
    assert_eq!(user.disk(), before);
}

#[test]
fn where_an_agent_looks() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3", "--agent", "claude-code"]).success();
    assert!(user.path(".claude/skills/github/SKILL.md").is_file());
    assert!(!user.path("skills").exists());
    user.skill(["verify"]).success();
    user.skill(["install", "github@^3", "--agent", "codex"]).success();
    assert!(user.path(".agents/skills/github/SKILL.md").is_file());
    user.skill(["verify"]).success();
    user.write(".agents/skills/github/extra.txt", "x");
    assert_eq!(user.skill(["verify", "--json"]).code(4).failed_checks(), ["disk-extra"]);
    user.skill(["install", "github", "--agent", "nosuch"]).code(2);
}

#[test]
fn a_linked_skills_folder_is_worked_in() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    fs_err::create_dir(user.path("elsewhere")).unwrap();
    fs_err::os::unix::fs::symlink("elsewhere", user.path("skills")).unwrap();
    user.skill(["install", "github@^3"]).success();
    assert!(user.path("elsewhere/github/SKILL.md").is_file());
    assert!(user.path("skills").is_symlink());
    user.skill(["verify"]).success();
    user.skill(["remove", "github"]).success();
    assert_eq!(fs_err::read_dir(user.path("elsewhere")).unwrap().count(), 0);
}

/// Case 54, for the registry.
#[test]
fn a_copy_of_the_index_is_asked_about_and_not_believed() {
    let registry = Registry::start();
    let author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github"]).success();
    Skill::new("github").file("data/version.txt", "4.1.0").publish(&author, "4.1.0").success();
    user.skill(["install", "github"]).success();
    assert_eq!(user.read("skills/github/data/version.txt"), "4.1.0");
}

#[test]
fn without_a_network_what_was_fetched_before_is_installed() {
    let mut registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    registry.kill();
    user.skill(["remove", "github"]).success();
    assert_eq!(
        user.skill(["install", "acme/github@^3", "--json"]).code(6).error_code(),
        "registry-unreachable"
    );
    user.skill(["install", "acme/github@^3", "--offline"]).success();
    user.skill(["verify", "--offline"]).success();
    assert_eq!(
        user.skill(["install", "acme/github@^4", "--offline", "--json"]).code(6).error_code(),
        "offline-miss"
    );
}
