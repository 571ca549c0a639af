use proptest::prelude::*;

use super::*;

/// The folders that exist where these tests stand.
fn is_folder(path: &str) -> bool {
    matches!(
        path,
        "./old.zip" | "repo" | "./repo" | "./repo//skills/a" | "./re@po" | "/srv/a//b" | "~/r#1" | "a@b"
    )
}

fn parse(text: &str) -> Result<Reference, ReferenceError> {
    Reference::parse(text, &is_folder).map(|(reference, _)| reference)
}

/// What a reference was read as, on one line.
fn read(text: &str) -> String {
    let part = |name: &str, part: &Option<String>| {
        part.as_ref().map(|part| format!(" {name}={part}")).unwrap_or_default()
    };
    match parse(text).unwrap() {
        Reference::Registry(RegistryRef { owner, slug, selector }) => {
            let selector = selector.map(|selector| match selector {
                Selector::Requirement(requirement) => format!(" req={requirement}"),
                Selector::Tag(tag) => format!(" tag={tag}"),
            });
            format!(
                "registry owner={} slug={slug}{}",
                owner.map(|owner| owner.to_string()).unwrap_or_default(),
                selector.unwrap_or_default()
            )
        }
        Reference::Path(path) => format!("path {path}"),
        Reference::Archive(path) => format!("archive {path}"),
        Reference::Git(GitRef { source, reference, path }) => {
            let kind = match source {
                GitSource::Url(_) => "url",
                GitSource::Scp(_) => "scp",
                GitSource::Local(_) => "local",
            };
            format!("git {kind} {source}{}{}", part("ref", &reference), part("path", &path))
        }
        Reference::GitHub(GitHubRef { owner, repo, reference, path }) => {
            format!("github {owner} {repo}{}{}", part("ref", &reference), part("path", &path))
        }
        Reference::Url(UrlRef { url, kind, reference }) => {
            let kind = match kind {
                UrlKind::Archive => "archive".to_owned(),
                UrlKind::Tree(TreeUrl { repository, rest }) => format!("tree of {repository} at {rest}"),
                UrlKind::Unclear => "unclear".to_owned(),
            };
            format!("url {url} {kind}{}", part("ref", &reference))
        }
    }
}

