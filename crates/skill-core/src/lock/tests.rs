use proptest::prelude::*;

use super::*;

fn hex(digit: char) -> String {
    digit.to_string().repeat(64)
}

/// One entry of every kind.
fn example() -> Lock {
    let skill = |source| LockedSkill {
        source,
        requirement: None,
        tree: format!("sha256:{}", hex('a')).parse().unwrap(),
        verdict: Verdict::Clean,
        findings: hex('b').parse().unwrap(),
        accepted: false,
        targets: BTreeSet::from(["skills".to_owned()]),
    };
    let registry: RegistryId = hex('1').parse().unwrap();
    let mut github = skill(LockedSource::Registry {
        registry,
        owner: "acme".parse().unwrap(),
        slug: "github".parse().unwrap(),
        version: "3.4.1".parse().unwrap(),
        archive: hex('c').parse().unwrap(),
        publisher: "acme".parse().unwrap(),
        log_index: 41,
    });
    github.requirement = Some("^3".parse().unwrap());
    github.verdict = Verdict::Suspicious;
    github.accepted = true;
    github.targets.insert(".claude/skills".to_owned());
    let git = skill(LockedSource::Git {
        url: "https://git.example/r".parse().unwrap(),
        reference: Some("v1".to_owned()),
        commit: "0123456789".repeat(4),
        path: Some("skills/gitty".to_owned()),
    });
    let archive = skill(LockedSource::Archive {
        location: "t \"1\".tar.gz".parse().unwrap(),
        sha256: hex('d').parse().unwrap(),
        path: None,
    });
    let path = skill(LockedSource::Path { path: "../dirry".to_owned() });
    Lock {
        registries: BTreeMap::from([(
            "corp".to_owned(),
            LockedRegistry { id: registry, url: "https://skills.corp.example".parse().unwrap() },
        )]),
        skills: [("gh", github), ("gitty", git), ("tarry", archive), ("dirry", path)]
            .into_iter()
            .map(|(name, skill)| (name.parse().unwrap(), skill))
            .collect(),
    }
}

#[test]
fn the_whole_file() {
    insta::assert_snapshot!(example().to_toml(), @r#"
    # What is installed, exactly. `skill` writes this file: commit it, and do not edit it.
    format = 1

    [registry.corp]
    id = "1111111111111111111111111111111111111111111111111111111111111111"
    url = "https://skills.corp.example"

    [skills.dirry]
    source = "path"
    path = "../dirry"
    tree = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    verdict = "clean"
    findings = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    accepted = false
    targets = ["skills"]

    [skills.gh]
    source = "registry"
    registry = "1111111111111111111111111111111111111111111111111111111111111111"
    owner = "acme"
    slug = "github"
    version = "3.4.1"
    archive_sha256 = "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
    publisher = "acme"
    log_index = 41
    requirement = "^3"
    tree = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    verdict = "suspicious"
    findings = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    accepted = true
    targets = [".claude/skills", "skills"]

    [skills.gitty]
    source = "git"
    url = "https://git.example/r"
    ref = "v1"
    commit = "0123456789012345678901234567890123456789"
    path = "skills/gitty"
    tree = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    verdict = "clean"
    findings = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    accepted = false
    targets = ["skills"]

    [skills.tarry]
    source = "archive"
    location = "t \"1\".tar.gz"
    archive_sha256 = "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
    tree = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    verdict = "clean"
    findings = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    accepted = false
    targets = ["skills"]
    "#);
}

#[test]
fn it_reads_what_it_wrote() {
    assert_eq!(Lock::parse(&example().to_toml()), Ok(example()));
    assert_eq!(Lock::parse(&Lock::default().to_toml()), Ok(Lock::default()));
}

#[test]
fn line_ends_and_a_bom_of_other_systems_are_read() {
    let text = format!("\u{feff}{}", example().to_toml().replace('\n', "\r\n"));
    assert_eq!(Lock::parse(&text), Ok(example()));
}

#[test]
fn a_text_nested_without_end_is_refused() {
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
    ] {
        assert_eq!(Lock::parse(&text).unwrap_err().code(), "lock-unreadable");
    }
}

/// The message for the example with one text in place of another.
fn refused(from: &str, to: &str) -> (&'static str, String) {
    let text = example().to_toml();
    assert!(text.contains(from), "{from}");
    let error = Lock::parse(&text.replacen(from, to, 1)).unwrap_err();
    (error.code(), error.to_string())
}

#[test]
fn an_empty_file_is_no_empty_lock() {
    for text in ["", "\n", "# nothing\n"] {
        let error = Lock::parse(text).unwrap_err();
        assert_eq!(error, LockError::Empty);
        assert_eq!(error.code(), "lock-unreadable");
    }
    insta::assert_snapshot!(LockError::Empty, @"skills.lock is empty; it begins with `format = 1`");
}

