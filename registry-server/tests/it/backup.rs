//! Backups: the same from either engine, whole or not there, and refused where they are not what they were.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_registry::Entropy;
use skill_registry::backup::{Made, Manifest, RestoreError, back_up, restore};
use skill_registry::clock::Clock;
use skill_registry::config::{Config, Flags};
use skill_registry::data::Folder;
use skill_registry::store::OpenError;
use skill_registry::store::tables::{Kept, TABLES};

use crate::support::engine::{Collation, PostgresDatabase, connect};
use crate::support::program::{begun, run};
use crate::support::{Skill, TestRegistry};

/// A registry in which much has happened.
async fn lived_in(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    let bob = registry.user("bob").await;
    let team = json!({ "handle": "team", "displayName": "The team" });
    assert_eq!(ada.post("/api/registry/v1/publishers", &team).await.status, 201);
    Skill::new("demo").version("1.0.0").published(&ada).await;
    Skill::new("demo").version("1.1.0").file("a.txt", "ä\u{1f600}\\\"").published(&ada).await;
    Skill::new("gone").file("b.txt", "b").published(&bob).await;
    let yank = "/api/registry/v1/skills/ada/demo/versions/1.1.0";
    assert_eq!(ada.post(&format!("{yank}/yank"), &json!({ "reason": "broken" })).await.status, 200);
    assert_eq!(ada.post(&format!("{yank}/unyank"), &json!({})).await.status, 200);
    assert_eq!(bob.delete("/api/registry/v1/skills/bob/gone").await.status, 200);
    assert_eq!(bob.post("/api/v1/stars/demo", &json!({})).await.status, 200);
    registry.signed_in("ada").await;
}

async fn backed_up(registry: &TestRegistry, to: &Path) -> Made {
    let app = &registry.app;
    back_up(app.db(), &Folder::at(&registry.data()), app.blobs(), to, app.clock().now()).await.unwrap()
}

fn config(data: &Path, database: Option<String>) -> Config {
    let flags =
        Flags::default().with("data", Some(data.display().to_string())).with("database.url", database);
    Config::load(None, &std::collections::BTreeMap::default(), flags).unwrap()
}

async fn restored(from: &Path, data: &Path, database: Option<String>) -> Result<u64, RestoreError> {
    let restored = restore(from, &config(data, database), &Clock::System, &Entropy::System).await;
    restored.map(|restored| restored.rows)
}

/// The files below a folder with what they hold.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs_err::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

fn inside(folder: &Path, part: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let relative = |(path, bytes): (PathBuf, Vec<u8>)| (path.strip_prefix(folder).unwrap().to_owned(), bytes);
    files(&folder.join(part)).into_iter().map(relative).collect()
}

/// From SQLite to Postgres and back: the rows are the same bytes, whichever engine they were in.
#[tokio::test(flavor = "multi_thread")]
async fn rows_are_the_same_from_either_engine() {
    let Some(database) = PostgresDatabase::make(Collation::Bytes).await else { return };
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let first = backed_up(&registry, &at("first")).await;
    assert_eq!(restored(&at("first"), &at("postgres"), Some(database.url())).await.unwrap(), first.rows);
    let again = run_backup(&at("postgres"), Some(&database.url()), &at("second"));
    assert_eq!(again, "");
    assert_eq!(restored(&at("second"), &at("sqlite"), None).await.unwrap(), first.rows);
    assert_eq!(run_backup(&at("sqlite"), None, &at("third")), "");
    for part in ["rows", "blobs", "keys", "trust"] {
        let first = inside(&at("first"), part);
        assert!(!first.is_empty());
        assert_eq!(inside(&at("second"), part), first, "{part}");
        assert_eq!(inside(&at("third"), part), first, "{part}");
    }
    database.drop_now().await;
}

/// Runs the program; gives what it says on stderr.
fn run_backup(data: &Path, database: Option<&str>, to: &Path) -> String {
    if let Some(url) = database {
        fs_err::write(data.join("config.toml"), format!("database.url = \"{url}\"\n")).unwrap();
    }
    let ended = run(&["backup", "--data", data.to_str().unwrap(), "--to", to.to_str().unwrap()]);
    if database.is_some() {
        fs_err::remove_file(data.join("config.toml")).unwrap();
    }
    ended.stderr
}

