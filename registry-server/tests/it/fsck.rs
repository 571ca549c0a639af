//! Whether a registry is whole: what is broken on purpose is found, and nothing else is.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::json;
use skill_registry::data::Folder;
use skill_registry::fsck;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::support::engine::connect;
use crate::support::program::run;
use crate::support::{Skill, TestRegistry};

/// A registry in which much has happened.
async fn lived_in(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    let bob = registry.user("bob").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    Skill::new("demo").version("1.1.0").file("a.txt", "a").published(&ada).await;
    Skill::new("other").published(&bob).await;
    Skill::new("gone").file("b.txt", "b").published(&bob).await;
    let yank = "/api/registry/v1/skills/ada/demo/versions/1.1.0/yank";
    assert_eq!(ada.post(yank, &json!({ "reason": "broken" })).await.status, 200);
    assert_eq!(bob.delete("/api/registry/v1/skills/bob/gone").await.status, 200);
}

on_both_engines! {
    async fn what_has_lived_is_whole(registry) {
        lived_in(registry).await;
        let report = fsck::check(registry.app.db(), &Folder::at(&registry.data()), registry.app.blobs()).await.unwrap();
        assert_eq!((report.findings, report.notes), (Vec::new(), Vec::<String>::new()));
        assert!(report.seen.values().all(|seen| *seen > 0), "{:?}", report.seen);
    }
}

/// A registry on the disk, to be broken.
struct Broken(tempfile::TempDir);

