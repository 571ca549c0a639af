//! Archives: a file or a URL, whatever packed them.

use std::path::Path;
use std::process::Command;

use insta::assert_snapshot;

use crate::support::git::{GitServer, Manner};
use crate::support::{Registry, Sandbox, Skill};

/// Packs what lies in `folder` of the work directory with Python's writers, which keep modes.
#[track_caller]
fn pack(user: &Sandbox, folder: &str, archive: &str) {
    let program = "\
import sys, os, tarfile, zipfile
root, out = sys.argv[1], sys.argv[2]
names = sorted(os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(root) for f in fs)
if out.endswith(('.zip', '.skill')):
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for n in names: z.write(os.path.join(root, n), n)
else:
    with tarfile.open(out, 'w' if out.endswith('.tar') else 'w:gz') as t:
        for n in names: t.add(os.path.join(root, n), n)
";
    let status =
        Command::new("python3").args(["-c", program, folder, archive]).current_dir(user.work()).status();
    assert!(status.unwrap().success());
}

/// A zip of the entries, whatever they are called.
#[track_caller]
pub(crate) fn zip_of(user: &Sandbox, archive: &str, entries: &[(&str, &str)]) {
    let program = "\
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    for n, c in zip(sys.argv[2::2], sys.argv[3::2]): z.writestr(n, c)
";
    let words = entries.iter().flat_map(|(name, content)| [*name, *content]);
    let mut command = Command::new("python3");
    command.args(["-c", program, archive]).args(words).current_dir(user.work());
    assert!(command.status().unwrap().success());
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::metadata(path).unwrap().permissions().mode() & 0o100 != 0
}

/// Cases 42 and 44, for archives.
#[test]
fn every_kind_gives_the_same_files_and_modes() {
    let mut disks = Vec::new();
    for archive in ["tarry.zip", "tarry.skill", "tarry.tar", "tarry.tar.gz", "tarry.tgz"] {
        let user = Sandbox::new();
        Skill::new("tarry")
            .script("scripts/run.sh", "#!/bin/sh\n")
            .file("notes.md", "n")
            .write(&user, "tarry");
        pack(&user, "tarry", archive);
        fs_err::remove_dir_all(user.path("tarry")).unwrap();
        user.skill(["install", archive]).success();
        assert!(is_executable(&user.path("skills/tarry/scripts/run.sh")), "{archive}");
        assert!(!is_executable(&user.path("skills/tarry/notes.md")), "{archive}");
        let lock = user.read("skills.lock");
        assert!(lock.contains(&format!("location = \"./{archive}\"")), "{lock}");
        let digest = skill_core::digest::Sha256::of(fs_err::read(user.path(archive)).unwrap());
        assert!(lock.contains(&format!("archive_sha256 = \"{digest}\"")), "{lock}");
        user.skill(["verify"]).success();
        let disk: Vec<String> =
            user.disk().lines().filter(|line| line.contains(" skills/")).map(str::to_owned).collect();
        disks.push(disk);
    }
    assert!(disks.iter().all(|disk| *disk == disks[0]), "{disks:#?}");
}