on_both_engines! {
    async fn no_table_is_forgotten(registry) {
        let mut conn = registry.app.db().read().await.unwrap();
        for table in TABLES {
            skill_registry::store::tables::each(&mut conn, table, |_| Ok::<_, skill_registry::store::StoreError>(())).await.unwrap();
        }
    }

    /// What opens the registry for a while, or says who downloaded, is in no backup.
    async fn what_is_left_out_is_not_in_it(registry) {
        lived_in(registry).await;
        registry.link("ada").await;
        let folder = tempfile::tempdir().unwrap();
        let made = backed_up(registry, &folder.path().join("backup")).await;
        for table in TABLES {
            let path = made.manifest.parts.keys().find(|path| path.ends_with(&format!("-{}.jsonl", table.name)));
            assert_eq!(path.is_some(), table.kept == Kept::Yes, "{}", table.name);
        }
        for (path, _) in files(&folder.path().join("backup")) {
            let bits = path.metadata().unwrap().permissions().mode() & 0o777;
            let public = path.to_string_lossy().contains("/trust/");
            assert_eq!(bits, if public { 0o644 } else { 0o600 }, "{}", path.display());
        }
        let bits = folder.path().join("backup").metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(bits, 0o700);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_of_the_schema_is_on_the_list() {
    let registry = TestRegistry::on_sqlite().start().await;
    let mut conn = connect(&format!("sqlite://{}", registry.data().join("registry.db").display())).await;
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_sqlx%'
         ORDER BY name",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    let mut listed: Vec<_> = TABLES.iter().map(|table| table.name).collect();
    listed.sort_unstable();
    assert_eq!(names, listed, "say in src/store/tables.rs whether a backup holds the table, and why not");
    for table in TABLES {
        let sql = "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk";
        let key: Vec<String> = sqlx::query_scalar(sql).bind(table.name).fetch_all(&mut conn).await.unwrap();
        assert_eq!(table.key.trim_end_matches(" DESC"), key.join(", "), "{}", table.name);
    }
}

/// A second backup in the same folder replaces the first in one step, and copies what is new or damaged.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_backup_copies_what_is_new() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    let first = backed_up(&registry, &to).await;
    assert_eq!((first.archives, first.copied), (3, 3));
    Skill::new("later").published(&registry.user("cy").await).await;
    let damaged = &files(&to.join("blobs"))[0].0;
    fs_err::write(damaged, "damaged").unwrap();
    let second = backed_up(&registry, &to).await;
    assert_eq!((second.archives, second.copied), (4, 2));
    let left: Vec<_> =
        fs_err::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["backup"]);
    restored(&to, &folder.path().join("data"), None).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_written_over() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let folder = tempfile::tempdir().unwrap();
    let data = registry.data();
    let mut told = String::new();
    let mut tell = |args: &[&str]| {
        let shown = run(args).shown(folder.path()).replace(&data.display().to_string(), "DATA");
        told.push_str(&shown);
        told.push('\n');
    };
    let at = |name: &str| folder.path().join(name).display().to_string();
    let here = registry.data().display().to_string();
    fs_err::create_dir(at("notes")).unwrap();
    fs_err::write(at("notes/mine.txt"), "mine").unwrap();
    tell(&["backup", "--data", &here, "--to", &at("notes")]);
    backed_up(&registry, &folder.path().join("theirs")).await;
    let theirs = fs_err::read_to_string(at("theirs/backup.json")).unwrap();
    let id = registry.app.registry_id().to_string();
    fs_err::write(at("theirs/backup.json"), theirs.replace(&id, &id.chars().rev().collect::<String>()))
        .unwrap();
    tell(&["backup", "--data", &here, "--to", &at("theirs")]);
    fs_err::create_dir(at("backup.partial")).unwrap();
    fs_err::write(at("backup.partial/mine.txt"), "mine").unwrap();
    tell(&["backup", "--data", &here, "--to", &at("backup")]);
    tell(&["restore", "--from", &at("theirs"), "--data", &here]);
    tell(&["restore", "--from", &at("notes"), "--data", &at("new")]);
    assert_snapshot!(told, @r"
    1
    error: DIR/notes is not empty and no backup
      because: nothing was changed
    hint: name another folder

    1
    error: DIR/theirs holds a backup of the registry f5c741b05b5c255f06a08ef8ba0ecf9f545028c9a5d1912e04c03f25047c78b6, this is 6b87c74052f30c40e2191d5a9c820545f9fce0ab8fe80a60f552c5b50b147c5f
      because: nothing was changed
    hint: name another folder

    1
    error: DIR/backup.partial is in the way
      because: it is made there, and what is there was not made by this program
    hint: move DIR/backup.partial away, or name another folder

    1
    error: the data folder DATA is not empty
      because: nothing is written over
    hint: name another folder

    1
    error: DIR/notes is no backup
      because: nothing was restored
    ");
    assert_eq!(fs_err::read(at("notes/mine.txt")).unwrap(), b"mine");
    assert_eq!(fs_err::read(at("backup.partial/mine.txt")).unwrap(), b"mine");
    assert!(!Path::new(&at("new")).exists());
}

/// Killed wherever it is, a backup leaves the one before it whole, and the next one is made.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_killed_leaves_the_one_before() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    backed_up(&registry, &to).await;
    let data = registry.data();
    let args = ["backup", "--data", data.to_str().unwrap(), "--to", to.to_str().unwrap()];
    let mut cut_off = 0;
    for pause in (0..400).step_by(10) {
        let mut child = begun(&args);
        std::thread::sleep(std::time::Duration::from_millis(pause));
        child.kill().unwrap();
        cut_off += u32::from(!child.wait().unwrap().success());
        let data = folder.path().join("data");
        restored(&to, &data, None).await.unwrap();
        fs_err::remove_dir_all(data).unwrap();
    }
    assert!(cut_off > 3, "it was never in the middle");
    assert_eq!(run(&args).code, Some(0));
    let left: Vec<_> =
        fs_err::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["backup"]);
}

