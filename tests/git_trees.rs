//! Trees that git does not make by itself: somebody wrote their bytes.

use crate::support::Sandbox;
use crate::support::git::Repo;

/// A repository whose folder `x` is a skill with these entries: mode, name and the object's kind and content.
fn with(entries: &[(&str, &[u8], &str, &[u8])]) -> Repo {
    let repo = Repo::with(&["x"]);
    let mut all =
        vec![(b"100644".to_vec(), b"SKILL.md".to_vec(), repo.git(&["rev-parse", "HEAD:x/SKILL.md"]))];
    for (mode, name, kind, content) in entries {
        all.push((mode.as_bytes().to_vec(), name.to_vec(), repo.object(kind, content)));
    }
    set(&repo, "x", &all);
    repo
}

/// Makes `folder` of a commit on main a tree of these entries, in this order.
fn set(repo: &Repo, folder: &str, entries: &[(Vec<u8>, Vec<u8>, String)]) {
    let folder_of = |entries: &[(Vec<u8>, Vec<u8>, String)]| {
        let lines = entries.iter().map(|(mode, name, object)| {
            let object: Vec<u8> = (0..object.len() / 2)
                .map(|at| u8::from_str_radix(&object[at * 2..at * 2 + 2], 16).unwrap())
                .collect();
            [mode, &b" "[..], name, b"\0", &object].concat()
        });
        repo.object("tree", &lines.collect::<Vec<_>>().concat())
    };
    let inner = folder_of(entries);
    let root = folder_of(&[(b"40000".to_vec(), folder.as_bytes().to_vec(), inner)]);
    let commit = repo.git(&["commit-tree", "-m", "by hand", &root]);
    repo.git(&["update-ref", "refs/heads/main", &commit]);
}

#[test]
fn each_is_refused_by_its_own_code() {
    let nfc = "caf\u{e9}.md".as_bytes();
    let nfd = "cafe\u{301}.md".as_bytes();
    let cases: &[(&str, &[&[u8]])] = &[
        ("bundle-path-parent", &[b".."]),
        ("bundle-path-parent", &[b"../../../../evil"]),
        ("bundle-path-control", &[b"a\nb"]),
        ("bundle-path-control", &[b"a\x1b[2J"]),
        ("bundle-path-encoding", &[b"\xff.md"]),
        ("bundle-path-backslash", &[b"a\\b"]),
        ("bundle-path-bidi", &["a\u{202e}b".as_bytes()]),
        ("bundle-path-collision", &[b"a.md", b"A.md"]),
        // Two spellings of one path, which a bundle keeps in NFC.
        ("bundle-duplicate", &[nfc, nfd]),
        ("bundle-duplicate", &[b"a.md", b"a.md"]),
        ("bundle-two-skill-md", &[b"skill.md"]),
        ("bundle-file-folder", &[b"a", b"a/b"]),
    ];
    for (code, names) in cases {
        let entries: Vec<_> = names.iter().map(|name| ("100644", *name, "blob", &b"x"[..])).collect();
        let repo = with(&entries);
        let user = Sandbox::new();
        let out = user.skill(["install", &repo.reference(), "--json"]).code(1);
        assert_eq!(out.error_code(), *code, "{names:?}\n{out}");
        assert_eq!(user.disk(), "");
    }
}

/// A repository inside of a skill would have its configuration obeyed by whoever runs git there, on systems
/// without letter case too.
#[test]
fn a_repository_inside_is_left_out_in_any_letter_case() {
    for name in [".git", ".GIT", ".Git"] {
        let repo = Repo::with(&["x"]);
        let skill = repo.git(&["rev-parse", "HEAD:x/SKILL.md"]);
        let config = repo.object("blob", b"[core]\n\tfsmonitor = evil\n");
        let raw: Vec<u8> =
            (0..20).map(|at| u8::from_str_radix(&config[at * 2..at * 2 + 2], 16).unwrap()).collect();
        let inner = repo.object("tree", &[b"100644 config\0", &raw[..]].concat());
        let entry = |mode: &str, name: &str, object: String| (mode.into(), name.into(), object);
        set(&repo, "x", &[entry("40000", name, inner), entry("100644", "SKILL.md", skill)]);
        let user = Sandbox::new();
        let out = user.skill(["install", &repo.reference()]).success();
        assert!(out.stderr.contains(&format!("{name}/config  version control, always")), "{out}");
        assert!(!user.path("skills/x").join(name).exists());
        user.skill(["verify"]).success();
    }
}

/// Ten folders of ten folders and so on, each the same one: small to send and endless to list.
#[test]
fn a_tree_of_many_copies_of_itself_is_no_bomb() {
    let repo = Repo::with(&["x"]);
    let raw = |object: &str| -> Vec<u8> {
        (0..20).map(|at| u8::from_str_radix(&object[at * 2..at * 2 + 2], 16).unwrap()).collect()
    };
    let mut inner = repo.object("tree", &[b"100644 f\0", &raw(&repo.object("blob", b"f"))[..]].concat());
    for _ in 0..10 {
        let lines = (0..10).map(|copy| [format!("40000 d{copy}\0").as_bytes(), &raw(&inner)].concat());
        inner = repo.object("tree", &lines.collect::<Vec<_>>().concat());
    }
    set(&repo, "x", &[(b"40000".to_vec(), b"d".to_vec(), inner)]);
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--timeout", "60"]).code(1);
    assert!(out.stderr.contains("error[bundle-files-many]: "), "{out}");
    assert!(out.stderr.contains("lists more than 32.0 MiB of files"), "{out}");
    assert_eq!(user.disk(), "");
    assert_eq!(fs_err::read_dir(user.skill_home().join("cache/git")).unwrap().count(), 0);
}

#[test]
fn a_strange_name_beside_the_skill_is_no_concern_of_it() {
    let repo = Repo::with(&["x", "xy"]);
    let blob = repo.object("blob", b"x");
    let skill = repo.git(&["rev-parse", "HEAD:x/SKILL.md"]);
    let raw = |object: &str| -> Vec<u8> {
        (0..20).map(|at| u8::from_str_radix(&object[at * 2..at * 2 + 2], 16).unwrap()).collect()
    };
    let plain = repo.object("tree", &[b"100644 SKILL.md\0", &raw(&skill)[..]].concat());
    let strange = repo.object(
        "tree",
        &[b"100644 SKILL.md\0", &raw(&skill)[..], b"100644 \xff\0", &raw(&blob)[..]].concat(),
    );
    let root =
        repo.object("tree", &[b"40000 x\0", &raw(&plain)[..], b"40000 xy\0", &raw(&strange)[..]].concat());
    let commit = repo.git(&["commit-tree", "-m", "by hand", &root]);
    repo.git(&["update-ref", "refs/heads/main", &commit]);
    let user = Sandbox::new();
    user.skill(["install", &repo.reference(), "--path", "x"]).success();
    let out = user.skill(["install", &repo.reference(), "--path", "xy", "--as", "other", "--json"]).code(1);
    assert_eq!(out.error_code(), "bundle-path-encoding");
}