/// Every spelling of docs/FORMAT.md, "References", and those of the bug reports that it answers.
const SPELLINGS: &[(&str, &str)] = &[
    // 1: paths
    (".", "path ."),
    ("..", "path .."),
    ("./x", "path ./x"),
    ("../../evil", "path ../../evil"),
    ("/abs/x", "path /abs/x"),
    ("~/skills/x", "path ~/skills/x"),
    (".\\x", "path .\\x"),
    ("..\\x", "path ..\\x"),
    ("\\\\host\\share", "path \\\\host\\share"),
    ("C:\\x", "path C:\\x"),
    ("c:/x", "path c:/x"),
    ("./x:y", "path ./x:y"),
    ("./x.zip", "archive ./x.zip"),
    ("./old.zip", "path ./old.zip"),
    // 3: archives
    ("x.zip", "archive x.zip"),
    ("dist/x.tar.gz", "archive dist/x.tar.gz"),
    ("x.TGZ", "archive x.TGZ"),
    ("x.tar", "archive x.tar"),
    ("x.tar.zst", "archive x.tar.zst"),
    ("x.tzst", "archive x.tzst"),
    ("dist/x.TZST", "archive dist/x.TZST"),
    ("acme/github.skill", "archive acme/github.skill"),
    // 4: registries
    ("github", "registry owner= slug=github"),
    ("acme/github", "registry owner=acme slug=github"),
    ("@acme/github", "registry owner=acme slug=github"),
    ("github@^3", "registry owner= slug=github req=^3"),
    ("acme/github@3.4.1", "registry owner=acme slug=github req=3.4.1"),
    ("@acme/github@~1.2", "registry owner=acme slug=github req=~1.2"),
    ("github@>=1.2 <2", "registry owner= slug=github req=>=1.2 <2"),
    ("github@*", "registry owner= slug=github req=*"),
    ("github@stable", "registry owner= slug=github tag=stable"),
    ("github@v3", "registry owner= slug=github req=^3"),
    // 2: git
    ("git:https://h/o/r", "git url https://h/o/r"),
    ("git:https://h/o/r@v1", "git url https://h/o/r ref=v1"),
    ("git:https://h/o/r#v1", "git url https://h/o/r ref=v1"),
    ("git:https://h/o/r//skills/x", "git url https://h/o/r path=skills/x"),
    ("git:https://h/o/r@v1//skills/x", "git url https://h/o/r ref=v1 path=skills/x"),
    ("git:https://h/o/r#v1//skills/x", "git url https://h/o/r ref=v1 path=skills/x"),
    ("git:https://h/o/r//skills/x#v1", "git url https://h/o/r ref=v1 path=skills/x"),
    ("git:https://h/o/r//skills/x@v1", "git url https://h/o/r path=skills/x@v1"),
    ("git:https://h/o/r@fix/ABC/one//libs/s", "git url https://h/o/r ref=fix/ABC/one path=libs/s"),
    ("git:https://h/o/r@@scope/pkg@1.0.0", "git url https://h/o/r ref=@scope/pkg@1.0.0"),
    ("git:https://h/o/r//./a//b/", "git url https://h/o/r path=a/b"),
    ("git:https://h/o/r//", "git url https://h/o/r"),
    ("git:ssh://git@h:22/o/r.git@v1", "git url ssh://git@h:22/o/r.git ref=v1"),
    ("git:git://h/r", "git url git://h/r"),
    ("git:https://h/o/r/", "git url https://h/o/r"),
    ("git:https://h/o/r/.//p", "git url https://h/o/r path=p"),
    ("git:https://h//p", "git url https://h/ path=p"),
    ("git:repo/", "git local repo"),
    ("git:ssh://h/", "git url ssh://h"),
    ("git:ssh://git@h#v1", "git url ssh://git@h ref=v1"),
    ("git:file:///srv/r.git@main", "git url file:///srv/r.git ref=main"),
    ("git:git@h:o/r.git", "git scp git@h:o/r.git"),
    ("git:git@h:o/r.git@v1//p", "git scp git@h:o/r.git ref=v1 path=p"),
    ("git:./repo", "git local ./repo"),
    ("git:repo@v1//p", "git local repo ref=v1 path=p"),
    ("git:./repo//skills/a", "git local ./repo path=skills/a"),
    ("git:./re@po", "git local ./re@po"),
    ("git:./re@po@v1", "git local ./re@po ref=v1"),
    ("git:./re@none@v1", "git local ./re ref=none@v1"),
    ("git:/srv/a//b//c", "git local /srv/a//b path=c"),
    ("git:/srv/a//c", "git local /srv/a path=c"),
    ("git:~/r#1#v2", "git local ~/r#1 ref=v2"),
    ("git:repo//http://x", "git local repo path=http:/x"),
    // 2: github
    ("github:o/r", "github o r"),
    ("github:o/r.git", "github o r"),
    ("github:o/r@v1", "github o r ref=v1"),
    ("github:o/r#v1", "github o r ref=v1"),
    ("github:o/r/skills/x", "github o r path=skills/x"),
    ("github:o/r/skills/x@v1", "github o r ref=v1 path=skills/x"),
    ("github:o/r/skills/x#v1", "github o r ref=v1 path=skills/x"),
    ("github:o/r@feat/a//skills/x", "github o r ref=feat/a path=skills/x"),
    ("github:o/r//skills/x@v1", "github o r ref=v1 path=skills/x"),
    ("github:o/r/@scope/x", "github o r path=@scope/x"),
    ("github:o/r/@scope/x@v1", "github o r ref=v1 path=@scope/x"),
    // 2: https and http
    ("https://h/x.zip", "url https://h/x.zip archive"),
    ("https://h/dl/x.TAR.GZ?download=1", "url https://h/dl/x.TAR.GZ?download=1 archive"),
    ("https://h/o/r/tree/main/x.skill", "url https://h/o/r/tree/main/x.skill archive"),
    (
        "http://h/o/r/tree/fix/ABC/one/libs/s",
        "url http://h/o/r/tree/fix/ABC/one/libs/s tree of http://h/o/r at fix/ABC/one/libs/s",
    ),
    (
        "https://h/g/sub/r/-/tree/main/libs/s?ref_type=heads#L1",
        "url https://h/g/sub/r/-/tree/main/libs/s tree of https://h/g/sub/r at main/libs/s",
    ),
    (
        "https://h/o/r/tree/fix%2Fone/libs",
        "url https://h/o/r/tree/fix%2Fone/libs tree of https://h/o/r at fix/one/libs",
    ),
    ("https://h/o/tree/tree/main", "url https://h/o/tree/tree/main tree of https://h/o/tree at main"),
    ("https://h/o/r/tree/", "url https://h/o/r/tree/ unclear"),
    ("https://h/o/r.git", "git url https://h/o/r.git"),
    ("https://h/o/r.git#v1", "git url https://h/o/r.git ref=v1"),
    ("https://h/o/r.git@v1//p", "git url https://h/o/r.git ref=v1 path=p"),
    ("https://h/o/r", "url https://h/o/r unclear"),
    ("https://h/o/r#v1", "url https://h/o/r unclear ref=v1"),
    ("https://h/acme/skills/github", "url https://h/acme/skills/github unclear"),
];