/// A database that holds something is not written over, whichever registry's it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_empty_is_refused() {
    let Some(builder) = TestRegistry::on_postgres().await else { return };
    let registry = builder.start().await;
    let folder = tempfile::tempdir().unwrap();
    backed_up(&registry, &folder.path().join("backup")).await;
    let url = registry.app.config().database.url.clone().unwrap();
    let refused =
        restored(&folder.path().join("backup"), &folder.path().join("data"), Some(url)).await.unwrap_err();
    assert!(matches!(refused, RestoreError::Open(OpenError::NotEmpty { .. })), "{refused}");
    assert!(!folder.path().join("data").exists());
}

/// Every part that is cut, changed, missing or beside the point is refused by its name, before anything is made.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_not_what_it_was_is_refused() {
    let registry = TestRegistry::on_sqlite().start().await;
    lived_in(&registry).await;
    let folder = tempfile::tempdir().unwrap();
    let (to, data) = (folder.path().join("backup"), folder.path().join("data"));
    let Made { manifest, .. } = backed_up(&registry, &to).await;
    assert!(manifest.parts.len() > 30);
    for path in manifest.parts.keys() {
        let file = to.join(path);
        let bytes = fs_err::read(&file).unwrap();
        let mut wrongs = vec![None, Some([&bytes[..], b"x"].concat())];
        if let Some((last, rest)) = bytes.split_last() {
            wrongs.push(Some(rest.to_vec()));
            wrongs.push(Some([rest, &[last ^ 1]].concat()));
        }
        for wrong in wrongs {
            match &wrong {
                Some(bytes) => fs_err::write(&file, bytes).unwrap(),
                None => fs_err::remove_file(&file).unwrap(),
            }
            let refused = restored(&to, &data, None).await.unwrap_err();
            assert!(refused.to_string().contains(path.as_str()), "{path}: {refused}");
            assert!(!data.exists() && !folder.path().join("data.partial").exists(), "{path}");
        }
        fs_err::write(&file, bytes).unwrap();
    }
    restored(&to, &data, None).await.unwrap();
}

