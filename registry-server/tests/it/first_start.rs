//! The first start, whole and interrupted: whatever was made is kept, whatever is missing is made.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use jiff::Timestamp;
use skill_registry::data::DataError;
use skill_registry::store::users::SiteRole;
use skill_registry::store::{Db, file_in, grants, head, meta, publishers, users};
use skill_registry::{App, Clock, Config, Entropy};
use skill_trust::Role;

use crate::support::TestRegistry;

fn config(data: &Path) -> Config {
    Config::in_folder(data).unwrap()
}

fn clock() -> Clock {
    Clock::fixed("2026-11-30T12:00:00Z".parse::<Timestamp>().unwrap())
}

async fn start(data: &Path, seed: u64) -> Result<App, DataError> {
    App::build(config(data), clock(), Entropy::seeded(seed)).await
}

async fn stop(app: App) {
    app.close().await;
}

on_both_engines! {
    async fn it_makes_database_keys_root_and_administrator(registry) {
        let data = registry.data();
        let mode = |path: &Path| fs_err::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&data), 0o700);
        assert_eq!(mode(&data.join("keys")), 0o700);
        for role in Role::ALL {
            assert_eq!(mode(&data.join(format!("keys/{role}.key"))), 0o600, "{role}");
            assert_eq!(registry.app.root().role_of(registry.app.key(role).unwrap().id()), Some(role));
        }
        let root = fs_err::read(data.join("trust/root/1.json")).unwrap();
        assert_eq!(skill_trust::Root::registry_id(&root), registry.app.registry_id());

        let mut conn = registry.app.db().read().await.unwrap();
        let admin = users::find(&mut conn, &"admin".parse().unwrap()).await.unwrap().unwrap();
        assert_eq!(admin.role, SiteRole::Admin);
        assert_eq!(publishers::of_user(&mut conn, &admin.id).await.unwrap().len(), 1);
        let granted = grants::exists(&mut conn, grants::GrantKind::Owner, "admin", &admin.name).await.unwrap();
        assert!(granted);
        assert_eq!(head::get(&mut conn).await.unwrap(), head::Head { event: 1, leaf: 0 });
    }
}

#[tokio::test]
async fn the_first_token_is_made_until_it_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = start(&data, 1).await.unwrap();
    let unseen = first.first_token().cloned().unwrap();
    stop(first).await;

    let second = start(&data, 2).await.unwrap();
    let seen = second.first_token().cloned().unwrap();
    assert_ne!(seen, unseen);
    let mut conn = second.db().read().await.unwrap();
    let now = second.clock().now();
    assert!(skill_registry::auth::authenticate(&mut conn, &unseen, now).await.is_err());
    assert!(skill_registry::auth::authenticate(&mut conn, &seen, now).await.is_ok());
    drop(conn);
    second.first_token_shown().await.unwrap();
    stop(second).await;

    let third = start(&data, 3).await.unwrap();
    assert_eq!(third.first_token(), None);
    let mut conn = third.db().read().await.unwrap();
    assert!(skill_registry::auth::authenticate(&mut conn, &seen, now).await.is_ok());
    drop(conn);
    stop(third).await;
}

/// What a first start has written when it is killed after each of its steps.
#[tokio::test]
async fn killed_after_any_step_it_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let made = start(&whole, 1).await.unwrap();
    let id = made.registry_id();
    stop(made).await;
    let copy = |to: &Path, name: &str| {
        fs_err::create_dir_all(to.join(name).parent().unwrap()).unwrap();
        fs_err::copy(whole.join(name), to.join(name)).unwrap();
    };
    let keys: Vec<String> = Role::ALL.iter().map(|role| format!("keys/{role}.key")).collect();

    // The folder, and the folder with a lock and an empty schema.
    for step in ["folder", "schema"] {
        let data = folder.path().join(step);
        fs_err::create_dir(&data).unwrap();
        if step == "schema" {
            fs_err::write(data.join("lock"), "").unwrap();
            let location = config(&data).database.location(&data);
            Db::open(&location, clock(), Entropy::System).await.unwrap().close().await;
        }
        stop(start(&data, 2).await.unwrap()).await;
    }

    // Some keys: they stay, the others come.
    let data = folder.path().join("some-keys");
    for key in &keys[..3] {
        copy(&data, key);
    }
    fs_err::write(data.join("keys/.new-abc"), "half a ke").unwrap();
    let completed = start(&data, 2).await.unwrap();
    for key in &keys[..3] {
        assert_eq!(fs_err::read(data.join(key)).unwrap(), fs_err::read(whole.join(key)).unwrap());
    }
    assert_ne!(completed.registry_id(), id);
    stop(completed).await;

    // All keys and the root: the registry is that one already.
    let data = folder.path().join("root");
    for key in &keys {
        copy(&data, key);
    }
    copy(&data, "trust/root/1.json");
    let completed = start(&data, 2).await.unwrap();
    assert_eq!(completed.registry_id(), id);
    assert!(completed.first_token().is_some());
    stop(completed).await;

    // Everything but the token that nobody saw.
    let again = start(&whole, 2).await.unwrap();
    assert_eq!(again.registry_id(), id);
    assert!(again.first_token().is_some());
    stop(again).await;
}