#[test]
fn every_spelling() {
    for (text, wanted) in SPELLINGS {
        assert_eq!(read(text), *wanted, "{text}");
    }
}

#[test]
fn every_spelling_is_given_back() {
    for (text, _) in SPELLINGS {
        let reference = parse(text).unwrap();
        assert_eq!(parse(&reference.to_string()).as_ref(), Ok(&reference), "{text} {reference}");
    }
}

/// What is refused, the code of it, and its message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("", "reference-unreadable", "a reference is empty"),
    (
        "Github",
        "reference-unreadable",
        "`Github` does not read as a slug: a-z, 0-9 and single hyphens between them, 1 to 96 characters",
    ),
    (
        "acme/git_hub",
        "reference-unreadable",
        "`acme/git_hub` does not read as a reference: owner/slug, a slug, a path like ./X, or a URL",
    ),
    (
        "a/b/c",
        "reference-unreadable",
        "`a/b/c` does not read as a reference: owner/slug, a slug, a path like ./X, or a URL",
    ),
    (
        "github@",
        "requirement-unreadable",
        "`` does not read as a requirement: it is empty, and `*` stands for any release",
    ),
    (
        "github@^1||^2",
        "requirement-unreadable",
        "`^1||^2` does not read as a requirement: `||` is not supported, one range is written like `>=1.2 <2`",
    ),
    ("ftp://h/x", "reference-scheme", "`ftp:` is not a source; git, github, http and https are"),
    (
        "git:ext::sh -c x",
        "reference-scheme",
        "git is not asked over `ext`; https, ssh, http, git and file are known",
    ),
    (
        "git:ext://x",
        "reference-scheme",
        "git is not asked over `ext`; https, ssh, http, git and file are known",
    ),
    ("git:--upload-pack=x", "reference-unreadable", "`--upload-pack=x` starts with `-`, or its host does"),
    (
        "git:ssh://-oProxyCommand=x/r",
        "reference-unreadable",
        "`ssh://-oProxyCommand=x/r` starts with `-`, or its host does",
    ),
    (
        "git:git@-oProxyCommand=x:r",
        "reference-unreadable",
        "`git@-oProxyCommand=x:r` starts with `-`, or its host does",
    ),
    ("git:", "reference-unreadable", "`git:` does not read as a git source: a URL, user@host:path or a path"),
    (
        "git:@v1",
        "reference-unreadable",
        "`git:@v1` does not read as a git source: a URL, user@host:path or a path",
    ),
    ("git:https://", "reference-unreadable", "`git:https://` does not read as a URL with a host"),
    ("git:https://h/r@-x", "ref-dash", "the ref `-x` starts with `-`"),
    ("https://h/r.git#--upload-pack=x", "ref-dash", "the ref `--upload-pack=x` starts with `-`"),
    ("github:o/r@-x", "ref-dash", "the ref `-x` starts with `-`"),
    ("https://h/o/r/tree/-x/p", "ref-dash", "the ref `-x/p` starts with `-`"),
    (
        "git:https://h/r@",
        "reference-unreadable",
        "`` does not read as a git ref: a branch, a tag or a commit",
    ),
    (
        "git:https://h/r@a:b",
        "reference-unreadable",
        "`a:b` does not read as a git ref: a branch, a tag or a commit",
    ),
    ("git:https://h/r//../x", "subpath-parent", "the path `../x` inside the source has a `..` in it"),
    ("git:https://h/r//a/..", "subpath-parent", "the path `a/..` inside the source has a `..` in it"),
    ("git:https://h/r//a\\..\\b", "subpath-parent", "the path `a\\..\\b` inside the source has a `..` in it"),
    ("github:o/r/../x", "subpath-parent", "the path `/../x` inside the source has a `..` in it"),
    (
        "https://h/o/r/tree/main/a%2F..%2Fb",
        "subpath-parent",
        "the path `main/a/../b` inside the source has a `..` in it",
    ),
    ("git:https://h/r@v1//p#v2", "reference-unreadable", "`git:https://h/r@v1//p#v2` names two refs"),
    (
        "github:o",
        "reference-unreadable",
        "`github:o` does not read as github:owner/repo, with /path and @ref",
    ),
    (
        "github:o/..",
        "reference-unreadable",
        "`github:o/..` does not read as github:owner/repo, with /path and @ref",
    ),
    ("https:h", "reference-unreadable", "`https:h` does not read as a URL with a host, without blanks"),
    (
        "https://h/a b",
        "reference-unreadable",
        "`https://h/a b` does not read as a URL with a host, without blanks",
    ),
    (
        "~user/x",
        "reference-unreadable",
        "`~user/x` does not read as a reference: owner/slug, a slug, a path like ./X, or a URL",
    ),
];

