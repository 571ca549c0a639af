use std::path::{Path, PathBuf};
use std::thread;

use skill_core::name::Owner;
use skill_registry::accounts::{self, NewToken, NewUser};
use skill_registry::auth::{Scope, Scopes};
use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::publishers::{self, MemberRole, Publisher, PublisherKind};
use skill_registry::store::users::{self, SiteRole, User};
use skill_registry::{App, Clock, Config, Entropy};
use tempfile::TempDir;

use super::engine::{Collation, PostgresDatabase};
use super::{Browser, Caller, invariants};

/// The time at which every test begins.
pub(crate) const START: &str = "2026-11-30T12:00:00Z";

/// A registry in a temporary folder. Dropped, its invariants are checked.
pub(crate) struct TestRegistry {
    pub(crate) app: App,
    place: Place,
}

/// Where a registry is; it goes when the test ends.
struct Place {
    folder: TempDir,
    postgres: Option<PostgresDatabase>,
}

/// A registry about to be started.
pub(crate) struct Builder {
    place: Place,
    settings: String,
}

impl TestRegistry {
    /// A registry with its database in its folder.
    pub(crate) fn on_sqlite() -> Builder {
        Builder {
            place: Place { folder: tempfile::tempdir().unwrap(), postgres: None },
            settings: String::new(),
        }
    }

    /// A registry with a Postgres database of its own, or `None` where no server is.
    pub(crate) async fn on_postgres() -> Option<Builder> {
        let postgres = PostgresDatabase::make(Collation::Bytes).await?;
        let settings = format!("database.url = {:?}\n", postgres.url());
        let place = Place { folder: tempfile::tempdir().unwrap(), postgres: Some(postgres) };
        Some(Builder { place, settings })
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.place.data()
    }

    /// Moves the clock on.
    pub(crate) fn later(&self, seconds: u64) {
        self.app.clock().advance(std::time::Duration::from_secs(seconds));
    }

    /// Somebody without a token.
    pub(crate) fn anonymous(&self) -> Caller {
        Caller::new(&self.app, None)
    }

    /// The user that the first start made, with every scope.
    pub(crate) fn admin(&self) -> Caller {
        Caller::new(&self.app, self.app.first_token().cloned())
    }

    /// Whoever has this token.
    pub(crate) fn bearer(&self, token: &str) -> Caller {
        Caller::new(&self.app, Some(token.parse().unwrap()))
    }

    /// A browser in which nobody is signed in.
    pub(crate) fn browser(&self) -> Browser {
        Browser::new(&self.app)
    }

    /// A browser in which a user is signed in, with all that the user may do.
    pub(crate) async fn signed_in(&self, name: &str) -> Browser {
        let browser = self.browser();
        assert_eq!(browser.follow(&self.link(name).await).await.status, 303);
        browser
    }

    /// The secret of a link of the operator for a user.
    pub(crate) async fn link(&self, name: &str) -> String {
        let (db, entropy) = (self.app.db(), self.app.entropy());
        let made = accounts::make_link_as_operator(db, entropy, &name.parse().unwrap(), "test").await;
        made.unwrap().0.reveal().to_owned()
    }

    /// A new user with a token that reads and publishes.
    pub(crate) async fn user(&self, name: &str) -> Caller {
        self.add_user(name).await;
        self.token(name, [Scope::Read, Scope::Publish]).await
    }

    /// A new user without a token.
    pub(crate) async fn add_user(&self, name: &str) -> User {
        let new = NewUser {
            name: name.parse().unwrap(),
            display_name: name.to_owned(),
            role: SiteRole::User,
            actor: "test".to_owned(),
        };
        accounts::add_user(self.app.db(), self.app.entropy(), new).await.unwrap()
    }

    /// A new organisation, without members.
    pub(crate) async fn organisation(&self, handle: &str) {
        let handle: Owner = handle.parse().unwrap();
        let mut tx = self.app.db().write().await.unwrap();
        let publisher = Publisher {
            handle: handle.clone(),
            kind: PublisherKind::Org,
            user_id: None,
            display_name: "Team".to_owned(),
            created_at: tx.now(),
        };
        assert!(publishers::insert(tx.conn(), &publisher).await.unwrap());
        tx.commit(NewEvent::of_publisher(EventKind::PublisherChanged, handle)).await.unwrap();
    }