#[test]
fn an_archive_is_installed_verified_and_changed() {
    let user = Sandbox::new();
    Skill::new("tarry").write(&user, "src/tarry");
    pack(&user, "src", "tarry.tar.gz");
    assert_snapshot!(user.skill(["install", "tarry.tar.gz"]).to_string(), @r"
    -- stdout
    installed  tarry   skills/tarry
    -- stderr
    1 skill to install in skills/
      +  tarry  -  -  clean  124 B  ./tarry.tar.gz
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    ");
    let out = user.skill(["verify"]).success();
    assert!(out.stdout.contains("ok    lock       ./tarry.tar.gz"), "{out}");
    assert!(out.stdout.contains("skip  signature  an archive has no registry signature"), "{out}");
    assert!(user.skill(["install", "./tarry.tar.gz"]).success().stderr.contains("nothing to do"));
    Skill::new("tarry").file("more.md", "more").write(&user, "src/tarry");
    pack(&user, "src", "tarry.tar.gz");
    let out = user.skill(["install", "tarry.tar.gz"]).success();
    assert!(out.stdout.contains("changed  tarry"), "{out}");
    user.skill(["verify"]).success();
}

/// Case 36.
#[test]
fn one_of_several_is_chosen_by_its_path() {
    let user = Sandbox::new();
    Skill::new("review").write(&user, "many/skills/review");
    Skill::new("summary").write(&user, "many/skills/summary");
    pack(&user, "many", "many.zip");
    let before = user.disk();
    assert_snapshot!(user.skill(["install", "many.zip"]).to_string(), @r"
    -- stderr
    error[source-several]: many.zip holds 2 skills
         skills/review   Helps with review. Use it when review comes up.
         skills/summary  Helps with summary. Use it when summary comes up.
      because: nothing was changed
    hint: add `--path skills/review` to choose one
    -- exit 3
    ");
    assert_eq!(user.disk(), before);
    user.skill(["install", "many.zip", "--path", "skills/review"]).success();
    user.skill(["install", "many.zip", "--path", "skills/summary", "--as", "short"]).success();
    assert!(user.path("skills/short/SKILL.md").is_file());
    assert!(user.read("skills.toml").contains("path = \"skills/summary\""));
    user.skill(["verify"]).success();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_snapshot!(user.skill(["install", "many.zip", "--path", "docs"]).to_string(), @r"
    -- stderr
    error[source-empty]: there is no skill at docs in many.zip
         skills/review   Helps with review. Use it when review comes up.
         skills/summary  Helps with summary. Use it when summary comes up.
      because: nothing was changed
    hint: add `--path skills/review` to choose one
    -- exit 3
    ");
    let many: Vec<String> = (0..60).map(|at| format!("s{at:02}/SKILL.md")).collect();
    let text = "---\nname: one\ndescription: Each says what it is for.\n---\n";
    let entries: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), text)).collect();
    zip_of(&user, "sixty.zip", &entries);
    let out = user.skill(["install", "sixty.zip"]).code(3);
    assert_eq!(out.stderr.matches("Each says what it is for.").count(), 60, "{out}");
    assert_eq!(user.skill(["install", "many.zip", "--ref", "v1", "--json"]).code(2).error_code(), "usage");
}

/// Case 36, for publishing.
#[test]
fn one_of_several_is_published_by_its_path() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("review").write(&author, "many/skills/review");
    Skill::new("summary").write(&author, "many/skills/summary");
    pack(&author, "many", "many.zip");
    let out = author.skill(["publish", "many.zip", "--json"]).code(3);
    assert_eq!(out.error_code(), "source-several");
    for path in ["skills/review", "skills/summary"] {
        assert!(out.stdout.contains(path), "{out}");
    }
    author.skill(["publish", "many.zip", "--path", "skills/review"]).success();
    author.skill(["install", "acme/review"]).success();
}

#[test]
fn the_wrapper_of_a_finder_zip_is_taken_off() {
    let user = Sandbox::new();
    let text = "---\nname: tarry\ndescription: Packs. Use it to pack.\n---\n";
    zip_of(
        &user,
        "tarry.zip",
        &[
            ("tarry/SKILL.md", text),
            ("tarry/run.sh", "#!/bin/sh\n"),
            ("__MACOSX/tarry/._SKILL.md", "x"),
            ("tarry/.DS_Store", "x"),
        ],
    );
    let out = user.skill(["install", "tarry.zip"]).success();
    assert!(out.stderr.contains("warning[file-skipped]: 2 entries of tarry.zip left out"), "{out}");
    let files: Vec<String> =
        user.disk().lines().filter(|line| line.contains(" skills/tarry/")).map(str::to_owned).collect();
    assert_eq!(files.len(), 2, "{files:#?}");
}

#[test]
fn a_hostile_archive_is_refused_by_its_own_code_and_leaves_nothing() {
    let text = "---\nname: bad\ndescription: Bad. Use never.\n---\n";
    for (entry, code) in [
        ("../../.bashrc", "bundle-path-parent"),
        ("/etc/cron.d/x", "bundle-path-absolute"),
        ("C:/x", "bundle-path-drive"),
        ("a\\b", "bundle-path-backslash"),
        ("con.txt", "bundle-path-device"),
        ("skill.md", "bundle-two-skill-md"),
        ("SKILL.md/x", "bundle-file-folder"),
    ] {
        let user = Sandbox::new();
        zip_of(&user, "bad.zip", &[("SKILL.md", text), (entry, "x")]);
        let before = user.disk();
        let out = user.skill(["install", "bad.zip", "--json"]).code(1);
        assert_eq!(out.error_code(), code, "{entry}");
        assert_eq!(user.disk(), before, "{entry}");
    }
    let user = Sandbox::new();
    for (content, code) in
        [("", "bundle-unknown-format"), ("PK\u{3}\u{4}", "bundle-"), ("plain text", "bundle-unknown-format")]
    {
        user.write("bad.zip", content);
        let found = user.skill(["install", "bad.zip", "--json"]).code(1).error_code();
        assert!(found.starts_with(code), "{content}: {found}");
    }
    assert_eq!(user.skill(["install", "nothing.zip", "--json"]).code(3).error_code(), "archive-not-found");
}

