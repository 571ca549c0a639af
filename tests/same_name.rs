//! One name at two publishers, and one name at two registries.

use crate::support::{Registry, Sandbox, Skill};

fn owner(user: &Sandbox) -> String {
    let out = user.skill(["list", "--json"]).success();
    out.json()["skills"][0]["owner"].as_str().unwrap().to_owned()
}

/// Bug report 31: a second publisher of a slug changes nothing for whoever has or asks for the first one's.
#[test]
fn a_second_publisher_takes_nothing_over() {
    let registry = Registry::start();
    let (ada, bob) = (Sandbox::publisher(&registry, "ada"), Sandbox::publisher(&registry, "bob"));
    Skill::new("weather").publish(&ada, "1.0.0").success();
    let (before, later) = (Sandbox::with(&registry), Sandbox::with(&registry));
    before.skill(["install", "weather"]).success();
    let lock = before.read("skills.lock");

    Skill::new("weather").file("other.md", "bob's").publish(&bob, "9.0.0").success();
    before.skill(["install", "weather"]).success();
    before.skill(["install", "--frozen"]).success();
    assert_eq!(before.read("skills.lock"), lock);
    later.skill(["install", "weather"]).success();
    assert_eq!([owner(&before), owner(&later)], ["ada", "ada"]);

    // Bob's is there for whoever names bob.
    let named = Sandbox::with(&registry);
    named.skill(["install", "bob/weather"]).success();
    assert_eq!(owner(&named), "bob");
}

/// Bug report 117: what happens to a skill in one registry says nothing about its namesake in another.
#[test]
fn a_namesake_in_another_registry_is_another_skill() {
    let (public, private) = (Registry::start(), Registry::start());
    let (there, here) = (Sandbox::publisher(&public, "acme"), Sandbox::publisher(&private, "acme"));
    Skill::new("notes").file("from.md", "public").publish(&there, "1.0.0").success();
    Skill::new("notes").file("from.md", "private").publish(&here, "1.0.0").success();
    let user = Sandbox::with(&private);
    user.skill(["registry", "add", &public.url(), "--name", "open"]).success();
    user.skill(["install", "notes"]).success();
    user.skill(["search", "notes", "--registry", "open"]).success();

    there.skill(["yank", "acme/notes@1.0.0", "--reason", "broken"]).success();
    there.skill(["delete", "acme/notes", "--yes"]).success();
    let out = user.skill(["install", "--frozen"]).success();
    assert!(!out.stderr.contains("warning"), "{out}");
    user.skill(["verify"]).success();
    let fresh = Sandbox::with(&private);
    fresh.skill(["install", "acme/notes@1.0.0"]).success();
    assert_eq!(fresh.read("skills/notes/from.md"), "private");
}
