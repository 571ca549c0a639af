use std::os::unix::fs::symlink;

use crate::packing::{account, folder, publish};
use crate::refusal;

#[test]
fn a_link_inside_is_packed_as_what_it_points_to() {
    let folder = folder(&[("SKILL.md", "x"), ("docs/intro.md", "intro"), ("bin/tool*", "#!/bin/sh\n")]);
    let at = |path: &str| folder.path().join(path);
    symlink("docs/intro.md", at("README.md")).unwrap();
    symlink("../bin", at("docs/bin")).unwrap();
    symlink("README.md", at("twice.md")).unwrap();
    symlink(at("docs/intro.md"), at("absolute.md")).unwrap();
    symlink("./docs/../docs//intro.md", at("detour.md")).unwrap();
    let packed = publish(folder.path()).unwrap();
    let text = account(&packed)
        .replace(&fs_err::canonicalize(folder.path()).unwrap().display().to_string(), "FOLDER");
    insta::assert_snapshot!(text, @r"
    in    README.md 5
    in    SKILL.md 1
    in    absolute.md 5
    in    bin/tool* 10
    in    detour.md 5
    in    docs/bin/tool* 10
    in    docs/intro.md 5
    in    twice.md 5
    link  README.md -> docs/intro.md
    link  absolute.md -> FOLDER/docs/intro.md
    link  detour.md -> ./docs/../docs//intro.md
    link  docs/bin -> ../bin
    link  twice.md -> README.md
    ");
    assert_eq!(packed.bundle.get("twice.md").unwrap().content(), b"intro");
}

#[test]
fn a_skill_md_that_is_a_link() {
    let folder = folder(&[("store/SKILL.md", "stored")]);
    symlink("store/SKILL.md", folder.path().join("SKILL.md")).unwrap();
    assert_eq!(publish(folder.path()).unwrap().bundle.skill_md(), b"stored");
}

#[test]
fn outside() {
    let folder = folder(&[("SKILL.md", "x"), ("a/b", "x")]);
    for (link, target) in [("data", "../../shared"), ("passwd", "/etc/passwd"), ("a/up", "../../x")] {
        let at = folder.path().join(link);
        symlink(target, &at).unwrap();
        let error = publish(folder.path()).unwrap_err();
        assert_eq!(error.code(), "bundle-link-outside");
        assert_eq!(error.to_string(), format!("`{link}` is a link that leaves the bundle, to `{target}`"));
        fs_err::remove_file(at).unwrap();
    }
}

#[test]
fn outside_in_two_steps() {
    let folder = folder(&[("SKILL.md", "x"), ("a/b/c", "x")]);
    symlink("a/b", folder.path().join("shortcut")).unwrap();
    symlink("shortcut/../../..", folder.path().join("up")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-outside: `up` is a link that leaves the bundle, to `shortcut/../../..`");
}

#[test]
fn dangling() {
    let folder = folder(&[("SKILL.md", "x")]);
    symlink("absent.md", folder.path().join("data")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-dangling: `data` is a link to `absent.md`, which is not there");
    fs_err::remove_file(folder.path().join("data")).unwrap();
    symlink("SKILL.md/x", folder.path().join("data")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-dangling: `data` is a link to `SKILL.md/x`, which is not there");
}

#[test]
fn looping() {
    let folder = folder(&[("SKILL.md", "x"), ("d/x", "x")]);
    let at = |path: &str| folder.path().join(path);
    symlink("self", at("self")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-loop: `self` is a link to `self`, which leads back to it");
    fs_err::remove_file(at("self")).unwrap();
    symlink("two", at("one")).unwrap();
    symlink("one", at("two")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-loop: `one` is a link to `two`, which leads back to it");
    fs_err::remove_file(at("one")).unwrap();
    fs_err::remove_file(at("two")).unwrap();
    symlink("..", at("d/up")).unwrap();
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-link-loop: `d/up` is a link to `..`, which leads back to it");
}

#[test]
fn what_is_never_published_is_not_published_through_a_link() {
    let folder = folder(&[("SKILL.md", "x"), (".env", "SECRET=1"), (".git/config", "x")]);
    symlink(".env", folder.path().join("settings")).unwrap();
    symlink(".git", folder.path().join("repository")).unwrap();
    insta::assert_snapshot!(account(&publish(folder.path()).unwrap()), @r"
    in    SKILL.md 1
    out   .env (secret file, always)
    out   .git/ (version control, always)
    out   repository/ (version control, always)
    out   settings (secret file, always)
    ");
}

#[test]
fn links_that_multiply() {
    // Each level links twice to the next: 2^12 folders without a file in them.
    let folder = folder(&[("SKILL.md", "x"), ("l12/", "")]);
    for level in 0..12 {
        let at = folder.path().join(format!("l{level}"));
        fs_err::create_dir(&at).unwrap();
        for name in ["a", "b"] {
            symlink(format!("../l{}", level + 1), at.join(name)).unwrap();
        }
    }
    insta::assert_snapshot!(refusal(publish(folder.path())), @"bundle-files-many: there are more than 8000 folders and links");
}