/// Case 37, for archives.
#[test]
fn a_link_in_an_archive_is_named_with_its_target() {
    for (target, code) in [("../../shared", "bundle-link-outside"), ("SKILL.md", "bundle-special-file")] {
        let user = Sandbox::new();
        Skill::new("tarry").write(&user, "tarry");
        std::os::unix::fs::symlink(target, user.path("tarry/data")).unwrap();
        let tar = Command::new("tar").args(["-cf", "tarry.tar", "tarry"]).current_dir(user.work()).status();
        assert!(tar.unwrap().success());
        let before = user.disk();
        let out = user.skill(["install", "tarry.tar", "--json"]).code(1);
        assert_eq!(out.error_code(), code);
        let message = out.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains("data") && message.contains(target), "{message}");
        assert_eq!(user.disk(), before);
    }
}

/// Case 34.
#[test]
fn names_in_utf8_without_the_flag_are_read_and_others_refused() {
    let user = Sandbox::new();
    let program = "\
import zipfile, sys
text = '---\\nname: utf\\ndescription: Names. Use it for names.\\n---\\n'
def make(out, raw):
    z = zipfile.ZipFile(out, 'w')
    z.writestr('SKILL.md', text)
    z.writestr('x' * len(raw), 'x')
    z.close()
    data = open(out, 'rb').read().replace(b'x' * len(raw) , raw) if len(raw) > 1 else b''
    open(out, 'wb').write(data)
make('good.zip', '\u{8d44}\u{6599}.md'.encode())
make('latin.zip', b'\\xe4\\xf6\\xfc.md')
";
    let status = Command::new("python3").args(["-c", program]).current_dir(user.work()).status().unwrap();
    assert!(status.success());
    user.skill(["install", "good.zip"]).success();
    assert!(user.path("skills/utf/资料.md").is_file());
    let out = user.skill(["install", "latin.zip", "--json"]).code(1);
    assert_eq!(out.error_code(), "bundle-path-encoding");
}

/// Case 109, for archives.
#[test]
fn an_archive_of_a_url_is_fetched_checked_and_restored() {
    let user = Sandbox::new();
    Skill::new("tarry").write(&user, "src");
    pack(&user, "src", "tarry.tgz");
    let site = tempfile::tempdir().unwrap();
    fs_err::create_dir_all(site.path().join("files/dl")).unwrap();
    fs_err::copy(user.path("tarry.tgz"), site.path().join("files/dl/tarry.tgz")).unwrap();
    let server = GitServer::start(site.path(), Manner::Open);
    let url = server.url("/dl/tarry.tgz");
    user.skill(["install", &url]).success();
    assert!(user.read("skills.lock").contains(&format!("location = \"{url}\"")));
    user.skill(["verify"]).success();
    let before = user.disk();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install", "--frozen", "--offline"]).success();
    assert_eq!(user.disk(), before, "from the cache");

    fs_err::remove_dir_all(user.path("skills")).unwrap();
    fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_eq!(user.disk(), before, "from the URL");

    Skill::new("tarry").file("more.md", "more").write(&user, "src");
    pack(&user, "src", "../changed.tgz");
    fs_err::rename(user.path("../changed.tgz"), site.path().join("files/dl/tarry.tgz")).unwrap();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
    let changed = user.disk();
    let out = user.skill(["install", "--frozen", "--json"]).code(8);
    assert_eq!(out.error_code(), "lock-source-changed");
    assert_eq!(out.json()["error"]["hints"][0], format!("skill install {url} --as tarry"));
    assert_eq!(user.disk(), changed);
    // A fresh clone gets what is locked or nothing: only who names the URL takes what is there today.
    let out = user.skill(["install", "--json"]).code(8);
    assert_eq!(out.error_code(), "lock-source-changed");
    assert_eq!(user.disk(), changed);
    user.skill(["install", &url]).success();
    assert!(user.path("skills/tarry/more.md").is_file());

    assert_eq!(
        user.skill(["install", &server.url("/gone.zip"), "--json"]).code(3).error_code(),
        "archive-not-found"
    );
    assert_eq!(
        user.skill(["install", "http://skills.example/x.zip", "--json"]).error_code(),
        "registry-insecure"
    );
    let private = GitServer::start(site.path(), Manner::Private);
    assert_eq!(
        user.skill(["install", &private.url("/dl/tarry.tgz"), "--json"]).code(7).error_code(),
        "login-needed"
    );
    let secret = private.url_with("u:secret-p4ss", "/dl/tarry.tgz");
    let out = user.skill(["install", &secret, "--as", "mine", "--verbose"]).success();
    for text in [out.stdout, out.stderr, user.read("skills.lock"), user.read("skills.toml")] {
        assert!(!text.contains("secret-p4ss"), "{text}");
    }
}