#[tokio::test]
async fn two_servers_never_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(folder.path(), 1).await.unwrap();
    let second = start(folder.path(), 2).await;
    assert!(matches!(second, Err(DataError::InUse { .. })), "{second:?}");
    stop(first).await;
}

#[tokio::test]
async fn a_database_of_another_registry_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    stop(start(&one, 1).await.unwrap()).await;
    stop(start(&two, 2).await.unwrap()).await;
    fs_err::copy(file_in(&one), file_in(&two)).unwrap();
    let mixed = start(&two, 3).await;
    assert!(matches!(mixed, Err(DataError::OtherRegistry { .. })), "{mixed:?}");

    // The database alone: new keys would make another registry.
    let three = folder.path().join("three");
    fs_err::create_dir(&three).unwrap();
    fs_err::copy(file_in(&one), file_in(&three)).unwrap();
    let lost = start(&three, 3).await;
    assert!(matches!(lost, Err(DataError::RootLost { .. })), "{lost:?}");
    assert!(!three.join("keys").exists());
}

#[tokio::test]
async fn keys_that_are_exposed_missing_mangled_or_exchanged_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    stop(start(data, 1).await.unwrap()).await;
    let (release, scan, root) =
        (data.join("keys/release.key"), data.join("keys/scan.key"), data.join("keys/root.key"));

    fs_err::set_permissions(&release, PermissionsExt::from_mode(0o640)).unwrap();
    assert!(matches!(start(data, 2).await, Err(DataError::KeyExposed { mode: 0o640, .. })));
    fs_err::set_permissions(&release, PermissionsExt::from_mode(0o600)).unwrap();

    let text = fs_err::read_to_string(&release).unwrap();
    fs_err::write(&release, fs_err::read(&scan).unwrap()).unwrap();
    assert!(matches!(start(data, 2).await, Err(DataError::KeyMisplaced { found: Role::Scan, .. })));

    fs_err::write(&release, text.replace("secret: ", "secret: A")).unwrap();
    assert!(matches!(start(data, 2).await, Err(DataError::KeyUnreadable { .. })));

    let other = folder.path().join("other");
    stop(start(&other, 7).await.unwrap()).await;
    fs_err::write(&release, fs_err::read(other.join("keys/release.key")).unwrap()).unwrap();
    assert!(matches!(start(data, 2).await, Err(DataError::KeyNotInRoot { role: Role::Release })));

    fs_err::remove_file(&release).unwrap();
    assert!(matches!(start(data, 2).await, Err(DataError::KeyMissing { role: Role::Release, .. })));

    // The root key may lie elsewhere.
    fs_err::write(&release, text).unwrap();
    fs_err::set_permissions(&release, PermissionsExt::from_mode(0o600)).unwrap();
    fs_err::remove_file(&root).unwrap();
    let app = start(data, 2).await.unwrap();
    assert!(app.key(Role::Root).is_err());
    stop(app).await;
}

#[tokio::test]
async fn a_second_server_on_the_same_postgres_needs_the_same_keys() {
    let Some(builder) = TestRegistry::on_postgres().await else { return };
    let registry = builder.start().await;
    let url = registry.app.config().database.url.clone();
    let folder = tempfile::tempdir().unwrap();
    let flags = skill_registry::config::Flags::default()
        .with("data", Some(folder.path().join("data").display().to_string()))
        .with("database.url", url);
    let config = Config::load(None, &std::collections::BTreeMap::default(), flags).unwrap();
    let second = App::build(config.clone(), clock(), Entropy::seeded(2)).await;
    assert!(matches!(second, Err(DataError::RootLost { .. })), "{second:?}");

    for name in ["keys", "trust/root"] {
        let (from, to) = (registry.data().join(name), config.data.join(name));
        fs_err::create_dir_all(&to).unwrap();
        for entry in fs_err::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            fs_err::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    let second = App::build(config, clock(), Entropy::seeded(2)).await.unwrap();
    assert_eq!(second.registry_id(), registry.app.registry_id());
    let id = meta::get(&mut second.db().read().await.unwrap(), meta::REGISTRY_ID).await.unwrap();
    assert_eq!(id, Some(second.registry_id().to_string()));
    stop(second).await;
}