impl Broken {
    fn new(registry: &TestRegistry) -> Self {
        Self(registry.copied_folder())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Changes the database behind everybody's back, whatever its constraints say.
    async fn sql(self, statements: &str) -> Self {
        let mut conn = connect(&format!("sqlite://{}", self.path().join("registry.db").display())).await;
        conn.execute("PRAGMA foreign_keys = OFF").await.unwrap();
        conn.execute("PRAGMA ignore_check_constraints = ON").await.unwrap();
        conn.execute(AssertSqlSafe(statements.to_owned())).await.unwrap();
        self
    }

    /// What `fsck` says of it besides what holds.
    fn told(&self) -> String {
        let ended = run(&["fsck", "--data", self.path().to_str().unwrap()]);
        let shown = ended.shown(self.path());
        assert_eq!(ended.code, Some(i32::from(shown.contains("\nFAIL"))), "{shown}");
        assert_eq!(ended.stderr, "");
        let told: Vec<&str> = shown.lines().filter(|line| !line.starts_with("ok ")).skip(1).collect();
        told.join(
            "
",
        ) + "
"
    }
}

/// Each of these breaks one thing, in this order: what was done, and what is told.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_broken_is_found_and_nothing_else() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let mut told = String::new();
    for statement in [
        "UPDATE head SET leaf = leaf + 1",
        "DELETE FROM events WHERE event = 2",
        "UPDATE counters SET value = value + 1 WHERE name = 'restriction'",
        "UPDATE statements SET envelope = envelope || ' ' WHERE kind = 'scan' AND rowid = 3",
        "UPDATE leaves SET kind = 'scan' WHERE idx = 0",
        "UPDATE audit SET reason = 'another' WHERE seq = 2",
        "UPDATE members SET role = 'admin' WHERE publisher = 'ada'",
        "UPDATE users SET role = 'user'",
        "UPDATE releases SET state = 'yanked' WHERE version = '1.0.0' AND display_name = 'demo'",
        "UPDATE releases SET awaiting = 1 WHERE version = '1.0.0' AND display_name = 'other'",
        "UPDATE releases SET verdict = 'fine' WHERE display_name = 'other'",
        "UPDATE skills SET latest = '1.1.0' WHERE slug = 'demo'",
        "UPDATE skills SET deleted_at = NULL WHERE slug = 'gone'",
        "UPDATE releases SET tree_digest = 'sha256:' || substr(tree_digest, 9) || '0' WHERE display_name = 'other'",
        "UPDATE release_files SET executable = 1 WHERE path = 'a.txt'",
        "DELETE FROM release_files WHERE path = 'b.txt'",
        "UPDATE releases SET archive_size = archive_size + 1 WHERE display_name = 'other'",
        "INSERT INTO slug_bindings (slug, skill_id, bound_at) SELECT slug, id, 0 FROM skills WHERE slug = 'gone'",
        "UPDATE roots SET json = json || ' '",
        "UPDATE meta SET value = substr(value, 2) || substr(value, 1, 1) WHERE key = 'registry-id'",
    ] {
        let found = Broken::new(&registry).sql(statement).await.told();
        told.extend([statement, "\n", &found, "\n"]);
    }
    assert_snapshot!(told, @r"
    UPDATE head SET leaf = leaf + 1
    FAIL  numbers     leaves: 13, counted 14
    FAIL  numbers     the highest leaf and one: 13, counted 14
    FAIL  numbers     statements: 13, counted 14

    DELETE FROM events WHERE event = 2
    FAIL  numbers     events: 8, counted 9

    UPDATE counters SET value = value + 1 WHERE name = 'restriction'
    FAIL  numbers     restrictions: 2, counted 3
    FAIL  numbers     the highest restriction: 2, counted 3

    UPDATE statements SET envelope = envelope || ' ' WHERE kind = 'scan' AND rowid = 3
    FAIL  signatures  leaf 2 (scan): not the canonical spelling of a DSSE envelope
    FAIL  log         leaf 2 (scan): its statement has other bytes than a70219b22a5dc4265c665c3a6b531ba0f260a9ab216020e6e0979f591a4c4ea2

    UPDATE leaves SET kind = 'scan' WHERE idx = 0
    FAIL  log         leaf 0 (scan): its statement is a name

    UPDATE audit SET reason = 'another' WHERE seq = 2
    FAIL  audit       row 2 of the audit log is not what was written

    UPDATE members SET role = 'admin' WHERE publisher = 'ada'
    FAIL  accounts    ada: a publisher without an owner
    FAIL  accounts    ada: a personal publisher that its user does not own

    UPDATE users SET role = 'user'
    FAIL  accounts    there is no administrator

    UPDATE releases SET state = 'yanked' WHERE version = '1.0.0' AND display_name = 'demo'
    FAIL  states      ada/demo 1.0.0: its state is yanked, not visible
    FAIL  states      ada/demo: latest is 1.0.0, not none

    UPDATE releases SET awaiting = 1 WHERE version = '1.0.0' AND display_name = 'other'
    FAIL  states      bob/other 1.0.0: 0 open holds, counted 1
    FAIL  states      bob/other 1.0.0: its state is visible, not pending

    UPDATE releases SET verdict = 'fine' WHERE display_name = 'other'
    FAIL  states      bob/other: column verdict holds `fine`, which is not what is kept there
    note  1 archive that no release needs

    UPDATE skills SET latest = '1.1.0' WHERE slug = 'demo'
    FAIL  states      ada/demo: latest is 1.1.0, not 1.0.0

    UPDATE skills SET deleted_at = NULL WHERE slug = 'gone'
    FAIL  states      bob/gone 1.0.0: its skill is not deleted and it is

    UPDATE releases SET tree_digest = 'sha256:' || substr(tree_digest, 9) || '0' WHERE display_name = 'other'
    FAIL  states      bob/other: column tree_digest holds `sha256:b80185dc532c9b84ba83102661a4a99c58294ebc693d02c7e079ec310`, which is not what is kept there
    note  1 archive that no release needs

    UPDATE release_files SET executable = 1 WHERE path = 'a.txt'
    FAIL  contents    ada/demo 1.1.0: a.txt is not in the archive as it is listed

    DELETE FROM release_files WHERE path = 'b.txt'
    FAIL  contents    bob/gone 1.0.0: b.txt is not in the archive as it is listed

    UPDATE releases SET archive_size = archive_size + 1 WHERE display_name = 'other'
    FAIL  archives    bob/other 1.0.0: blob c5fe5bc9295017e7d8e1ce2de054396a3b32269a8801a4bb8ec8321d1f7aa797 has 173 bytes instead of 174

    INSERT INTO slug_bindings (slug, skill_id, bound_at) SELECT slug, id, 0 FROM skills WHERE slug = 'gone'
    FAIL  names       gone: a deleted skill that keeps its bare name

    UPDATE roots SET json = json || ' '
    FAIL  signatures  DIR/trust/root/1.json is not what the database has
    FAIL  signatures  root metadata: registry 6b87c74052f30c40e2191d5a9c820545f9fce0ab8fe80a60f552c5b50b147c5f was expected, this is the root of 5be57854fc35eca4bf12ff9011b8651273e0d47021786d3f4ae84a05cd05cc95

    UPDATE meta SET value = substr(value, 2) || substr(value, 1, 1) WHERE key = 'registry-id'
    FAIL  signatures  root metadata: registry b87c74052f30c40e2191d5a9c820545f9fce0ab8fe80a60f552c5b50b147c5f6 was expected, this is the root of 6b87c74052f30c40e2191d5a9c820545f9fce0ab8fe80a60f552c5b50b147c5f
    ");
}

/// What lies in the folder is held against the rows, too.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_what_they_were_are_found() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let broken = Broken::new(&registry);
    let blobs = broken.path().join("blobs");
    let mut archives: Vec<_> = walk(&blobs);
    archives.sort();
    let changed = fs_err::read(&archives[0]).unwrap();
    fs_err::write(&archives[0], [&changed[..changed.len() - 1], b"!"].concat()).unwrap();
    fs_err::remove_file(&archives[1]).unwrap();
    fs_err::create_dir_all(blobs.join("00")).unwrap();
    fs_err::write(blobs.join("00").join("0".repeat(62)), "left over").unwrap();
    fs_err::write(broken.path().join("trust/root/1.json"), "{}").unwrap();
    fs_err::remove_file(broken.path().join("keys/scan.key")).unwrap();
    assert_snapshot!(broken.told(), @r"
    FAIL  signatures  DIR/trust/root/1.json is not what the database has
    FAIL  signatures  the key of role scan is missing: DIR/keys/scan.key
    FAIL  archives    ada/demo 1.1.0: the archive has digest bc757a56d48d5c04532fcccccef52ae187a070a38f2213359eb78c78717aec7f, the release says 6576ca6f4ebd65bcdd372eb432500aef5648edfcffdb33e202bf7fa6532017b2
    FAIL  archives    ada/demo 1.0.0: blob c3999a7c3fc6d76592e41abaaee4aa42f423c46e7a1a2237845b6763f7d51094 is missing
    FAIL  contents    ada/demo 1.1.0: its archive does not open: the archive is cut off in its end record
    note  1 archive that no release needs
    ");
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_is_told_too() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let whole = Broken::new(&registry);
    let data = whole.path().to_str().unwrap();
    assert_snapshot!(run(&["fsck", "--data", data]).shown(whole.path()), @r"
    0
    ok    rows        104 rows read
    ok    numbers     7 counters
    ok    log         13 leaves, each with its statement
    ok    signatures  13 signed statements
    ok    audit       12 rows that follow from each other
    ok    accounts    3 publishers
    ok    names       4 names
    ok    states      4 releases
    ok    archives    4 archives read whole
    ok    contents    4 releases with the files that they list
    ");
    assert_snapshot!(run(&["fsck", "--json", "--data", data]).shown(whole.path()), @r#"
    0
    {
      "ok": true,
      "findings": [],
      "seen": {
        "rows": 104,
        "numbers": 7,
        "log": 13,
        "signatures": 13,
        "audit": 12,
        "accounts": 3,
        "names": 4,
        "states": 4,
        "archives": 4,
        "contents": 4
      },
      "notes": []
    }
    "#);
    let nowhere = tempfile::tempdir().unwrap();
    assert_snapshot!(run(&["fsck", "--data", nowhere.path().to_str().unwrap()]).shown(nowhere.path()), @r"
    1
    error: DIR holds no registry
    hint: `skill-registry serve --data DIR` makes one
    ");
}
