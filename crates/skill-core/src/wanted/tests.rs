use proptest::prelude::*;

use super::*;

const EXAMPLE: &str = r#"# what this project wants
default = "corp"

[registry.corp]
url = "https://skills.corp.example"

[skills]
# the one for issues
"acme/github" = "^3.4.1" # not 4 yet
"acme/search" = { version = "~1.2", registry = "other" }
gh = { skill = "octo/github", version = "v2" }
dirry = { path = "../dirry" }
gitty = { git = "https://git.example/r", ref = "v1", path = "skills/gitty" }
tarry = { archive = "t.tar.gz" }

[skills.headed]
path = "./headed" # here

[security.rules]
require = ["signature"]
"#;

fn wanted(text: &str) -> Wanted {
    Wanted::parse(text).unwrap()
}

fn slug(text: &str) -> Slug {
    text.parse().unwrap()
}

fn release(name: &str, requirement: &str) -> WantedSkill {
    WantedSkill::Registry {
        name: name.parse().unwrap(),
        requirement: requirement.parse().unwrap(),
        registry: None,
    }
}

#[test]
fn what_is_wanted() {
    let wanted = wanted(EXAMPLE);
    assert_eq!(wanted.default_registry(), Some("corp"));
    assert_eq!(wanted.registries()["corp"].id, None);
    let names: Vec<_> = wanted.skills().keys().map(Slug::as_str).collect();
    assert_eq!(names, ["dirry", "gh", "github", "gitty", "headed", "search", "tarry"]);
    assert_eq!(wanted.skills()[&slug("github")], release("acme/github", "^3.4.1"));
    assert_eq!(wanted.skills()[&slug("gh")], release("octo/github", "^2"));
    insta::assert_debug_snapshot!(wanted.skills()[&slug("search")], @r#"
    Registry {
        name: SkillName {
            owner: acme,
            slug: search,
        },
        requirement: Requirement(
            VersionReq {
                comparators: [
                    Comparator {
                        op: Tilde,
                        major: 1,
                        minor: Some(
                            2,
                        ),
                        patch: None,
                        pre: Prerelease(""),
                    },
                ],
            },
        ),
        registry: Some(
            "other",
        ),
    }
    "#);
    assert_eq!(
        wanted.skills()[&slug("gitty")],
        WantedSkill::Git {
            url: "https://git.example/r".parse().unwrap(),
            reference: Some("v1".to_owned()),
            path: Some("skills/gitty".to_owned()),
        }
    );
    let warnings: Vec<_> = wanted.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["`v2` is read as `^2`"]);
}

#[test]
fn an_untouched_file_keeps_every_byte() {
    assert_eq!(wanted(EXAMPLE).to_toml(), EXAMPLE);
    assert_eq!(wanted("").to_toml(), "");
    assert!(wanted("").skills().is_empty());
}

