//! The server's disk is full: it says so, keeps what it has, and takes up writing when there is room.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::engine::{Engine, skipped};
use crate::support::{Registry, Sandbox, Skill};

/// A small file system of its own; it is unmounted when this value goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path, megabytes: u32) -> Option<Self> {
        fs_err::create_dir_all(at).unwrap();
        let size = format!("size={megabytes}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).output();
        mounted.is_ok_and(|out| out.status.success()).then(|| Self(at.to_path_buf()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
    let place = folder.path().join("small");
    let Some(_disk) = SmallDisk::mount(&place, 24) else {
        return skipped("no right to mount a small file system");
    };
    let mut registry = Registry::start_in(folder, place.join("data"), Engine::Sqlite, Vec::new());
    let author = Sandbox::publisher(&registry, "acme");

    let mut stored = Vec::new();
    let refused = loop {
        let slug = format!("skill-{}", stored.len());
        let out = skill_of_one_megabyte(&slug).publish(&author, "1.0.0");
        if out.code != 0 {
            break out;
        }
        stored.push(slug);
        assert!(stored.len() < 40, "a disk of 24 MiB took 40 MiB");
    };
    assert!(stored.len() > 3, "the disk was full too early");
    assert!(refused.stderr.contains("error[registry-read-only]"), "{refused}");
    assert_eq!(refused.code, 6, "{refused}");

    every_one_installs(&registry, &stored);
    registry.kill();
    registry.restart();
    every_one_installs(&registry, &stored);
}

fn skill_of_one_megabyte(slug: &str) -> Skill {
    // Digests of a counter do not compress.
    let mut noise = Vec::new();
    let mut counter = 0_u64;
    while noise.len() < 1 << 20 {
        noise.extend(skill_core::digest::Sha256::of(format!("{slug} {counter}")).as_bytes());
        counter += 1;
    }
    Skill::new(slug).file("noise.bin", noise)
}

fn every_one_installs(registry: &Registry, slugs: &[String]) {
    let reader = Sandbox::with(registry);
    let mut args = vec!["install".to_owned()];
    args.extend(slugs.iter().map(|slug| format!("acme/{slug}")));
    reader.skill(args).success();
    reader.skill(["verify", "--all"]).success();
}

/// What changes something without sending bytes is refused before it begins, too, and taken when there is room.
#[test]
fn on_a_full_disk_nobody_closes_signs_in_or_stars() {
    let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
    let place = folder.path().join("small");
    let Some(_disk) = SmallDisk::mount(&place, 64) else {
        return skipped("no right to mount a small file system");
    };
    let registry = Registry::start_in(folder, place.join("data"), Engine::Sqlite, Vec::new());
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo").publish(&author, "1.0.0").success();
    registry.admin(&["user", "add", "mona", "--role", "moderator"]);
    let mona = registry.admin(&["token", "create", "--user", "mona", "--scope", "read,publish,moderate"]);
    let ballast = place.join("ballast");
    fill(&ballast);

    let release = "/api/registry/v1/moderation/releases/acme/demo/1.0.0";
    let said = serde_json::json!({ "reason": "because", "scope": "release" });
    let because = serde_json::json!({ "reason": "because" });
    let device = serde_json::json!({ "device_code": "x", "grant_type": "urn:ietf:params:oauth:grant-type:device_code" });
    let verbs = [
        (format!("{release}/hide"), because.clone()),
        (format!("{release}/quarantine"), because.clone()),
        (format!("{release}/takedown"), said),
        (format!("{release}/restore"), because.clone()),
        ("/api/registry/v1/sign-in-links".to_owned(), serde_json::json!({})),
        (
            "/api/registry/v1/publishers/mona/webhooks".to_owned(),
            serde_json::json!({ "url": "https://example.com/" }),
        ),
        ("/api/v1/stars/demo".to_owned(), serde_json::json!({})),
        ("/api/cli/device/code".to_owned(), serde_json::json!({ "label": "x" })),
        ("/api/cli/device/token".to_owned(), device),
    ];
    for (path, body) in &verbs {
        let (status, answer) = registry.post(mona.trim(), path, body);
        assert_eq!(status, 503, "{path}: {answer}");
    }
    let starred = author.skill(["star", "acme/demo", "--json"]).code(6);
    assert_eq!(starred.error_code(), "registry-read-only");
    let login = author.skill(["login", "--link", "--json"]).code(6);
    assert_eq!(login.error_code(), "registry-read-only");
    assert_eq!(registry.get("/api/v1/skills/demo")["latestVersion"]["version"], "1.0.0");

    fs_err::remove_file(&ballast).unwrap();
    let (status, answer) = registry.post(mona.trim(), &format!("{release}/quarantine"), &because);
    assert_eq!((status, answer["status"].as_str()), (200, Some("quarantined")));
}

/// Takes all the room there is.
fn fill(path: &Path) {
    use std::io::Write as _;
    let mut file = fs_err::File::create(path).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
}

/// A backup for which there is no room is refused, and the one before stays whole.
#[test]
fn a_backup_that_finds_no_room_leaves_the_one_before() {
    let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
    let small = folder.path().join("small");
    let Some(_disk) = SmallDisk::mount(&small, 6) else {
        return skipped("no right to mount a small file system");
    };
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    skill_of_one_megabyte("first").publish(&author, "1.0.0").success();
    let to = small.join("backup");
    registry.admin(&["backup", "--to", to.to_str().unwrap()]);
    for n in 0..6 {
        skill_of_one_megabyte(&format!("more-{n}")).publish(&author, "1.0.0").success();
    }
    let backup = || {
        let mut command = Command::new(crate::support::registry::program());
        command.args(["backup", "--data"]).arg(registry.data()).arg("--to").arg(&to).output().unwrap()
    };
    let refused = backup();
    assert_eq!(refused.status.code(), Some(1));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("No space left on device"), "{told}");
    assert!(!small.join("backup.partial").exists());
    let mut restore = Command::new(crate::support::registry::program());
    restore.args(["restore", "--from"]).arg(&to).arg("--data").arg(folder.path().join("restored"));
    let restored = restore.output().unwrap();
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
}
