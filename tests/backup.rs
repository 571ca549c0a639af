//! A backup is taken while eight publishers write, and restored onto the other engine: it is whole, and everything that
//! was acknowledged before it began is there.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::engine::Engine;
use crate::support::registry::program;
use crate::support::{Registry, Sandbox, Skill};

const PUBLISHERS: usize = 8;
/// Releases that were acknowledged before the backup begins.
const BEFORE: usize = 24;

#[test]
fn a_backup_under_load_is_restored_onto_the_other_engine() {
    let engines = Engine::all();
    let Some(postgres) = engines.iter().find(|engine| matches!(engine, Engine::Postgres(_))) else { return };
    let targets = Engine::all();
    for (from, to) in [(Engine::Sqlite, &targets[1]), (postgres.clone(), &targets[0])] {
        back_up_and_restore(from, to.clone());
    }
}

fn back_up_and_restore(from: Engine, to: Engine) {
    let name = format!("{} to {}", from.name(), to.name());
    let registry = Registry::start_on(from);
    let authors: Vec<_> =
        (0..PUBLISHERS).map(|n| Sandbox::publisher(&registry, &format!("author-{n}"))).collect();
    let acknowledged: Mutex<BTreeMap<String, String>> = Mutex::default();
    let over = AtomicBool::new(false);
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup");
    let reader = Sandbox::with(&registry);

    let before = std::thread::scope(|scope| {
        for (n, author) in authors.iter().enumerate() {
            let (acknowledged, over) = (&acknowledged, &over);
            scope.spawn(move || {
                for round in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    let slug = format!("skill-{n}-{round}");
                    let out =
                        Skill::new(&slug).file("n.txt", slug.repeat(50)).publish(author, "1.0.0").success();
                    let _ = out;
                    let name = format!("author-{n}/{slug}");
                    acknowledged.lock().unwrap().insert(name, slug.repeat(50));
                }
            });
        }
        while acknowledged.lock().unwrap().len() < BEFORE {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let before = acknowledged.lock().unwrap().clone();
        let first = before.keys().next().unwrap();
        reader.skill(["install", first]).success();
        let said = registry.admin(&["backup", "--to", backup.to_str().unwrap()]);
        assert!(said.starts_with("backed up  "), "{said}");
        over.store(true, Ordering::Relaxed);
        before
    });
    let after = acknowledged.into_inner().unwrap().len();
    assert!(after > before.len(), "{name}: nobody wrote while the backup was made");
    assert!(registry.admin(&["fsck"]).starts_with("ok"), "{name}");

    let data = folder.path().join("restored");
    let mut command = Command::new(program());
    command.args(["restore", "--from"]).arg(&backup).arg("--data").arg(&data);
    if let Engine::Postgres(url) = &to {
        command.args(["--database", url]);
    }
    let out = command.output().unwrap();
    assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
    let restored = Registry::start_in(tempfile::tempdir().unwrap(), data, to, Vec::new());
    assert!(restored.admin(&["fsck"]).starts_with("ok"), "{name}");
    every_one_is_there(&restored, &before);

    // Whoever installed from the one that is gone goes on with the restored one: it is the same registry.
    let lock = reader.read("skills.lock");
    reader.skill(["registry", "remove", "corp", "--yes"]).success();
    reader.skill(["registry", "add", &restored.url(), "--name", "corp"]).success();
    fs_err::remove_dir_all(reader.path("skills")).unwrap();
    fs_err::remove_dir_all(reader.skill_home().join("cache")).unwrap();
    reader.skill(["install", "--frozen"]).success();
    assert_eq!(reader.read("skills.lock"), lock, "{name}");

    // Numbers go on, and nothing that was signed before hinders what comes.
    let author = Sandbox::publisher(&restored, "later");
    Skill::new("afterwards").publish(&author, "1.0.0").success();
    assert!(restored.admin(&["fsck"]).starts_with("ok"), "{name}");
}

fn every_one_is_there(registry: &Registry, acknowledged: &BTreeMap<String, String>) {
    let reader = Sandbox::with(registry);
    let mut args = vec!["install".to_owned()];
    args.extend(acknowledged.keys().map(|name| format!("{name}@1.0.0")));
    reader.skill(args).success();
    for (name, content) in acknowledged {
        let (_, slug) = name.split_once('/').unwrap();
        assert_eq!(&reader.read(&format!("skills/{slug}/n.txt")), content);
    }
    reader.skill(["verify", "--all"]).success();
}
