//! Numbers: what a dry run shows is what the registry gives, and neither looks for one for ever.

use crate::support::{Registry, Sandbox};

const SKILL_MD: &str = "---\nname: demo\ndescription: Does what has to be done\n---\n\nDo it.\n";

fn author(registry: &Registry) -> Sandbox {
    let author = Sandbox::publisher(registry, "acme");
    author.write("demo/SKILL.md", SKILL_MD);
    author
}

#[test]
fn a_dry_run_shows_the_number_that_the_registry_gives() {
    let registry = Registry::start();
    let author = author(&registry);
    let mut numbers = Vec::new();
    for (content, args) in [
        ("a", &[][..]),
        ("b", &[]),
        ("b", &["--bump", "major"]),
        ("c", &["--bump", "minor"]),
        ("c", &["--version", "9.0.0"]),
        ("c", &[]),
        ("a", &["--version", "1.0.0"]),
        ("d", &["--bump", "patch"]),
    ] {
        author.write("demo/a.txt", content);
        let command = [&["publish", "./demo", "--json"], args].concat();
        let shown = author.skill([&command[..], &["--dry-run"]].concat()).success().json();
        let done = author.skill(command).success().json();
        assert_eq!((&shown["owner"], &shown["version"]), (&done["owner"], &done["version"]));
        assert_eq!(shown["status"] == "unchanged", done["unchanged"] == true, "{shown} {done}");
        numbers.push(done["version"].as_str().unwrap().to_owned());
    }
    assert_eq!(numbers, ["1.0.0", "1.0.1", "1.0.1", "1.1.0", "9.0.0", "9.0.0", "1.0.0", "9.0.1"]);
}

#[test]
fn numbers_end() {
    let registry = Registry::start();
    let author = author(&registry);
    author.skill(["publish", "./demo", "--version", "1.0.18446744073709551615"]).success();
    author.write("demo/a.txt", "a");
    for more in [&["--dry-run"][..], &[]] {
        let out = author.skill([&["publish", "./demo", "--json"], more].concat());
        assert_eq!(out.code(1).error_code(), "version-exhausted");
    }
}