#[test]
fn the_first_wish_of_all() {
    let mut wanted = Wanted::default();
    wanted.set(&slug("github"), release("acme/github", "^3.4.1"));
    wanted.set(&slug("dirry"), WantedSkill::Path { path: "../dirry".to_owned() });
    insta::assert_snapshot!(wanted.to_toml(), @r#"
    [skills]
    "acme/github" = "^3.4.1"
    dirry = { path = "../dirry" }
    "#);
}

#[test]
fn edits_keep_comments_and_order() {
    let mut wanted = wanted(EXAMPLE);
    wanted.set(&slug("github"), release("acme/github", "^4"));
    wanted.set(&slug("gh"), release("octo/github", "^2.1"));
    wanted.set(&slug("headed"), WantedSkill::Path { path: "./elsewhere".to_owned() });
    wanted.set(
        &slug("new"),
        WantedSkill::Git { url: "git@h:o/r".parse().unwrap(), reference: Some("v1".to_owned()), path: None },
    );
    assert!(wanted.remove(&slug("search")));
    assert!(!wanted.remove(&slug("nosuch")));
    insta::assert_snapshot!(wanted.to_toml(), @r#"
    # what this project wants
    default = "corp"

    [registry.corp]
    url = "https://skills.corp.example"

    [skills]
    # the one for issues
    "acme/github" = "^4" # not 4 yet
    gh = { skill = "octo/github", version = "^2.1" }
    dirry = { path = "../dirry" }
    gitty = { git = "https://git.example/r", ref = "v1", path = "skills/gitty" }
    tarry = { archive = "t.tar.gz" }
    new = { git = "git@h:o/r", ref = "v1" }

    [skills.headed]
    path = "./elsewhere" # here

    [security.rules]
    require = ["signature"]
    "#);
    assert_eq!(Wanted::parse(&wanted.to_toml()).unwrap().skills(), wanted.skills());
}

#[test]
fn a_wish_that_changes_its_key() {
    let mut wanted = wanted("[skills]\n\"acme/github\" = \"^3\"\n");
    wanted.set(&slug("github"), release("octo/tracker", "1.0.0"));
    assert_eq!(wanted.to_toml(), "[skills]\ngithub = { skill = \"octo/tracker\", version = \"1.0.0\" }\n");
    wanted.set(&slug("github"), release("octo/github", "^1"));
    assert_eq!(wanted.to_toml(), "[skills]\n\"octo/github\" = \"^1\"\n");
}

#[test]
fn wishes_after_other_tables() {
    let mut wanted = wanted("default = \"corp\"\n");
    wanted.set(&slug("github"), release("acme/github", "^3"));
    assert_eq!(wanted.to_toml(), "default = \"corp\"\n\n[skills]\n\"acme/github\" = \"^3\"\n");
    for text in ["# mine\n", "skills = {}\n", "[skills.a]\npath = \"./a\"\n", "skills.a.path = \"./a\"\n"] {
        let mut wanted = Wanted::parse(text).unwrap();
        wanted.set(&slug("github"), release("acme/github", "^3"));
        wanted.set(&slug("a"), release("acme/a", "*"));
        wanted.set(&slug("a"), WantedSkill::Archive { archive: "a.zip".parse().unwrap(), path: None });
        let again = Wanted::parse(&wanted.to_toml()).unwrap();
        assert_eq!(again.skills(), wanted.skills(), "{}", wanted.to_toml());
        assert_eq!(text.starts_with("# mine"), wanted.to_toml().starts_with("# mine"));
    }
}

#[test]
fn later_tables_are_kept_and_stray_keys_refused() {
    let text = "[runtime]\nx = 1\n[[agents]]\ny = 2\n[security.install_policy]\nenabled = true\n";
    assert_eq!(wanted(text).to_toml(), text);
    let error = Wanted::parse("defualt = \"corp\"\n").unwrap_err();
    assert_eq!(error.code(), "wanted-unreadable");
    insta::assert_snapshot!(error, @"skills.toml, line 1, column 1: the key `defualt` is not known here; known are default, registry, skills");
}

#[test]
fn what_is_refused_and_where() {
    let table = [
        (
            "github = \"^3\"",
            "line 2, column 1: `github` names no owner; a skill of a registry is written \"owner/github\"",
        ),
        (
            "github = { version = \"^3\" }",
            "line 2, column 1: `github` names no owner; a skill of a registry is written \"owner/github\"",
        ),
        (
            "\"@acme/github\" = \"^3\"",
            "line 2, column 1: `@acme/github` does not read as a slug: a-z, 0-9 and single hyphens between them, 1 to 96 characters",
        ),
        (
            "\"acme/x\" = \"^3\"\nx = { path = \"./x\" }",
            "line 3, column 1: `acme/x` and `x` would both be installed as x",
        ),
        (
            "\"acme/x\" = \"3 || 4\"",
            "line 2, column 12: `3 || 4` does not read as a requirement: `||` is not supported, one range is written like `>=1.2 <2`",
        ),
        (
            "\"acme/x\" = \"latest\"",
            "line 2, column 12: `latest` does not read as a requirement: what is accepted here is a number, `^`, `~`, `=`, a range like `>=1.2 <2`, or `*`",
        ),
        ("\"acme/x\" = 3", "line 2, column 12: `acme/x` is a text or a table"),
        ("\"acme/x\" = { registry = \"r\" }", "line 2, column 12: the key `version` is missing"),
        (
            "\"acme/x\" = { version = \"1\", regisrty = \"r\" }",
            "line 2, column 29: the key `regisrty` is not known here; known are version, registry",
        ),
        (
            "x = { path = \"./x\", ref = \"v1\" }",
            "line 2, column 21: the key `ref` is not known here; known are path",
        ),
        (
            "x = { git = \"--upload-pack=x\" }",
            "line 2, column 13: `--upload-pack=x` starts with `-`, or its host does",
        ),
        (
            "x = { git = \"https://u:p@h/r\" }",
            "line 2, column 13: the URL holds credentials, which do not belong into a file that is shared: https://h/r",
        ),
        (
            "x = { git = \"https://h/r\", path = \"a/..\" }",
            "line 2, column 35: the path `a/..` inside the source has a `..` in it",
        ),
        ("x = {}", "line 2, column 5: the key `path` is missing"),
        (
            "x = { what = 1 }",
            "line 2, column 7: the key `what` is not known here; known are skill, path, git, archive",
        ),
        (
            "\"../x\" = { path = \"./x\" }",
            "line 2, column 1: `..` does not read as an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters",
        ),
    ];
    for (entry, message) in table {
        let error = Wanted::parse(&format!("[skills]\n{entry}\n")).unwrap_err();
        assert_eq!(error.to_string(), format!("skills.toml, {message}"), "{entry}");
    }
}

#[test]
fn an_error_shows_its_line_without_credentials() {
    let WantedError(error) = Wanted::parse("[skills]\nä = { path = \"./x\" }\n").unwrap_err();
    assert_eq!((error.line, error.excerpt.as_str()), (2, "ä = { path = \"./x\" }"));
    let text = "[registry]\nr = { url = \"https://h\", id = \"https://s3cret@h\" }\n";
    let WantedError(error) = Wanted::parse(text).unwrap_err();
    assert_eq!(error.excerpt, "r = { url = \"https://h\", id = \"https://h\" }");
    assert!(!format!("{error} {error:?}").contains("s3cret"), "{error:?}");
    let text = "[registry.r]\nurl = \"https://s3cret@h\"\n";
    let WantedError(error) = Wanted::parse(text).unwrap_err();
    assert_eq!((error.line, error.column, error.excerpt.as_str()), (2, 7, "url = \"https://h\""));
    assert!(!format!("{error:?}").contains("s3cret"));
}

#[test]
fn a_registry_is_named() {
    let mut wanted = wanted("[registry.corp] # ours\nurl = \"https://old.example\"\n");
    let registry = |url: &str, id: Option<char>| WantedRegistry {
        url: url.parse().unwrap(),
        id: id.map(|digit| digit.to_string().repeat(64).parse().unwrap()),
    };
    wanted.set_registry("corp", registry("https://new.example", None));
    wanted.set_registry("other", registry("https://other.example", Some('1')));
    insta::assert_snapshot!(wanted.to_toml(), @r#"
    [registry.corp] # ours
    url = "https://new.example"

    [registry.other]
    url = "https://other.example"
    id = "1111111111111111111111111111111111111111111111111111111111111111"
    "#);
    assert_eq!(Wanted::parse(&wanted.to_toml()).unwrap().registries(), wanted.registries());

    let mut wanted = Wanted::parse("default = \"corp\"\n# the end").unwrap();
    wanted.set_registry("corp", registry("https://new.example", None));
    assert_eq!(
        wanted.to_toml(),
        "default = \"corp\"\n# the end\n\n[registry.corp]\nurl = \"https://new.example\"\n"
    );
}

fn wish() -> impl Strategy<Value = WantedSkill> {
    let path = prop::option::of("[a-z]{1,4}(/[a-z ]{1,3}x)?");
    prop_oneof![
        ("(a|b|acme)/(github|gh|x)", prop::option::of("[a-z.]{1,5}")).prop_map(|(name, registry)| {
            WantedSkill::Registry {
                name: name.parse().unwrap(),
                requirement: ">=1.2 <2".parse().unwrap(),
                registry,
            }
        }),
        "[a-z./\"\\\\]{1,8}".prop_map(|path| WantedSkill::Path { path }),
        (prop::option::of("[a-z]{1,5}"), path.clone()).prop_map(|(reference, path)| WantedSkill::Git {
            url: "git@h:o/r".parse().unwrap(),
            reference,
            path,
        }),
        path.prop_map(|path| WantedSkill::Archive { archive: "x.zip".parse().unwrap(), path }),
    ]
}

proptest! {
    #[test]
    fn every_edit_reads_back(
        start in prop::sample::select(vec!["", EXAMPLE, "skills = {}\n", "# mine", "skills.gh.path = \"x\"\n"]),
        edits in prop::collection::vec(("github|gh|headed|dirry|x", prop::option::of(wish())), 0..6),
    ) {
        let mut wanted = Wanted::parse(start).unwrap();
        for (name, wish) in edits {
            if let Some(wish) = wish {
                wanted.set(&slug(&name), wish);
            } else {
                let there = wanted.skills().contains_key(&slug(&name));
                prop_assert_eq!(wanted.remove(&slug(&name)), there);
            }
            let again = Wanted::parse(&wanted.to_toml());
            prop_assert!(again.is_ok(), "{:?}\n{}", again, wanted.to_toml());
            let again = again.unwrap();
            prop_assert_eq!(again.skills(), wanted.skills());
        }
    }

    #[test]
    fn no_text_panics(text in "(.|\n){0,60}", at in 0..EXAMPLE.len(), c in any::<char>()) {
        let _ = Wanted::parse(&text);
        let mut torn = EXAMPLE.to_owned();
        torn.insert(torn.floor_char_boundary(at), c);
        let _ = Wanted::parse(&torn);
    }
}