#[test]
fn other_bytes_than_locked_are_told_and_a_lost_archive_comes_from_the_cache() {
    let user = Sandbox::new();
    Skill::new("tarry").write(&user, "src");
    pack(&user, "src", "tarry.zip");
    user.skill(["install", "tarry.zip"]).success();
    let kept = fs_err::read(user.path("tarry.zip")).unwrap();
    fs_err::remove_file(user.path("tarry.zip")).unwrap();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install", "--frozen"]).success();

    Skill::new("tarry").file("more.md", "more").write(&user, "src");
    pack(&user, "src", "tarry.zip");
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let before = user.disk();
    let out = user.skill(["install", "--frozen", "--json"]).code(8);
    assert_eq!(out.error_code(), "lock-source-changed");
    assert_eq!(user.disk(), before);
    user.write("tarry.zip", kept);
    user.skill(["install", "--frozen"]).success();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    fs_err::remove_file(user.path("tarry.zip")).unwrap();
    fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
    assert_eq!(user.skill(["install", "--frozen", "--json"]).code(3).error_code(), "archive-not-found");
}

#[test]
fn a_site_with_a_skills_index_is_a_source() {
    let user = Sandbox::new();
    Skill::new("tarry").write(&user, "src");
    pack(&user, "src", "../tarry.tgz");
    let archive = fs_err::read(user.path("../tarry.tgz")).unwrap();
    let single = "---\nname: single\ndescription: One file. Use it alone.\n---\n";
    let site = tempfile::tempdir().unwrap();
    let folder = site.path().join("files/.well-known/agent-skills");
    fs_err::create_dir_all(&folder).unwrap();
    fs_err::write(folder.join("tarry.tgz"), &archive).unwrap();
    fs_err::write(folder.join("SKILL.md"), single).unwrap();
    let digest = |bytes: &[u8]| format!("sha256:{}", skill_core::digest::Sha256::of(bytes));
    let index = |tarry: String| {
        serde_json::json!({
            "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
            "skills": [
                {"name": "tarry", "type": "archive", "description": "Packs", "url": "tarry.tgz", "digest": tarry},
                {"name": "single", "type": "skill-md", "description": "One", "url": "SKILL.md",
                 "digest": digest(single.as_bytes())},
            ],
        })
        .to_string()
    };
    fs_err::write(folder.join("index.json"), index(digest(&archive))).unwrap();
    let server = GitServer::start(site.path(), Manner::Open);
    let out = user.skill(["install", &server.url(""), "--json"]).code(3);
    assert_eq!(out.error_code(), "source-several", "{out}");
    user.skill(["install", &server.url(""), "--path", "tarry"]).success();
    user.skill(["install", &server.url(""), "--path", "single"]).success();
    user.skill(["verify"]).success();
    for args in [&["install", "--frozen"][..], &["install", "--frozen", &server.url(""), "--path", "tarry"]] {
        fs_err::remove_dir_all(user.path("skills")).unwrap();
        fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
        user.skill(args).success();
        assert!(user.path("skills/tarry/SKILL.md").is_file());
    }
    let out = user.skill(["install", "--frozen", &server.url(""), "--path", "other", "--json"]).code(8);
    assert_eq!(out.error_code(), "lock-stale");

    fs_err::write(folder.join("index.json"), index(digest(b"other"))).unwrap();
    let out = user.skill(["install", &server.url(""), "--path", "tarry", "--json"]).code(4);
    assert_eq!(out.error_code(), "archive-digest");
}
