//! Whatever was changed is caught, under the id of the check that it fails, with exit 4.

use skill_core::digest::Sha256;

use crate::install_registry::github;
use crate::support::{Registry, Sandbox, Skill};

/// acme/github 3.4.1 installed from a registry that also has other releases.
fn installed(registry: &Registry) -> Sandbox {
    let user = Sandbox::with(registry);
    user.skill(["install", "github@^3"]).success();
    user
}

/// The one file below a folder of `.skill/`.
fn only(user: &Sandbox, folder: &str) -> String {
    let mut entries = fs_err::read_dir(user.path(folder)).unwrap();
    let name = entries.next().unwrap().unwrap().file_name().into_string().unwrap();
    format!("{folder}/{name}")
}

fn root_file(user: &Sandbox) -> String {
    format!("{}/1.root.json", only(user, ".skill/trust"))
}

/// Does `change` and gives the ids of what then fails; everything is as before afterwards.
#[track_caller]
fn failing(user: &Sandbox, what: &str, change: impl FnOnce(&Sandbox)) -> Vec<String> {
    let kept = tempfile::tempdir().unwrap();
    copy(&user.work(), kept.path());
    user.skill(["verify"]).success();
    change(user);
    let out = user.skill(["verify", "--json"]);
    assert_eq!(out.code, 4, "{what}: {out}");
    let failed = out.failed_checks();
    fs_err::remove_dir_all(user.work()).unwrap();
    fs_err::create_dir(user.work()).unwrap();
    copy(kept.path(), &user.work());
    failed
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    for entry in fs_err::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs_err::create_dir(&place).unwrap();
            copy(&entry.path(), &place);
        } else {
            fs_err::copy(entry.path(), place).unwrap();
        }
    }
}

fn flip(user: &Sandbox, path: &str, at: usize) {
    let mut bytes = fs_err::read(user.path(path)).unwrap();
    bytes[at] ^= 1;
    user.write(path, bytes);
}

#[test]
fn on_disk() {
    use std::os::unix::fs::PermissionsExt as _;
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let check = |what: &str, ids: &[&str], change: &dyn Fn(&Sandbox)| {
        assert_eq!(failing(&user, what, change), ids, "{what}");
    };
    check("a byte", &["disk-content"], &|user| flip(user, "skills/github/SKILL.md", 20));
    check("a byte more", &["disk-content"], &|user| {
        user.write("skills/github/SKILL.md", user.read("skills/github/SKILL.md") + "x");
    });
    check("added", &["disk-extra"], &|user| user.write("skills/github/extra.py", "x"));
    check("removed", &["disk-missing"], &|user| {
        fs_err::remove_file(user.path("skills/github/scripts/pr.sh")).unwrap();
    });
    check("an empty folder", &["disk-extra"], &|user| {
        fs_err::create_dir(user.path("skills/github/empty")).unwrap();
    });
    check("a mode", &["disk-mode"], &|user| {
        let file = user.path("skills/github/scripts/pr.sh");
        fs_err::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
    });
    check("a link", &["disk-missing", "disk-link"], &|user| {
        fs_err::remove_file(user.path("skills/github/SKILL.md")).unwrap();
        fs_err::os::unix::fs::symlink("/etc/passwd", user.path("skills/github/SKILL.md")).unwrap();
    });
    check("gone", &["disk-absent"], &|user| fs_err::remove_dir_all(user.path("skills/github")).unwrap());
    check("a name that no skill has", &["disk-name"], &|user| user.write("skills/github/a:b", "x"));
}

#[test]
fn in_the_lock() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let lock = user.read("skills.lock");
    let value = |key: &str| {
        let line = lock.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
        line.split(" = ").nth(1).unwrap().trim_matches('"').to_owned()
    };
    let other = Sha256::of("another").to_hex();
    for (key, instead, id) in [
        ("version", "3.0.0".to_owned(), "lock-version"),
        ("owner", "octo".to_owned(), "lock-owner"),
        ("slug", "gitlab".to_owned(), "lock-slug"),
        ("archive_sha256", other.clone(), "lock-archive"),
        ("tree", format!("sha256:{other}"), "lock-tree"),
        ("publisher", "octo".to_owned(), "lock-publisher"),
        ("findings", other.clone(), "lock-findings"),
        ("log_index", "9000".to_owned(), "lock-log-index"),
    ] {
        let failed = failing(&user, key, |user| {
            let line = |value: &str| {
                if key == "log_index" {
                    format!("{key} = {value}\n")
                } else {
                    format!("{key} = \"{value}\"\n")
                }
            };
            let changed = lock.replace(&line(&value(key)), &line(&instead));
            assert_ne!(changed, lock, "{key}");
            user.write("skills.lock", changed);
        });
        assert_eq!(failed, [id], "{key}");
    }
    let id = value("id");
    for (what, changed) in [
        ("both ids", lock.replace(&id, &other)),
        ("the entry's", lock.replace(&format!("registry = \"{id}\""), &format!("registry = \"{other}\""))),
        ("the registry's", lock.replace(&format!("\nid = \"{id}\""), &format!("\nid = \"{other}\""))),
    ] {
        assert_ne!(changed, lock, "{what}");
        let failed = failing(&user, what, |user| user.write("skills.lock", changed));
        assert_eq!(failed, ["lock-registry"], "{what}");
    }
}