#[test]
fn what_is_refused_and_why() {
    for &(text, code, message) in REFUSED {
        let error = parse(text).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message), "{text}");
    }
}

#[test]
fn a_caret_stands_under_the_character() {
    let at = |text: &str| parse(text).unwrap_err().caret().map(|(_, at)| at);
    assert_eq!(at("acme/git_hub"), Some(9));
    assert_eq!(at("天acme/github"), Some(1));
    assert_eq!(at("@ac.me/github"), Some(4));
    assert_eq!(at("-a"), Some(1));
    assert_eq!(at("a/b/c"), Some(4));
    assert_eq!(at("github@^1 || 2"), Some(4));
    assert_eq!(at("github:o/r!"), Some(10));
}

#[test]
fn did_you_mean() {
    let meant = |text: &str| match parse(text) {
        Err(ReferenceError::UnknownScheme { did_you_mean, .. }) => did_you_mean,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(meant("gti:https://git.example/x"), ["git:https://git.example/x"]);
    assert_eq!(meant("gihtub:o/r"), ["github:o/r"]);
    assert_eq!(meant("HTTPS://h/r"), ["https://h/r"]);
    assert_eq!(meant("httsp://h/r"), ["http://h/r", "https://h/r"]);
    assert_eq!(meant("git+https://h/r"), ["git:https://h/r"]);
    assert_eq!(meant("ssh://git@h/r"), ["git:ssh://git@h/r"]);
    assert_eq!(meant("git@h:o/r.git"), ["git:git@h:o/r.git"]);
    assert_eq!(meant("file:///x/y"), ["/x/y"]);
    assert!(meant("npm:left-pad").is_empty());
    assert!(meant("C:x").is_empty());
    assert_eq!(meant("gti:https://u:p@h/x"), ["git:https://h/x"]);
}

#[test]
fn a_tree_url_is_cut_at_the_longest_ref_first() {
    let Ok(Reference::Url(UrlRef { kind: UrlKind::Tree(tree), .. })) =
        parse("https://h/o/r/tree/fix/ABC/one/libs/s")
    else {
        panic!("no tree")
    };
    let splits: Vec<_> = tree.splits().collect();
    assert_eq!(
        splits,
        [
            ("fix/ABC/one/libs/s", None),
            ("fix/ABC/one/libs", Some("s")),
            ("fix/ABC/one", Some("libs/s")),
            ("fix/ABC", Some("one/libs/s")),
            ("fix", Some("ABC/one/libs/s")),
        ]
    );
}

#[test]
fn the_page_of_a_registry() {
    let page = |text: &str| match parse(text) {
        Ok(Reference::Url(url)) => url.page().map(|page| format!("{} {}", page.base, page.skill)),
        other => panic!("{text}: {other:?}"),
    };
    let table = [
        ("https://h/acme/skills/github", Some("https://h acme/github")),
        ("http://127.0.0.1:8080/acme/skills/github/files?x=1#y", Some("http://127.0.0.1:8080 acme/github")),
        ("https://h/reg/acme/skills/github/versions/3.4.1", Some("https://h/reg acme/github@3.4.1")),
        ("https://h/skills/github", None),
        ("https://h/acme/skills", None),
        ("https://h/Acme/skills/github", None),
    ];
    for (text, wanted) in table {
        assert_eq!(page(text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn credentials_are_used_and_never_shown() {
    let texts = [
        "https://u:s3cret@h/o/r",
        "https://s3cret@h/o/r.git#v1",
        "git:https://u:s3cret@h/o/r@v1//p",
        "git:ssh://git:s3cret@h/r",
        "https://h/x.zip?token=s3cret",
        "https://u:s3cret@h/o/r/tree/main/x",
    ];
    for text in texts {
        let (reference, warnings) = Reference::parse(text, &is_folder).unwrap();
        assert!(reference.source_url().unwrap().with_credentials().as_str().contains("s3cret"), "{text}");
        for shown in [reference.to_string(), format!("{reference:?}"), format!("{warnings:?}")] {
            assert!(!shown.contains("s3cret"), "{shown}");
        }
        assert_eq!(warnings.iter().map(ReferenceWarning::code).collect::<Vec<_>>(), ["token-in-url"]);
        assert_eq!(parse(&reference.to_string()).unwrap().to_string(), reference.to_string());
    }
    for text in ["https://u:s3cret@h/a b", "git:https://u:s3cret@h/r@v1//p#v2", "git:ext://u:s3cret@h/r"] {
        let error = parse(text).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{text}");
    }
}

#[test]
fn a_v_is_warned_about() {
    let (_, warnings) = Reference::parse("github@v3", &is_folder).unwrap();
    assert_eq!(warnings.iter().map(ReferenceWarning::code).collect::<Vec<_>>(), ["requirement-v"]);
}

#[test]
fn a_path_from_elsewhere_is_shown_as_one() {
    assert_eq!(Reference::Path("x".to_owned()).to_string(), "./x");
    assert_eq!(Reference::Archive("x.zip".to_owned()).to_string(), "x.zip");
    assert_eq!(Reference::Archive("x".to_owned()).to_string(), "./x");
}

/// Texts that come near to references of every kind.
fn near() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "git:", "github:", "https://", "ssh://", "h", "/", "//", "@", "#", "o/r", ".git", "v1", "..", ".",
        "-", "~/", "tree", "/-/tree/", "%2F", "%2e", "?a=b", "u:p@", ".zip", "git@h:", "\\", " ", "ä", ":",
        "^3", "*", "skills", "::",
    ]);
    prop_oneof![3 => prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat()), 1 => ".{0,40}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_panics_and_what_is_read_is_given_back(text in near()) {
        match Reference::parse(&text, &|_| false) {
            Ok((reference, _)) => {
                let shown = reference.to_string();
                let again = Reference::parse(&shown, &|_| false);
                prop_assert!(again.is_ok(), "{} shown as {}: {:?}", text, shown, again);
                let (again, warnings) = again.unwrap();
                prop_assert_eq!(again.to_string(), shown);
                if reference.source_url().is_none_or(|url| !url.has_credentials()) {
                    prop_assert_eq!(again, reference);
                }
                prop_assert!(warnings.iter().all(|warning| warning.code() != "token-in-url"));
            }
            Err(error) => {
                if let Some((text, at)) = error.caret() {
                    prop_assert!((1..=text.chars().count() + 1).contains(&at));
                }
            }
        }
    }
}