#[test]
fn conflict_markers_are_named() {
    let text = example().to_toml();
    for marker in ["<<<<<<< HEAD", "||||||| base", "=======", ">>>>>>> theirs", "=======\r"] {
        let torn = text.replacen("[skills.dirry]", &format!("{marker}\n[skills.dirry]"), 1);
        let error = Lock::parse(&torn).unwrap_err();
        assert_eq!((error.code(), &error), ("lock-conflict", &LockError::Conflict { line: 8 }), "{marker}");
    }
}

#[test]
fn a_newer_format_is_told_from_a_broken_one() {
    let newer = Lock::parse("format = 2\n[shape]\nof = \"tomorrow\"\n").unwrap_err();
    assert_eq!(newer.code(), "lock-newer");
    assert_eq!(newer.to_string(), "skills.lock has format 2, this build reads up to 1");
    let message = |from, to| refused(from, to).1;
    assert_eq!(
        message("format = 1", "format = 0"),
        "skills.lock, line 2, column 10: formats are counted from 1"
    );
    assert_eq!(
        message("format = 1", "format = \"1\""),
        "skills.lock, line 2, column 10: `format` is a whole number that is not negative"
    );
    assert_eq!(message("format = 1", ""), "skills.lock, line 1, column 1: the key `format` is missing");
}

#[test]
fn what_a_lock_may_not_hold() {
    let table = [
        (
            "format = 1",
            "format = 1\nfurther = 2",
            "line 3, column 1: the key `further` is not known here; known are format, registry, skills",
        ),
        (
            "source = \"path\"",
            "source = \"path\"\nurl = \"x\"",
            "line 10, column 1: the key `url` is not known here; known are path, source, requirement, tree, verdict, findings, accepted, targets",
        ),
        (
            "source = \"path\"",
            "source = \"ftp\"",
            "line 9, column 10: a source is registry, path, archive or git",
        ),
        ("source = \"path\"", "", "line 8, column 1: the key `source` is missing"),
        ("path = \"../dirry\"", "path = 3", "line 10, column 8: `path` is a text in quotes"),
        (
            "[skills.dirry]",
            "[skills.\"../evil\"]",
            "line 8, column 9: `../evil` does not read as a slug: a-z, 0-9 and single hyphens between them, 1 to 96 characters",
        ),
        ("accepted = false", "accepted = 0", "line 14, column 12: `accepted` is true or false"),
        (
            "targets = [\"skills\"]",
            "targets = \"skills\"",
            "line 15, column 11: `targets` is a list of texts",
        ),
        (
            "verdict = \"clean\"",
            "verdict = \"fine\"",
            "line 12, column 11: `fine` does not read as a verdict: clean, suspicious, not-analysable or malicious",
        ),
        (
            "log_index = 41",
            "log_index = -1",
            "line 25, column 13: `log_index` is a whole number that is not negative",
        ),
        (
            "requirement = \"^3\"",
            "requirement = \"^3 || 4\"",
            "line 26, column 15: `^3 || 4` does not read as a requirement: `||` is not supported, one range is written like `>=1.2 <2`",
        ),
        (
            "\"skills/gitty\"",
            "\"skills/../..\"",
            "line 38, column 8: the path `skills/../..` inside the source has a `..` in it",
        ),
        (
            "ref = \"v1\"",
            "ref = \"--upload-pack=x\"",
            "line 36, column 7: the ref `--upload-pack=x` starts with `-`",
        ),
        (
            "\"https://git.example/r\"",
            "\"ext::sh -c x\"",
            "line 35, column 7: git is not asked over `ext`; https, ssh, http, git and file are known",
        ),
        (
            "commit = \"0",
            "commit = \"g",
            "line 37, column 10: a commit is 40 or 64 lower-case hexadecimal digits",
        ),
        ("format = 1", "format = 1\nformat = 1", "line 3, column 1: duplicate key"),
        ("[skills.dirry]", "[skills.gitty]\n[skills.dirry]", "line 34, column 9: duplicate key"),
        ("[registry.corp]", "[registry", "line 4, column 10: unclosed table, expected `]`"),
    ];
    for (from, to, message) in table {
        assert_eq!(refused(from, to), ("lock-unreadable", format!("skills.lock, {message}")), "{to}");
    }
}

#[test]
fn no_credentials_get_in() {
    let (code, message) = refused("https://skills.corp", "https://u:s3cret@skills.corp");
    assert_eq!(code, "lock-unreadable");
    assert!(!message.contains("s3cret"), "{message}");
    let text = example().to_toml().replacen("https://git.", "https://s3cret@git.", 1);
    let error = Lock::parse(&text).unwrap_err();
    assert!(!format!("{error:?}").contains("s3cret"), "{error:?}");
    let LockError::Unreadable(error) = error else { panic!("{error}") };
    assert_eq!(error.excerpt, "url = \"https://git.example/r\"");
}

