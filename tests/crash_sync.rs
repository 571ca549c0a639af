//! What is on stable storage when a publish is acknowledged, watched and broken through strace.

use std::process::{Command, Stdio};

use crate::support::engine::{Engine, skipped};
use crate::support::{Registry, Sandbox, Skill};

fn strace_is_missing() -> bool {
    let found = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok();
    if !found {
        skipped("strace is not installed");
    }
    !found
}

fn start_under_strace(args: &[&str]) -> Registry {
    let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
    let data = folder.path().join("data");
    Registry::start_in(folder, data, Engine::Sqlite, strace(args))
}

#[test]
fn file_folder_and_wal_are_synced_before_the_answer() {
    if strace_is_missing() {
        return;
    }
    let log = tempfile::NamedTempFile::new().unwrap();
    let trace = "trace=fsync,fdatasync,rename,renameat,renameat2,linkat,write,writev,sendto,sendmsg";
    let log_path = log.path().display().to_string();
    let registry = start_under_strace(&["-e", trace, "-y", "-s", "256", "-o", &log_path]);
    let author = Sandbox::publisher(&registry, "acme");
    fs_err::write(log.path(), "").unwrap();
    Skill::new("traced").publish(&author, "1.0.0").success();

    let calls = fs_err::read_to_string(log.path()).unwrap();
    let calls: Vec<&str> = calls.lines().collect();
    let blobs = registry.data().join("blobs").display().to_string();
    let answer = position(&calls, "the answer", |call| call.contains("\\\"treeDigest\\\""));
    let before = &calls[..answer];
    let is_sync = |call: &&&str| call.contains("fsync(") || call.contains("fdatasync(");
    let synced = |what: &str, path: &dyn Fn(&str) -> bool| {
        assert!(
            before.iter().filter(is_sync).any(|call| path(call)),
            "{what} was not synced:\n{}",
            before.join("\n")
        );
    };
    synced("the WAL", &|call| call.contains("registry.db-wal"));
    synced("the blob", &|call| {
        (call.contains(&blobs) || call.contains("/tmp/")) && !call.contains("registry.db")
    });
    synced("the folder of the blob", &|call| {
        call.split_once(&blobs).is_some_and(|(_, rest)| rest.find('>').is_some_and(|end| end <= 6))
    });
    let last_wal = before.iter().rposition(|call| call.contains("sync(") && call.contains("-wal")).unwrap();
    let blob_folder = before.iter().position(|call| call.contains("sync(") && call.contains(&blobs)).unwrap();
    assert!(blob_folder < last_wal, "the blob has to be durable before the transaction that names it");
}

#[track_caller]
fn position(calls: &[&str], what: &str, is_it: impl Fn(&str) -> bool) -> usize {
    calls
        .iter()
        .position(|call| is_it(call))
        .unwrap_or_else(|| panic!("{what} is not in the trace:\n{}", calls.join("\n")))
}

#[test]
fn a_sync_that_fails_is_never_acknowledged_away() {
    if strace_is_missing() {
        return;
    }
    for when in [1, 2, 3, 5, 8, 13] {
        let mut registry = start_under_strace(&["-o", "/dev/null"]);
        let author = Sandbox::publisher(&registry, "acme");
        Skill::new("before").publish(&author, "1.0.0").success();
        registry.kill();

        let inject = format!("inject=fsync,fdatasync:error=EIO:when={when}+7");
        let mut acknowledged = vec!["before".to_owned()];
        // On a disk that fails it may refuse to start.
        if registry.try_restart_under(strace(&["-o", "/dev/null", "-e", &inject])) {
            for number in 0..8 {
                let slug = format!("skill-{number}");
                if Skill::new(&slug).publish(&author, "1.0.0").code == 0 {
                    acknowledged.push(slug);
                }
            }
            registry.kill();
        }
        assert!(
            registry.try_restart_under(Vec::new()),
            "it has to start on a sound disk:\n{}",
            registry.log()
        );

        let reader = Sandbox::with(&registry);
        let mut args = vec!["install".to_owned()];
        args.extend(acknowledged.iter().map(|slug| format!("acme/{slug}")));
        reader.skill(args).success();
        reader.skill(["verify", "--all"]).success();
    }
}

fn strace(args: &[&str]) -> Vec<String> {
    ["strace", "-f", "-qq"].iter().chain(args).map(|arg| (*arg).to_owned()).collect()
}
