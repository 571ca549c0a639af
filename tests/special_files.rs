//! What a checkout or another program leaves in the place of a small file: nothing waits for it, nothing is
//! read without end, and it is named.

use std::time::{Duration, Instant};

use crate::support::{Output, Registry, Sandbox, Skill};

/// Runs `skill`, which has to come back soon and without using much memory.
#[track_caller]
fn soon(user: &Sandbox, args: &[&str]) -> Output {
    let mut child = user
        .command()
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            panic!("{args:?} does not come back");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let out = child.wait_with_output().unwrap();
    Output {
        code: out.status.code().unwrap_or(-1),
        stdout: user.filtered(&String::from_utf8(out.stdout).unwrap()),
        stderr: user.filtered(&String::from_utf8(out.stderr).unwrap()),
    }
}

/// Puts a pipe, then a link to a device, then a folder in the place of `path`.
fn each_kind(user: &Sandbox, path: &str, check: impl Fn(&str)) {
    let place = user.path(path);
    for kind in ["pipe", "device", "folder"] {
        let _ = fs_err::remove_file(&place);
        match kind {
            "pipe" => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                mknodat(CWD, &place, FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
            }
            "device" => std::os::unix::fs::symlink("/dev/zero", &place).unwrap(),
            _ => fs_err::create_dir(&place).unwrap(),
        }
        check(kind);
        let _ = fs_err::remove_dir(&place);
    }
    let _ = fs_err::remove_file(&place);
}

#[test]
fn in_the_place_of_lock_and_wanted() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    for file in ["skills.lock", "skills.toml"] {
        let text = user.read(file);
        each_kind(&user, file, |kind| {
            for args in [&["install", "--frozen", "--json"][..], &["install", "./dirry", "--json"]] {
                let args = [args, &["--workdir", "."]].concat();
                let out = soon(&user, &args).code(1);
                assert_eq!(out.error_code(), "disk-io", "{kind} {file}\n{out}");
                assert!(out.stdout.contains("it is not a regular file"), "{kind} {file}\n{out}");
                assert!(out.stdout.contains(&format!("cannot read or write {file}")), "{kind} {file}\n{out}");
            }
        });
        user.write(file, text);
    }
    user.write("skills.toml", "#".repeat((1 << 20) + 1));
    let out = soon(&user, &["install", "--json"]).code(1);
    assert!(out.stdout.contains("longer than 1048576 bytes"), "{out}");
}

#[test]
fn in_the_place_of_what_proves_a_release() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").publish(&author, "1.0.0").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "notes"]).success();
    let before = user.disk();
    for folder in ["envelopes", "trees", "trust"] {
        let mut file =
            fs_err::read_dir(user.path(&format!(".skill/{folder}"))).unwrap().next().unwrap().unwrap().path();
        if folder == "trust" {
            file.push("1.root.json");
        }
        let name = file.strip_prefix(user.work()).unwrap().to_str().unwrap().to_owned();
        each_kind(&user, &name, |kind| {
            let out = soon(&user, &["verify", "--json"]);
            assert!(folder == "trees" || out.code == 4, "{kind} {name}\n{out}");
        });
        user.skill(["install", "--frozen"]).success();
        user.skill(["verify"]).success();
    }
    assert_eq!(user.disk(), before);
}

#[test]
fn in_the_place_of_the_lock_file() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    each_kind(&user, ".skill/lock", |kind| {
        let out = soon(&user, &["install", "--frozen"]).code(1);
        assert!(out.stderr.contains(".skill/lock"), "{kind}\n{out}");
    });
}

#[test]
fn in_the_users_folder() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    for file in ["../skill-home/config.toml", "../skill-home/credentials.toml"] {
        each_kind(&user, file, |kind| {
            let out = soon(&user, &["search", "x", "--registry", "http://127.0.0.1:9", "--json"]);
            assert_ne!(out.code, 0, "{kind}\n{out}");
            assert!(out.stdout.contains("it is not a regular file"), "{kind}\n{out}");
        });
    }
}