/// Changes `backup.json` and says what becomes of it.
async fn with(to: &Path, change: impl Fn(&mut Value)) -> String {
    let path = to.join("backup.json");
    let text = fs_err::read(&path).unwrap();
    let mut manifest: Value = serde_json::from_slice(&text).unwrap();
    change(&mut manifest);
    fs_err::write(&path, manifest.to_string()).unwrap();
    let data = to.with_file_name("data");
    let refused = restored(to, &data, None).await.unwrap_err();
    assert!(!data.exists());
    fs_err::write(&path, text).unwrap();
    format!("{refused}\n").replace(&to.display().to_string(), "DIR")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_backup_json_says_is_not_taken_on_trust() {
    let registry = TestRegistry::on_sqlite().start().await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    backed_up(&registry, &to).await;
    let part = json!({ "sha256": "0".repeat(64), "size": 0 });
    let mut told = String::new();
    told += &with(&to, |manifest| manifest["format"] = json!(2)).await;
    told += &with(&to, |manifest| manifest["schema"] = json!(9999)).await;
    told += &with(&to, |manifest| manifest["registryId"] = json!("nobody")).await;
    for path in ["../data/x", "/etc/passwd", "rows/../../x", "other/x", "keys//x", "keys/./x", ""] {
        told += &with(&to, |manifest| manifest["parts"][path] = part.clone()).await;
    }
    told += &with(&to, |manifest| {
        manifest["parts"].as_object_mut().unwrap().retain(|path, _| !path.ends_with("-users.jsonl"));
    })
    .await;
    std::os::unix::fs::symlink("/etc/hostname", to.join("keys/link")).unwrap();
    told += &with(&to, |manifest| manifest["parts"]["keys/link"] = part.clone()).await;
    assert_snapshot!(told, @r"
    the backup has format 2, this program reads 1
    the database has schema 9999, this program knows schemas up to 16
    DIR/backup.json does not read: `nobody` is not 64 lower-case hexadecimal digits at line 1 column 33
    ../data/x is no part of a backup
    /etc/passwd is no part of a backup
    rows/../../x is no part of a backup
    other/x is no part of a backup
    keys//x is no part of a backup
    the backup lacks keys/./x
     is no part of a backup
    the backup lacks the rows of users
    the backup lacks keys/link
    ");
}

/// Rows that were edited, digest and all, are held against the schema; a column's name is never a piece of a statement.
#[tokio::test(flavor = "multi_thread")]
async fn rows_that_were_edited_are_refused_by_their_line() {
    let registry = TestRegistry::on_sqlite().start().await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    let Made { manifest, .. } = backed_up(&registry, &to).await;
    let path = manifest.parts.keys().find(|path| path.ends_with("-users.jsonl")).unwrap().clone();
    let row = fs_err::read_to_string(to.join(&path)).unwrap();
    let mut told = String::new();
    for edited in [
        row.replace("\"admin\"", "\"king\""),
        row.replace("\"name\"", "\"name) VALUES ('x'); DROP TABLE users; --\""),
        row.replace("\"created_at\":", "\"created_at\":0.5,\"at\":"),
        format!("{row}{row}"),
        row.replace('}', ""),
        "[]\n".to_owned(),
    ] {
        fs_err::write(to.join(&path), &edited).unwrap();
        let mut manifest: Manifest =
            serde_json::from_slice(&fs_err::read(to.join("backup.json")).unwrap()).unwrap();
        let part = manifest.parts.get_mut(&path).unwrap();
        part.sha256 = skill_core::digest::Sha256::of(&edited);
        part.size = edited.len() as u64;
        fs_err::write(to.join("backup.json"), serde_json::to_vec(&manifest).unwrap()).unwrap();
        let data = folder.path().join("data");
        let refused = restored(&to, &data, None).await.unwrap_err();
        assert!(!data.exists() && !folder.path().join("data.partial").exists());
        let mut source = std::error::Error::source(&refused);
        told.push_str(&format!("{refused}"));
        while let Some(below) = source {
            told.push_str(&format!(" < {below}"));
            source = below.source();
        }
        told.push('\n');
    }
    assert_snapshot!(told, @r"
    line 1 of rows/08-users.jsonl is no row of users < the database refused a statement < error returned from database: (code: 275) CHECK constraint failed: role IN ('user', 'moderator', 'admin') < (code: 275) CHECK constraint failed: role IN ('user', 'moderator', 'admin')
    line 1 of rows/08-users.jsonl is no row of users < column row holds `name) VALUES ('x'); DROP TABLE users; --`, which is not what is kept there
    line 1 of rows/08-users.jsonl is no row of users < column row holds `0.5`, which is not what is kept there
    line 2 of rows/08-users.jsonl is no row of users < the database refused a statement < error returned from database: (code: 2067) UNIQUE constraint failed: users.name < (code: 2067) UNIQUE constraint failed: users.name
    line 1 of rows/08-users.jsonl is no row of users < EOF while parsing an object at line 1 column 238
    line 1 of rows/08-users.jsonl is no row of users < invalid type: sequence, expected a map at line 1 column 0
    ");
}
