//! A project names registries; it takes over no name, no pin and no token of the user.

use crate::support::{Registry, Sandbox, Skill};

/// A registry with one release of acme/s1.
fn with_s1() -> (Registry, Sandbox) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("s1").publish(&author, "1.0.0").success();
    (registry, author)
}

fn id_of(registry: &Registry) -> String {
    let user = Sandbox::with(registry);
    user.skill(["registry", "list", "--json"]).success().json()["registries"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_project_does_not_take_over_a_name() {
    let (ours, _ours) = with_s1();
    let (theirs, _theirs) = with_s1();
    let user = Sandbox::with(&ours);
    let token = ours.publisher("ada");
    user.write(
        "skills.toml",
        format!("[registry.corp]\nurl = \"{}\"\nid = \"{}\"\n", theirs.url(), id_of(&theirs)),
    );
    let before = user.disk();
    for args in [&["install", "s1"][..], &["registry", "list"], &["search", "s1"], &["policy", "check"]] {
        let out = user.skill(args.iter().chain(&["--json"])).code(1);
        assert_eq!(out.error_code(), "config-unreadable", "{args:?}\n{out}");
        assert!(out.stdout.contains(&ours.url()) || out.stdout.contains("[REGISTRY]"), "{out}");
        assert!(out.stdout.contains(&theirs.url()), "{out}");
    }
    assert_eq!(user.disk(), before);
    let asked = theirs.log().matches("whoami").count();
    // The user's own registry is the only one that a token goes to.
    let out = user.skill(["login", "--token", &token, "--json"]).success();
    assert_eq!(out.json()["origin"], "[REGISTRY]");
    assert_eq!(theirs.log().matches("whoami").count(), asked, "{}", theirs.log());
}

#[test]
fn the_same_registry_under_its_name_is_one_registry() {
    let (ours, _author) = with_s1();
    let user = Sandbox::with(&ours);
    let id = id_of(&ours);
    user.write("skills.toml", format!("[registry.corp]\nurl = \"{}/\"\nid = \"{id}\"\n", ours.url()));
    let out = user.skill(["registry", "list", "--json"]).success();
    assert_eq!(out.json()["registries"].as_array().unwrap().len(), 1, "{out}");
    assert_eq!(out.json()["registries"][0]["from"], "user", "{out}");
    user.skill(["install", "s1"]).success();
}

#[test]
fn login_takes_no_target_from_a_project() {
    let (theirs, _author) = with_s1();
    let user = Sandbox::new();
    user.write("skills.toml", format!("default = \"lab\"\n[registry.lab]\nurl = \"{}\"\n", theirs.url()));
    let token = theirs.publisher("ada");
    let out = user.skill(["login", "--token", &token, "--json"]).code(2);
    assert_eq!(out.error_code(), "registry-not-set");
    assert!(out.stdout.contains("login takes no registry from skills.toml"), "{out}");
    user.skill(["login", "--token", &token, "--registry", &theirs.url()]).success();
}

#[test]
fn first_contact_is_said_although_the_project_gives_the_id() {
    let (theirs, _author) = with_s1();
    let user = Sandbox::new();
    let project = |id: &str| {
        let url = theirs.url();
        user.write(
            "skills.toml",
            format!("default = \"lab\"\n[registry.lab]\nurl = \"{url}\"\nid = \"{id}\"\n"),
        );
    };
    project(&"0".repeat(64));
    assert_eq!(user.skill(["install", "s1", "--json"]).code(4).error_code(), "registry-id-changed");
    project(&id_of(&theirs));
    let out = user.skill(["install", "s1"]).success();
    assert!(out.stderr.contains("first contact with"), "{out}");
    // It is pinned, and a project that says otherwise is not believed.
    project(&"0".repeat(64));
    fs_err::remove_file(user.path("skills.lock")).unwrap();
    assert_eq!(user.skill(["search", "s1", "--json"]).code(4).error_code(), "registry-id-changed");
}

#[test]
fn the_override_is_for_the_registry_that_answers_there() {
    let (one, _one) = with_s1();
    let two = Registry::start();
    let author = Sandbox::publisher(&two, "beta");
    Skill::new("s2").publish(&author, "1.0.0").success();
    let user = Sandbox::with(&one);
    user.skill(["registry", "add", &two.url(), "--name", "lab"]).success();
    user.skill(["install", "s1"]).success();
    user.skill(["install", "s2", "--registry", "lab"]).success();
    let before = user.disk();
    for registry in [&one, &two] {
        fs_err::remove_dir_all(user.path("skills")).unwrap();
        user.run(user.command().args(["install", "--frozen"]).env("SKILL_REGISTRY", registry.url()))
            .success();
        assert_eq!(user.disk(), before);
    }
    let (other, _other) = with_s1();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--frozen", "--json", "--registry", &other.url()]).code(4);
    assert_eq!(out.error_code(), "registry-id-changed");
}