#[test]
fn every_line_counts() {
    let text = example().to_toml();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let optional = ["#", "ref = ", "path = \"skills/gitty\"", "requirement = "];
        if line.is_empty() || optional.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let without: Vec<&str> =
            lines.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, line)| *line).collect();
        assert!(Lock::parse(&without.join("\n")).is_err(), "without {line}");
    }
}

#[test]
fn finding_entries() {
    let mut lock = example();
    let id = hex('1').parse().unwrap();
    let found: Vec<_> =
        lock.of_skill(id, &"acme/github".parse().unwrap()).map(|(name, _)| name.to_string()).collect();
    assert_eq!(found, ["gh"]);
    assert_eq!(lock.of_skill(hex('2').parse().unwrap(), &"acme/github".parse().unwrap()).count(), 0);
    assert_eq!(lock.registry_name(id), Some("corp"));
    lock.forget_unused_registries();
    assert_eq!(lock, example());
    lock.skills.remove(&"gh".parse::<Slug>().unwrap());
    lock.forget_unused_registries();
    assert!(lock.registries.is_empty());
}

fn digest() -> impl Strategy<Value = Sha256> {
    any::<[u8; 32]>().prop_map(Sha256::from_bytes)
}

fn source() -> impl Strategy<Value = LockedSource> {
    let name = "[a-z0-9]{1,8}(-[a-z0-9]{1,4})?";
    let path = prop::option::of("[a-zA-Z0-9 ä\"]{1,8}(/[a-z]{1,4})?");
    let text = r#"[a-zA-Z0-9 /"'\\\t\n\u{1}\u{7f}\u{85}ä天]{1,20}"#;
    prop_oneof![
        (digest(), name, name, "[0-9]\\.[1-9]\\.0(-[a-z]{1,4})?", digest(), 0..=i64::MAX as u64).prop_map(
            |(registry, owner, slug, version, archive, log_index)| LockedSource::Registry {
                registry: RegistryId::new(registry),
                owner: owner.parse().unwrap(),
                slug: slug.parse().unwrap(),
                version: version.parse().unwrap(),
                archive,
                publisher: owner.parse().unwrap(),
                log_index,
            }
        ),
        text.prop_map(|path| LockedSource::Path { path }),
        (text, digest(), path.clone()).prop_map(|(location, sha256, path)| LockedSource::Archive {
            location: Location::stripped(&location),
            sha256,
            path,
        }),
        (prop::option::of("[a-z]{1,8}"), "[0-9a-f]{40}", path).prop_map(|(reference, commit, path)| {
            LockedSource::Git { url: "git@h:o/r.git".parse().unwrap(), reference, commit, path }
        }),
    ]
}

fn lock() -> impl Strategy<Value = Lock> {
    let verdict = prop::sample::select(vec![Verdict::Clean, Verdict::Suspicious, Verdict::NotAnalysable]);
    let targets = prop::collection::btree_set("[a-z./]{1,10}", 0..3);
    let requirement = prop::option::of(prop::sample::select(vec!["^3", "1.2.3", ">=1 <2", "*"]));
    let skill = (source(), requirement, digest(), verdict, digest(), any::<bool>(), targets).prop_map(
        |(source, requirement, tree, verdict, findings, accepted, targets)| LockedSkill {
            source,
            requirement: requirement.map(|text| text.parse().unwrap()),
            tree: TreeDigest::new(tree),
            verdict,
            findings,
            accepted,
            targets,
        },
    );
    let slug = "[a-z0-9]{1,6}".prop_map(|slug| slug.parse().unwrap());
    let registry = digest()
        .prop_map(|id| LockedRegistry { id: RegistryId::new(id), url: "https://h:8443/x".parse().unwrap() });
    (
        prop::collection::btree_map(r#"[a-z0-9. "\\ä-]{0,6}"#, registry, 0..3),
        prop::collection::btree_map(slug, skill, 0..4),
    )
        .prop_map(|(registries, skills)| Lock { registries, skills })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_lock_reads_back_as_itself(lock in lock()) {
        let text = lock.to_toml();
        let again = Lock::parse(&text).unwrap();
        prop_assert_eq!(again.to_toml(), text);
        prop_assert_eq!(again, lock);
    }

    #[test]
    fn no_text_panics(text in "(.|\n){0,80}") {
        let _ = Lock::parse(&text);
    }

    #[test]
    fn no_torn_lock_panics(at in 0_usize..2000, byte in any::<char>()) {
        let mut text = example().to_toml();
        let at = text.floor_char_boundary(at);
        text.insert(at, byte);
        let _ = Lock::parse(&text);
    }
}
