use insta::assert_snapshot;

use crate::sandbox::Sandbox;

#[test]
fn without_a_registry_the_hint_names_the_folder_too() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("info github"), @r"
    -- stderr
    error[registry-not-set]: github needs a registry and none is configured
    hint: run `skill registry add URL`
    -- exit 2
    ");
    sandbox.write("github/SKILL.md", "");
    assert_snapshot!(sandbox.run("info github"), @r"
    -- stderr
    error[registry-not-set]: github needs a registry and none is configured
    hint: run `skill registry add URL`
    hint: for a folder of that name run `skill install ./github`
    -- exit 2
    ");
}

#[test]
fn a_file_that_does_not_read_has_line_column_and_caret() {
    let sandbox = Sandbox::new();
    sandbox.write_home(
        ".config/skill/config.toml",
        "default = \"corp\"\n[registry.corp]\nulr = \"https://h\"\n",
    );
    assert_snapshot!(sandbox.run("registry list"), @r#"
    -- stderr
    error[config-unreadable]: ~/.config/skill/config.toml:3:1: unknown field `ulr`,
           expected `url` or `id`
      3 | ulr = "https://h"
        | ^^^
    -- exit 1
    "#);
}

#[test]
fn a_default_that_no_file_names() {
    let sandbox = Sandbox::new();
    sandbox.write_home(".config/skill/config.toml", "default = \"corp\"\n");
    assert_snapshot!(sandbox.run("search x"), @r#"
    -- stderr
    error[registry-unknown]: no registry named corp is known
      because: default = "corp" in the user's config.toml
    hint: run `skill registry list` to see the names
    hint: run `skill registry add URL`
    -- exit 3
    "#);
}

#[test]
fn layers_are_listed_the_strongest_first() {
    let sandbox = Sandbox::new();
    sandbox.write_home(
        ".config/skill/config.toml",
        "default = \"corp\"\n[registry.corp]\nurl = \"https://skills.corp.example\"\n",
    );
    sandbox.write("skills.toml", "[registry.lab]\nurl = \"https://lab.example\"\n");
    assert_snapshot!(sandbox.run("registry list"), @r"
    -- stdout
    name            id  from     url
    corp (default)  -   user     https://skills.corp.example
    lab             -   project  https://lab.example
    -- exit 0
    ");
}

#[test]
fn removing_a_registry_keeps_the_rest_of_the_file() {
    let sandbox = Sandbox::new();
    let config = ".config/skill/config.toml";
    sandbox.write_home(
        config,
        "# mine\ndefault = \"corp\"\n\n[registry.corp]\nurl = \"https://a.example\"\n\n[registry.lab]\nurl = \"https://b.example\" # slow\n",
    );
    assert_snapshot!(sandbox.run("registry remove corp"), @r"
    -- stdout
    removed  corp
    -- stderr
    no registry is your default now
    -- exit 0
    ");
    let text = fs_err::read_to_string(sandbox.home(config)).unwrap();
    assert_eq!(text, "\n[registry.lab]\nurl = \"https://b.example\" # slow\n");
    assert_snapshot!(sandbox.run("registry remove corp"), @r"
    -- stderr
    error[registry-unknown]: ~/.config/skill/config.toml names no registry corp
      because: nothing was changed
    hint: run `skill registry list` to see the names and where they come from
    -- exit 3
    ");
}

#[test]
fn an_empty_variable_counts_as_unset_and_skill_home_moves_everything() {
    let sandbox = Sandbox::new().env("SKILL_REGISTRY", "").env("SKILL_HOME", "own");
    sandbox.write("own/config.toml", "default = \"nowhere\"\n");
    let text = sandbox.run("search x");
    assert!(text.contains("no registry named nowhere is known"), "{text}");
    let sandbox = Sandbox::new().env("SKILL_REGISTRY", "nosuch");
    let text = sandbox.run("search x");
    assert!(text.contains("no registry named nosuch is known"), "{text}");
}

#[test]
fn a_system_file_that_does_not_read_is_said() {
    let sandbox = Sandbox::new();
    sandbox.write("../etc/config.toml", "nonsense\n");
    let text = sandbox.run("registry list");
    assert!(text.contains("warning[policy-config]: "), "{text}");
    assert!(text.ends_with("-- exit 0\n"), "{text}");
}
