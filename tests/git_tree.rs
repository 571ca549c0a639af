//! What a commit may hold besides plain files.

use crate::support::Sandbox;
use crate::support::git::Repo;

/// Case 51.
#[test]
fn a_folder_behind_a_link_is_found() {
    let repo = Repo::with(&["skills/x"]);
    repo.link("codex/skills", "../skills");
    repo.link("x", "codex/skills/x");
    repo.commit("links");
    for path in ["codex/skills/x", "x"] {
        let user = Sandbox::new();
        user.skill(["install", &repo.reference(), "--path", path]).success();
        assert!(user.path("skills/x/SKILL.md").is_file());
        assert!(user.read("skills.lock").contains(&format!("path = \"{path}\"")));
        user.skill(["verify"]).success();
    }
}

/// Cases 37 and 42, for git.
#[test]
fn links_inside_are_packed_as_what_they_point_to() {
    let repo = Repo::with(&["skills/x"]);
    repo.script("skills/x/scripts/run.sh", "#!/bin/sh\n");
    repo.link("skills/x/run", "scripts/run.sh");
    repo.link("skills/x/bin", "./scripts");
    repo.link("skills/x/bin2", "../x/bin");
    repo.commit("links");
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--verbose"]).success();
    assert!(out.stderr.contains("warning[link-followed]: 3 links"), "{out}");
    assert!(out.stderr.contains("run -> scripts/run.sh"), "{out}");
    let disk = user.disk();
    for file in ["run", "bin/run.sh", "bin2/run.sh", "scripts/run.sh"] {
        let end = format!("skills/x/{file}");
        assert!(
            disk.lines().any(|line| line.starts_with("file 0755") && line.ends_with(&end)),
            "{file}\n{disk}"
        );
    }
    user.skill(["verify"]).success();
}

/// Case 37, for git.
#[test]
fn links_that_leave_dangle_or_loop_refuse_the_skill() {
    for (link, target, code) in [
        ("data", "../../shared", "bundle-link-outside"),
        ("data", "../../../etc/passwd", "bundle-link-outside"),
        ("data", "/etc/passwd", "bundle-link-outside"),
        ("data", "nothing", "bundle-link-dangling"),
        ("data", "data", "bundle-link-loop"),
        ("data", ".", "bundle-link-loop"),
        ("sub/up", "..", "bundle-link-loop"),
        ("SKILL.md", "../../shared/x.md", "bundle-link-outside"),
    ] {
        let repo = Repo::with(&["skills/x"]);
        repo.write("shared/x.md", "shared");
        if link == "SKILL.md" {
            repo.git(&["rm", "--quiet", "skills/x/SKILL.md"]);
        }
        repo.link(&format!("skills/x/{link}"), target);
        repo.commit("link");
        let user = Sandbox::new();
        let out = user.skill(["install", &repo.reference(), "--json"]).code(1);
        assert_eq!(out.error_code(), code, "{link} -> {target}");
        let message = out.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(link) && message.contains(target), "{message}");
        assert_eq!(user.disk(), "");
    }
}

/// Whatever lies at the bottom: a file, what is left out, another repository.
#[test]
fn a_link_to_many_copies_of_itself_is_no_bomb() {
    for leaf in ["f", ".DS_Store", "submodule"] {
        let repo = Repo::with(&["x"]);
        for level in 1..25 {
            for copy in 0..4 {
                repo.link(&format!("x/d{level}/l{copy}"), &format!("../d{}", level - 1));
            }
        }
        if leaf == "submodule" {
            let commit = repo.git(&["rev-parse", "HEAD"]);
            repo.git(&["add", "--all"]);
            let entry = format!("160000,{commit},x/d0/sub");
            repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
            repo.git(&["commit", "--quiet", "--message", "bomb"]);
        } else {
            repo.write(&format!("x/d0/{leaf}"), "f");
            repo.git(&["add", "--all", "--force"]);
            repo.commit("bomb");
        }
        let user = Sandbox::new();
        let out = user.skill(["install", &repo.reference(), "--json"]).code(1);
        assert_eq!(out.error_code(), "bundle-files-many", "{leaf}");
        assert_eq!(user.disk(), "");
    }
}

