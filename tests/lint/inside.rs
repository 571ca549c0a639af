//! `--path`: a skill inside of a folder or archive with several, for `lint`, `pack` and `scan`; and what is said of a folder
//! of one's own that is no bundle.

use insta::assert_snapshot;

use crate::archives::zip_of;
use crate::support::Sandbox;

fn text(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Tells it: when asked, not for climate\n---\nText\n")
}

fn several() -> Sandbox {
    let user = Sandbox::new();
    let (one, two) = (text("one"), text("two"));
    zip_of(&user, "many.zip", &[("skills/one/SKILL.md", &one), ("skills/two/SKILL.md", &two)]);
    user.write("many/skills/one/SKILL.md", one);
    user.write("many/skills/two/SKILL.md", two);
    user
}

#[test]
fn a_skill_of_several_is_chosen_by_its_path() {
    let user = several();
    assert_snapshot!(user.skill(["lint", "many.zip"]), @r"
    -- stderr
    error[source-several]: many.zip holds 2 skills
         skills/one
         skills/two
    hint: add `--path skills/one` to choose one
    -- exit 3
    ");
    for place in ["many.zip", "many"] {
        let out = user.skill(["lint", place, "--path", "skills/two"]).success();
        assert!(out.stdout.starts_with("SKILL.md:3:22: warning[frontmatter-quoted]"), "{out}");
        assert!(out.stdout.ends_with("\n1 file: no errors, 1 warning\n"), "{out}");
        // What an archive holds is fixed where it was packed.
        assert_eq!(out.stderr.contains("--fix"), place == "many", "{out}");
        user.skill(["scan", place, "--path", "skills/two"]).success();
        let packed = user.skill(["pack", place, "--path", "skills/two", "--dry-run", "--json"]).success();
        assert_eq!(packed.json()["slug"], "two");
    }
}

#[test]
fn the_command_to_fix_it_has_the_path() {
    let user = several();
    let out = user.skill(["lint", "many", "--path", "skills/two"]).success();
    assert_eq!(out.stderr, "hint: run `skill lint --fix many/skills/two` to apply 1 fix\n");
    let before = user.read("many/skills/one/SKILL.md");
    user.skill(["lint", "many", "--path", "skills/two", "--fix"]).success();
    assert!(user.read("many/skills/two/SKILL.md").contains("\"Tells it: when asked"));
    assert_eq!(user.read("many/skills/one/SKILL.md"), before);
    assert!(
        user.skill(["lint", "many.zip", "--path", "skills/two", "--fix"])
            .code(2)
            .stderr
            .contains("is an archive")
    );
    assert_eq!(user.skill(["lint", "many", "--path", "../x"]).code(2).stdout, "");
}

#[test]
fn of_a_folder_nothing_is_unpacked_and_nobody_else_is_asked() {
    let user = Sandbox::new();
    user.write("weather/SKILL.md", text("weather"));
    user.write("weather/notes/a:b.md", "x");
    for command in ["lint", "pack", "scan"] {
        let out = user.skill([command, "weather"]);
        assert_ne!(out.code, 0);
        assert!(!out.stderr.contains("unpacked") && !out.stderr.contains("maker"), "{out}");
        if command == "scan" {
            // Whoever scans is told what was not looked at, and never how to leave it out.
            assert!(
                out.stdout.contains("not read  notes/a:b.md") && !out.stderr.contains(".skillignore"),
                "{out}"
            );
        } else {
            assert!(out.stderr.contains("hint: rename it, or leave it out with `.skillignore`"), "{out}");
        }
    }
    user.write("weather/.skillignore", "a:b.md\n");
    user.skill(["lint", "weather"]).success();
    let whole = text("weather");
    zip_of(&user, "weather.zip", &[("SKILL.md", &whole), ("a:b.md", "x")]);
    let out = user.skill(["lint", "weather.zip"]).code(1);
    assert!(out.stderr.contains("nothing was unpacked") && out.stderr.contains("ask its maker"), "{out}");
}