#[test]
fn any_byte_of_the_envelope() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let envelope = only(&user, ".skill/envelopes");
    let good = fs_err::read(user.path(&envelope)).unwrap();
    for at in (0..good.len()).step_by(97) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        user.write(&envelope, bytes);
        let out = user.skill(["verify", "--json"]).code(4);
        let failed = out.failed_checks();
        assert_eq!(failed.len(), 1, "byte {at}: {out}");
        assert!(
            ["envelope-", "signature-", "log-", "restriction-"]
                .iter()
                .any(|family| failed[0].starts_with(family)),
            "byte {at}: {failed:?}"
        );
    }
}

#[test]
fn a_signed_payload_a_signature_and_a_key() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let envelope = only(&user, ".skill/envelopes");
    let document: serde_json::Value = serde_json::from_str(&user.read(&envelope)).unwrap();
    for (index, id) in [(0, "signature-release"), (1, "signature-scan")] {
        let dsse = &document["statements"][index]["dsse"];
        for part in [&dsse["payload"], &dsse["signatures"][0]["sig"]] {
            let text = part.as_str().unwrap();
            // A character in the middle, for another one of base64.
            let middle = text.len() / 2;
            let other = if &text[middle..=middle] == "A" { "B" } else { "A" };
            let changed = format!("{}{other}{}", &text[..middle], &text[middle + 1..]);
            let failed = failing(&user, id, |user| {
                user.write(&envelope, user.read(&envelope).replace(text, &changed));
            });
            assert_eq!(failed, [id]);
        }
    }
    let absent = failing(&user, "no envelope", |user| fs_err::remove_file(user.path(&envelope)).unwrap());
    assert_eq!(absent, ["envelope-absent"]);
    let nonsense = failing(&user, "no JSON", |user| user.write(&envelope, "{}"));
    assert_eq!(nonsense, ["envelope-unreadable"]);
}

#[test]
fn any_byte_of_the_root() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let root = root_file(&user);
    let good = fs_err::read(user.path(&root)).unwrap();
    for at in (0..good.len()).step_by(131) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        user.write(&root, bytes);
        assert_eq!(user.skill(["verify", "--json"]).code(4).failed_checks(), ["root-id"], "byte {at}");
    }
    // Without the user's own copy there is nothing left to check signatures with.
    fs_err::remove_dir_all(user.skill_home().join("pins")).unwrap();
    let out = user.skill(["verify", "--json"]).code(4);
    assert_eq!(out.failed_checks(), ["root-id"], "{out}");
    fs_err::remove_file(user.path(&root)).unwrap();
    assert_eq!(user.skill(["verify", "--json"]).code(6).failed_checks(), ["root-absent"]);
}

#[test]
fn the_envelope_of_another_version_or_registry() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let envelope = only(&user, ".skill/envelopes");
    let of = |registry: &Registry, version: &str| {
        let other = Sandbox::with(registry);
        other.skill(["install", &format!("github@{version}")]).success();
        other.read(&only(&other, ".skill/envelopes"))
    };
    let version = of(&registry, "4.0.0");
    assert_eq!(failing(&user, "version", |user| user.write(&envelope, version)), ["envelope-subject"]);
    let elsewhere = Registry::start();
    let _other = github(&elsewhere);
    let foreign = of(&elsewhere, "3.4.1");
    assert_eq!(failing(&user, "registry", |user| user.write(&envelope, foreign)), ["envelope-subject"]);
}

#[test]
fn the_archive_that_the_server_stores() {
    let mut registry = Registry::start();
    let _author = github(&registry);
    let user = installed(&registry);
    let lock = user.read("skills.lock");
    let line = lock.lines().find(|line| line.starts_with("archive_sha256")).unwrap();
    let digest = line.split('"').nth(1).unwrap().to_owned();
    let blob = find(registry.data(), &digest).expect("the archive lies in the data folder");
    let good = fs_err::read(&blob).unwrap();
    for (what, bytes) in [
        ("a byte", {
            let mut bytes = good.clone();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            bytes
        }),
        ("a byte less", good[..good.len() - 1].to_vec()),
        ("a byte more", [&good[..], b"x"].concat()),
    ] {
        fs_err::write(&blob, bytes).unwrap();
        // Short archives that were given are kept in memory.
        registry.kill();
        registry.restart();
        let fresh = Sandbox::with(&registry);
        let before = fresh.disk();
        let out = fresh.skill(["install", "github@^3", "--json"]);
        assert!([4, 6].contains(&out.code), "{what}: {out}");
        assert_eq!(fresh.disk(), before, "{what}");
    }
    let mut bytes = good;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs_err::write(&blob, bytes).unwrap();
    registry.kill();
    registry.restart();
    let fresh = Sandbox::with(&registry);
    assert_eq!(fresh.skill(["install", "github@^3", "--json"]).code(4).error_code(), "archive-digest");
}

fn find(folder: &std::path::Path, name: &str) -> Option<std::path::PathBuf> {
    fs_err::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return find(&path, name);
        }
        let joined = path.to_string_lossy().replace('/', "");
        joined.contains(name).then_some(path)
    })
}

#[test]
fn two_releases_with_one_tree_keep_an_envelope_each() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").publish(&author, "1.0.0").success();
    Skill::new("notes").publish(&author, "1.0.1").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "notes@1.0.0"]).success();
    user.skill(["install", "notes@1.0.1", "--as", "again"]).success();
    assert_eq!(fs_err::read_dir(user.path(".skill/envelopes")).unwrap().count(), 2);
    user.skill(["verify"]).success();
    user.skill(["remove", "notes"]).success();
    user.skill(["verify"]).success();
    user.skill(["remove", "again"]).success();
    assert!(
        !user.path(".skill/envelopes").exists()
            || fs_err::read_dir(user.path(".skill/envelopes")).unwrap().count() == 0
    );
}
