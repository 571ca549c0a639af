//! The audit log on the operator's command line.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use skill_registry::store::{Db, Location};
use skill_registry::{Clock, Entropy};

use crate::support::program::{Ended, Server, run};

/// Follows an export as docs/API.md says, with nothing of this program.
const FOLLOW: &str = r#"
import hashlib, sys
previous, rows = "0" * 64, 0
for line in sys.stdin.buffer.read().decode().splitlines():
    row, sha256 = line.rsplit(',"sha256":', 1)
    previous = hashlib.sha256((previous + row + "}").encode()).hexdigest()
    if sha256 != '"%s"}' % previous:
        sys.exit("row %d does not follow" % (rows + 1))
    rows += 1
print(rows, previous)
"#;

fn on(data: &Path, args: &[&str]) -> Ended {
    run(&[args, &["--data", data.to_str().unwrap()]].concat())
}

/// A registry with six rows.
fn made() -> (tempfile::TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    for user in ["ada", "bob"] {
        on(folder.path(), &["user", "add", user]);
    }
    on(folder.path(), &["token", "create", "--user", "ada"]);
    (folder, server)
}

/// The number and digest of the last row, as `verify` names it.
fn last(data: &Path) -> String {
    let verified = on(data, &["audit", "verify"]);
    let mut lines = verified.stdout.lines();
    assert_eq!((verified.code, lines.next()), (Some(0), Some("ok    6 rows")), "{}", verified.stderr);
    lines.next().unwrap().strip_prefix("last  ").unwrap().to_owned()
}

async fn behind_its_back(data: &Path, sql: &'static str) {
    let place = Location::File(data.join("registry.db"));
    let db = Db::open(&place, Clock::System, Entropy::System).await.unwrap();
    let mut tx = db.quiet().await.unwrap();
    sqlx::query(sql).execute(tx.conn()).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
}

#[test]
fn an_export_is_followed_by_a_program_of_somebody_else() {
    let (folder, _server) = made();
    let data = folder.path();
    let exported = on(data, &["audit", "export"]);
    assert_eq!((exported.code, exported.stdout.lines().count()), (Some(0), 6), "{}", exported.stderr);
    let python =
        Command::new("python3").args(["-c", FOLLOW]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = python else {
        eprintln!("skipped: there is no python3");
        return;
    };
    python.stdin.take().unwrap().write_all(exported.stdout.as_bytes()).unwrap();
    let followed = String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(followed.trim().replace(' ', ":"), last(data));
}

#[test]
fn an_export_is_cut_by_time() {
    let (folder, _server) = made();
    let count =
        |args: &[&str]| on(folder.path(), &[&["audit", "export"], args].concat()).stdout.lines().count();
    assert_eq!(count(&["--since", "2020-01-01", "--until", "2999-01-01T00:00:00Z"]), 6);
    assert_eq!(count(&["--since", "2999-01-01"]), 0);
    assert_eq!(count(&["--until", "2020-01-01"]), 0);
    let refused = on(folder.path(), &["audit", "export", "--since", "yesterday"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("a time is a day (2026-11-30) or RFC 3339"), "{}", refused.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_was_changed_is_found() {
    let (folder, _server) = made();
    let data = folder.path();
    behind_its_back(data, "UPDATE audit SET actor = 'somebody' WHERE seq = 3").await;
    assert_snapshot!(on(data, &["audit", "verify"]).shown(data), @r"
    1
    error: row 3 of the audit log is not what was written
    hint: hold it against an export that was made before
    ");
    // It is shown as it stands: whoever follows it finds the same.
    assert!(on(data, &["audit", "export"]).stdout.contains("\"seq\":3,"));
}

/// A chain that somebody made anew holds by itself; beside a row that was seen before it does not.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_was_written_anew_is_found_by_who_saw_it_before() {
    let (folder, _server) = made();
    let data = folder.path();
    let seen = last(data);
    on(data, &["user", "add", "eve"]);
    assert_eq!(on(data, &["audit", "verify", "--seen", &seen]).code, Some(0));
    // The last row is taken out with its number, and another comes in its place.
    behind_its_back(data, "DELETE FROM audit WHERE seq >= 6").await;
    behind_its_back(data, "UPDATE counters SET value = 5 WHERE name = 'audit'").await;
    assert_eq!(on(data, &["audit", "verify"]).code, Some(0));
    assert_snapshot!(on(data, &["audit", "verify", "--seen", &seen]).shown(data), @r"
    1
    error: row 6 of the audit log is missing
    hint: hold it against an export that was made before
    ");
    on(data, &["user", "add", "mallory"]);
    assert_snapshot!(on(data, &["audit", "verify", "--seen", &seen]).shown(data), @r"
    1
    error: row 6 of the audit log is not the one that was seen
      because: its rows follow from each other: the log was written anew
    hint: hold it against an export that was made before
    ");
}

#[test]
fn what_is_verified_is_told_to_programs_too() {
    let (folder, _server) = made();
    let told: serde_json::Value =
        serde_json::from_str(&on(folder.path(), &["audit", "verify", "--json"]).stdout).unwrap();
    let last = last(folder.path());
    assert_eq!(
        told,
        serde_json::json!({ "rows": 6, "sha256": last.strip_prefix("6:").unwrap(), "unchained": 0 })
    );
    for text in ["5", "0:", "x:y", "5:abc"] {
        assert_eq!(on(folder.path(), &["audit", "verify", "--seen", text]).code, Some(2), "{text}");
    }
}
