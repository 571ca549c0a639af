//! Configuration that would run something: the user's own, a repository's, a lock's.

use std::os::unix::fs::{PermissionsExt as _, chown};

use crate::support::engine::skipped;
use crate::support::git::Repo;
use crate::support::{Sandbox, disk};

#[test]
fn no_configuration_of_the_user_leads_to_a_transport_that_runs_programs() {
    for key in ["insteadOf", "pushInsteadOf"] {
        let user = Sandbox::new();
        let marker = user.path("../home/marker");
        let config = format!(
            "[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n\
             [url \"ext::sh -c touch% {} \"]\n\t{key} = http://127.0.0.1:9/\n",
            marker.display()
        );
        fs_err::write(user.path("../home/.gitconfig"), config).unwrap();
        let out = user.skill(["install", "git:http://127.0.0.1:9/r.git"]).code(6);
        assert!(out.stderr.contains("error[git-unreachable]"), "{out}");
        assert_eq!(out.stderr.contains("transport 'ext' not allowed"), key == "insteadOf", "{out}");
        assert!(!marker.exists());
        assert_eq!(user.disk(), "");
    }
}

/// What a local repository says in its own configuration is for whoever works in it.
#[test]
fn the_configuration_of_a_repository_runs_nothing() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    let marker = user.path("../home/marker");
    let touch = format!("touch {}", marker.display());
    let git = repo.root().join("r.git");
    let hooks = git.join("hooks");
    fs_err::create_dir_all(&hooks).unwrap();
    for hook in
        ["post-checkout", "post-upload-pack", "pre-receive", "reference-transaction", "fsmonitor-watchman"]
    {
        fs_err::write(hooks.join(hook), format!("#!/bin/sh\n{touch}\n")).unwrap();
        fs_err::set_permissions(hooks.join(hook), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (key, value) in [
        ("core.fsmonitor", touch.as_str()),
        ("core.sshCommand", &touch),
        ("core.gitProxy", &touch),
        ("core.pager", &touch),
        ("core.editor", &touch),
        ("core.alternateRefsCommand", &touch),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("credential.helper", &format!("!{touch}")),
        ("diff.external", &touch),
        ("filter.evil.smudge", &touch),
        ("uploadpack.packObjectsHook", &touch),
        ("uploadarchive.allowUnreachable", "true"),
        ("alias.upload-pack", &format!("!{touch}")),
        ("gpg.program", &touch),
    ] {
        repo.git(&["config", key, value]);
    }
    user.skill(["install", &repo.reference()]).success();
    user.skill(["verify"]).success();
    assert!(!marker.exists(), "something of the repository's configuration was run");
}

/// A repository that lacks objects would be asked for them elsewhere, through whatever it names.
#[test]
fn a_repository_that_lacks_objects_fetches_none_on_the_way() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    let marker = user.path("../home/marker");
    let url = format!("ext::sh -c touch% {}", marker.display());
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.url", &url),
        ("protocol.ext.allow", "always"),
    ] {
        repo.git(&["config", key, value]);
    }
    let blob = repo.git(&["rev-parse", "HEAD:gitty/SKILL.md"]);
    fs_err::remove_file(repo.root().join("r.git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let out = user.skill(["install", &repo.reference(), "--json"]);
    assert_ne!(out.code, 0, "{out}");
    assert!(!marker.exists(), "{out}");
    assert_eq!(user.disk(), "");
}

/// Objects that lie elsewhere are what the repository's owner says they are; they are only read.
#[test]
fn a_repository_that_borrows_objects_is_read() {
    let lender = Repo::with(&["gitty"]);
    let borrower = lender.root().join("borrower.git").display().to_string();
    let lending = lender.root().join("r.git").display().to_string();
    lender.git(&["clone", "--quiet", "--bare", "--shared", &lending, &borrower]);
    let (before, user) = (disk(&lender.root().join("r.git")), Sandbox::new());
    user.skill(["install", &format!("git:{borrower}")]).success();
    user.skill(["verify"]).success();
    assert_eq!(disk(&lender.root().join("r.git")), before);
}

#[test]
fn a_repository_of_another_user_is_read_only_if_the_user_says_so() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can give a repository away");
    }
    let repo = Repo::with(&["gitty"]);
    let mut folders = vec![repo.root().join("r.git")];
    while let Some(folder) = folders.pop() {
        chown(&folder, Some(65534), Some(65534)).unwrap();
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { chown(&path, Some(65534), Some(65534)).unwrap() }
        }
    }
    for reference in [repo.reference(), repo.reference().replace("git:/", "git:file:///")] {
        let user = Sandbox::new();
        let out = user.skill(["install", &reference]).code(7);
        assert!(out.stderr.contains("error[git-auth]: git does not read git:"), "{out}");
        assert!(out.stderr.contains("because: it belongs to another user of this machine"), "{out}");
        assert!(out.stderr.contains("safe.directory"), "{out}");
        assert_eq!(user.disk(), "");
        let trusted = format!("[safe]\n\tdirectory = {}\n", repo.root().join("r.git").display());
        fs_err::write(user.path("../home/.gitconfig"), trusted).unwrap();
        user.skill(["install", &reference]).success();
    }
}