/// What a link says is a path, on whatever system it was made.
#[test]
fn a_link_that_says_more_than_a_path_can_be_is_not_read() {
    let repo = Repo::with(&["x"]);
    let target = repo.object("blob", format!("a{}", "/.".repeat(1 << 20)).as_bytes());
    for (link, path) in [("x/data", "x"), ("way", "way")] {
        let entry = format!("120000,{target},{link}");
        repo.git(&["update-index", "--add", "--cacheinfo", &entry]);
        repo.git(&["commit", "--quiet", "--message", "link"]);
        let user = Sandbox::new();
        let out = user.skill(["install", &repo.reference(), "--path", path]).code(1);
        assert!(out.stderr.contains("error[bundle-link-long]: "), "{out}");
        assert!(out.stderr.contains(&format!("`{link}` is a link whose target has 2.0 MiB")), "{out}");
        assert_eq!(user.disk(), "");
    }
}

#[test]
fn submodules_and_lfs_pointers_are_named() {
    let other = Repo::with(&["x"]);
    let repo = Repo::with(&["skills/gitty"]);
    let url = other.root().join("r.git").display().to_string();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "skills/gitty/sub"]);
    repo.write(
        "skills/gitty/model.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12345\n",
    );
    repo.commit("more");
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference()]).success();
    assert!(out.stderr.contains("sub  a submodule is another repository"), "{out}");
    assert!(out.stderr.contains("warning[lfs-pointer]: 1 file of git:"), "{out}");
    assert!(out.stderr.contains("model.bin"), "{out}");
    assert!(!user.path("skills/gitty/sub").exists());
    user.skill(["verify"]).success();
    // From the cache it is no other file.
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--offline"]).success();
    assert!(out.stderr.contains("warning[lfs-pointer]: 1 file of"), "{out}");
}

#[test]
fn line_endings_filters_and_hooks_have_no_say() {
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/text.txt", "one\ntwo\n");
    repo.commit("text");
    repo.write(".gitattributes", "* text eol=crlf filter=evil\n* export-ignore\n");
    repo.git(&["-c", "core.autocrlf=false", "add", ".gitattributes"]);
    repo.git(&["commit", "--quiet", "--message", "attributes"]);
    let user = Sandbox::new();
    let marker = user.path("../home/marker");
    let touch = format!("touch {}", marker.display());
    let home = user.path("../home");
    fs_err::create_dir_all(home.join("hooks")).unwrap();
    for hook in ["post-checkout", "post-merge", "reference-transaction", "post-rewrite"] {
        let file = home.join("hooks").join(hook);
        fs_err::write(&file, format!("#!/bin/sh\n{touch}\n")).unwrap();
        fs_err::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let config = format!(
        "[core]\n\tautocrlf = true\n\thooksPath = {hooks}\n\tfsmonitor = \"{touch}\"\n\tpager = \"{touch}\"\n\
         [filter \"evil\"]\n\tsmudge = \"{touch}\"\n\trequired = true\n[init]\n\ttemplateDir = {hooks}\n",
        hooks = home.join("hooks").display()
    );
    fs_err::write(home.join(".gitconfig"), config).unwrap();
    user.skill(["install", &repo.reference()]).success();
    assert_eq!(user.read("skills/gitty/text.txt"), "one\ntwo\n");
    assert!(!marker.exists(), "something of the user's configuration was run");
    user.skill(["verify"]).success();
}

#[test]
fn paths_that_no_bundle_holds_are_refused() {
    for (path, code) in
        [("gitty/a:b", "bundle-path"), ("gitty/con.txt", "bundle-path"), ("gitty/x ", "bundle-path")]
    {
        let repo = Repo::with(&["gitty"]);
        repo.write(path, "x");
        repo.commit("path");
        let user = Sandbox::new();
        let found = user.skill(["install", &repo.reference(), "--json"]).code(1).error_code();
        assert!(found.starts_with(code), "{path}: {found}");
    }
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/Readme.md", "x");
    repo.write("gitty/README.md", "x");
    repo.commit("case");
    let user = Sandbox::new();
    assert_eq!(
        user.skill(["install", &repo.reference(), "--json"]).code(1).error_code(),
        "bundle-path-collision"
    );
}

#[test]
fn a_file_above_the_limit_is_refused_before_it_is_read() {
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/big.bin", vec![0; (10 << 20) + 1]);
    repo.commit("big");
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--json"]).code(1);
    assert_eq!(out.error_code(), "bundle-file-large");
    assert_eq!(user.disk(), "");
}