    /// Makes a user a member of a publisher.
    pub(crate) async fn join(&self, handle: &str, name: &str, role: MemberRole) {
        let handle: Owner = handle.parse().unwrap();
        let mut tx = self.app.db().write().await.unwrap();
        let now = tx.now();
        let user = users::find(tx.conn(), &name.parse().unwrap()).await.unwrap().unwrap();
        publishers::set_member(tx.conn(), &handle, &user.id, role, now).await.unwrap();
        tx.commit(NewEvent::of_publisher(EventKind::PublisherChanged, handle)).await.unwrap();
    }

    /// A registry of its own, made of a copy of this one's folder.
    pub(crate) async fn copied(&self) -> Self {
        let builder = Self::on_sqlite();
        copy(&self.data(), &builder.place.data());
        builder.start().await
    }

    /// A copy of its data folder.
    pub(crate) fn copied_folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        copy(&self.data(), folder.path());
        folder
    }

    /// Another process that serves the same registry: the same database and clock, and a folder of its own, which goes
    /// when it is dropped.
    pub(crate) async fn beside(&self) -> (App, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        copy(&self.data(), &data);
        let config = config(&data, &self.place.folder.path().join("settings.toml"));
        let app = App::build(config, self.app.clock().clone(), Entropy::seeded(2)).await.unwrap();
        (app, folder)
    }

    /// Another token of a user, for ninety days.
    pub(crate) async fn token(&self, name: &str, scopes: impl IntoIterator<Item = Scope>) -> Caller {
        let new = NewToken {
            user: name.parse().unwrap(),
            label: "test".to_owned(),
            scopes: Scopes::of(scopes),
            publisher: None,
            skill: None,
            lives: Some(std::time::Duration::from_hours(90 * 24)),
            actor: "test".to_owned(),
        };
        let (text, _) = accounts::create_token(self.app.db(), self.app.entropy(), new).await.unwrap();
        Caller::new(&self.app, Some(text))
    }
}

impl Builder {
    /// Adds lines of a settings file.
    pub(crate) fn with(mut self, settings: &str) -> Self {
        self.settings.push_str(settings);
        self.settings.push('\n');
        self
    }

    /// Starts it.
    pub(crate) async fn start(self) -> TestRegistry {
        let file = self.place.folder.path().join("settings.toml");
        fs_err::write(&file, &self.settings).unwrap();
        let config = config(&self.place.data(), &file);
        let clock = Clock::fixed(START.parse().unwrap());
        let app = App::build(config, clock, Entropy::seeded(1)).await.unwrap();
        TestRegistry { app, place: self.place }
    }
}

impl Place {
    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

fn copy(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).unwrap();
    for entry in fs_err::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs_err::copy(entry.path(), target).unwrap();
        }
    }
}

fn config(data: &Path, file: &Path) -> Config {
    let flags = skill_registry::config::Flags::default()
        .with("data", Some(data.display().to_string()))
        .with("log.level", Some("off".to_owned()));
    Config::load(Some(file.to_owned()), &std::collections::BTreeMap::default(), flags).unwrap()
}

impl Drop for TestRegistry {
    /// Checks what must hold for every registry, however the test used it. A thread of its own, because
    /// a drop cannot wait inside the test's runtime.
    fn drop(&mut self) {
        let failing = thread::panicking();
        let url = match &self.place.postgres {
            Some(postgres) => postgres.url(),
            None => format!("sqlite://{}", self.data().join("registry.db").display()),
        };
        let (postgres, data) = (self.place.postgres.take(), self.data());
        let checked = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let broken = if failing { Vec::new() } else { invariants::broken(&url, &data).await };
                if let Some(postgres) = postgres {
                    postgres.drop_now().await;
                }
                broken
            })
        })
        .join();
        if !failing {
            let broken = checked.expect("the invariants can be checked");
            assert!(broken.is_empty(), "invariants broken: {broken:#?}");
        }
    }
}