#[test]
fn words_that_look_like_options_stay_words() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    let marker = user.path("../home/marker");
    let evil = format!("--upload-pack=touch {};", marker.display());
    let base = repo.reference();
    for args in [
        vec![format!("git:{evil}")],
        vec![format!("git:ext::sh -c touch% {}", marker.display())],
        vec!["git:ssh://-oProxyCommand=touch/x".to_owned()],
        vec!["git:git@-oProxyCommand=touch:x".to_owned()],
        vec![format!("{base}@{evil}")],
        vec![format!("{base}#{evil}")],
        vec![base.clone(), format!("--ref={evil}")],
        vec![base.clone(), format!("--path={evil}")],
        vec![format!("https://skills.example/o/r/tree/{evil}/x"), "--offline".to_owned()],
    ] {
        let out = user.skill(["install".to_owned()].iter().chain(&args));
        assert_ne!(out.code, 0, "{args:?}\n{out}");
        assert!(!marker.exists(), "{args:?}");
        assert_eq!(user.disk(), "", "{args:?}");
    }
}

#[test]
fn a_lock_and_a_manifest_name_no_option_and_no_program() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    user.skill(["install", &format!("{}#main", repo.reference())]).success();
    let marker = user.path("../home/marker");
    let (lock, wanted) = (user.read("skills.lock"), user.read("skills.toml"));
    let field = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = ")).unwrap();
        line.to_owned()
    };
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    for (name, value) in [
        ("commit", format!("\"--upload-pack=touch {};\"", marker.display())),
        ("url", format!("\"--upload-pack=touch {};\"", marker.display())),
        ("url", format!("\"ext::sh -c touch% {}\"", marker.display())),
        ("url", format!("\"ssh://-oProxyCommand=touch {}/x\"", marker.display())),
        ("ref", format!("\"--upload-pack=touch {};\"", marker.display())),
    ] {
        let changed = |text: &str| {
            let old = format!("{name} = {}", field(text, name));
            text.replacen(&old, &format!("{name} = {value}"), 1)
        };
        user.write("skills.lock", changed(&lock));
        assert_ne!(user.read("skills.lock"), lock, "{name}");
        fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
        for args in [&["install", "--frozen"][..], &["install"]] {
            let out = user.skill(args);
            assert_ne!(out.code, 0, "{name} {value} {args:?}\n{out}");
            assert!(!marker.exists(), "{name} {value}");
            assert!(!user.path("skills").exists());
        }
        fs_err::create_dir_all(user.skill_home().join("cache")).unwrap();
        user.write("skills.lock", &lock);
    }
    fs_err::remove_file(user.path("skills.lock")).unwrap();
    user.write("skills.toml", wanted.replace("ref = \"main\"", "ref = \"--upload-pack=evil\""));
    let out = user.skill(["install"]);
    assert_ne!(out.code, 0, "{out}");
    assert!(!user.path("skills").exists());
}

/// Whatever git lets a branch be called is a word here and nothing else.
#[test]
fn refs_with_strange_names() {
    let repo = Repo::with(&["gitty"]);
    let commit = repo.git(&["rev-parse", "HEAD"]);
    for name in [
        "$(touch x)".replace(' ', "${IFS}"),
        "a;b|c&d".into(),
        "it's".into(),
        "\"q\"".into(),
        "天气/x".into(),
        "x%2Fy".into(),
        "a,b=c".into(),
    ] {
        repo.git(&["update-ref", &format!("refs/heads/{name}"), &commit]);
        let user = Sandbox::new();
        user.skill(["install", &repo.reference(), "--ref", &name]).success();
        let out = user.skill(["verify"]).success();
        assert!(!user.path("x").exists() && out.code == 0);
        fs_err::remove_dir_all(user.path("skills")).unwrap();
        fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
        user.skill(["install"]).success();
    }
}
