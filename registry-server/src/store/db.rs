use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Connection as _, Executor as _, Transaction};

use super::dialect::{Engine, sqlite_url};
use super::waits::{Pool, Waits};
use super::{QuietTx, StoreError, WriteTx};
use crate::clock::Clock;
use crate::config::masked;
use crate::entropy::Entropy;

/// The schema, as the migrations make it.
static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// Connections that read at a time.
const READERS: u32 = 4;
/// How long a request waits for a connection.
const PATIENCE: Duration = Duration::from_secs(15);

/// The registry's database: bounded pools of readers and writers.
#[derive(Debug, Clone)]
pub struct Db {
    engine: Engine,
    readers: AnyPool,
    writers: AnyPool,
    waits: Arc<[Waits; 2]>,
    clock: Clock,
    entropy: Entropy,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names an engine that this program does not speak.
    #[error("database URL `{scheme}:` is neither sqlite: nor postgres:")]
    Scheme {
        /// What stands before the colon.
        scheme: String,
    },
    /// No file, no server, or it does not let us in.
    #[error("cannot open the database at {at}")]
    Connect {
        /// Where, without a password.
        at: String,
        /// What the driver says.
        #[source]
        source: sqlx::Error,
    },
    /// A newer program has been here.
    #[error("the database has schema {found}, this program knows schemas up to {known}")]
    Newer {
        /// The schema that was found.
        found: i64,
        /// The newest one that this program knows.
        known: i64,
    },
    /// The schema could not be brought up to date.
    #[error("cannot bring the database's schema up to date")]
    Migrate(#[source] MigrateError),
    /// It was to be empty.
    #[error("the database at {at} is not empty")]
    NotEmpty {
        /// Where, without a password.
        at: String,
    },
    /// Text would be ordered by a language's rules.
    #[error("the database orders text by {collation}, not by bytes")]
    Collation {
        /// Its collation.
        collation: String,
    },
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file; it is made if it is not there.
    File(PathBuf),
    /// A server, by its URL.
    Server(String),
}

impl Db {
    /// Opens the database and brings its schema up to date.
    pub async fn open(location: &Location, clock: Clock, entropy: Entropy) -> Result<Self, OpenError> {
        Self::connect(location, clock, entropy, None).await
    }

    /// Opens a database that holds nothing, for the rows of an earlier one: with the schema that those rows are of. When
    /// they are in it, it is to be opened as any other.
    pub async fn open_empty(
        location: &Location,
        schema: i64,
        clock: Clock,
        entropy: Entropy,
    ) -> Result<Self, OpenError> {
        Self::connect(location, clock, entropy, Some(schema)).await
    }

    async fn connect(
        location: &Location,
        clock: Clock,
        entropy: Entropy,
        empty: Option<i64>,
    ) -> Result<Self, OpenError> {
        let (engine, url, at) = match location {
            Location::File(path) => (Engine::Sqlite, sqlite_url(path, true), path.display().to_string()),
            Location::Server(url) => {
                let engine = Engine::of_url(url).ok_or_else(|| OpenError::Scheme {
                    scheme: url.split(':').next().unwrap_or_default().to_owned(),
                })?;
                (engine, url.clone(), masked(url))
            }
        };
        sqlx::any::install_default_drivers();
        let connect = |source| OpenError::Connect { at: at.clone(), source };
        let options: AnyConnectOptions = url.parse().map_err(connect)?;
        let writers = pool(engine, engine.writers()).connect_with(options.clone()).await.map_err(connect)?;
        let mut first = writers.acquire().await.map_err(StoreError::from)?;
        if let Some(collation) = engine.foreign_collation(&mut first).await? {
            return Err(OpenError::Collation { collation });
        }
        match empty {
            Some(schema) => make_schema(&mut first, schema, &at).await?,
            None => migrate(&mut first).await?,
        }
        drop(first);
        let readers = pool(engine, READERS).connect_with(options).await.map_err(connect)?;
        Ok(Self { engine, readers, writers, waits: Arc::default(), clock, entropy })
    }

    /// Which engine is behind it.
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// A connection to read from.
    pub async fn read(&self) -> Result<PoolConnection<Any>, StoreError> {
        let [read, _] = &*self.waits;
        Ok(read.during(self.readers.acquire()).await?)
    }

    /// A transaction that reads the database as it is at its first query, however long it takes.
    pub async fn snapshot(&self) -> Result<Transaction<'static, Any>, StoreError> {
        let [read, _] = &*self.waits;
        Ok(read.during(self.readers.begin_with(self.engine.snapshot())).await?)
    }

    /// A transaction that changes what readers see.
    pub async fn write(&self) -> Result<WriteTx, StoreError> {
        let tx = self.turn().await?;
        Ok(WriteTx::new(tx, self.clock.now(), self.entropy.clone()))
    }

    /// A transaction that changes nothing readers see.
    pub async fn quiet(&self) -> Result<QuietTx, StoreError> {
        let tx = self.turn().await?;
        Ok(QuietTx::new(tx, self.clock.now(), self.entropy.clone()))
    }

    /// How the pools of this process stand.
    pub fn pools(&self) -> [Pool; 2] {
        let [read, write] = &*self.waits;
        [read.of("read", &self.readers), write.of("write", &self.writers)]
    }

    async fn turn(&self) -> Result<Transaction<'static, Any>, StoreError> {
        let [_, write] = &*self.waits;
        Ok(write.during(self.writers.begin_with(self.engine.begin())).await?)
    }

    /// Waits for running queries and closes every connection.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
    }
}

fn pool(engine: Engine, size: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(PATIENCE)
        .test_before_acquire(engine == Engine::Postgres)
        .max_lifetime(None)
        .idle_timeout(None)
        .after_connect(move |conn, _| {
            Box::pin(async move {
                for statement in engine.on_connect() {
                    conn.execute(*statement).await?;
                }
                Ok(())
            })
        })
        .after_release(move |conn, _| Box::pin(async move { is_whole(engine, conn).await }))
}

/// Whether a connection may be used again. SQLite undoes a transaction by itself when the disk is full or
/// a sync fails; the driver's own undoing then finds none, and it would count one open for ever.
async fn is_whole(engine: Engine, conn: &mut super::Conn) -> Result<bool, sqlx::Error> {
    if engine == Engine::Postgres {
        return Ok(true);
    }
    // Everything queued before the ping has happened after it.
    conn.ping().await?;
    Ok(!conn.is_in_transaction())
}

async fn migrate(conn: &mut super::Conn) -> Result<(), OpenError> {
    match MIGRATIONS.run(conn).await {
        Ok(()) => Ok(()),
        Err(MigrateError::VersionMissing(found)) => {
            let known = MIGRATIONS.iter().map(|m| m.version).max().unwrap_or_default();
            Err(OpenError::Newer { found, known })
        }
        Err(other) => Err(OpenError::Migrate(other)),
    }
}

/// Makes the schema of a database that holds nothing, or finds it made.
async fn make_schema(conn: &mut super::Conn, target: i64, at: &str) -> Result<(), OpenError> {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default();
    if target > known {
        return Err(OpenError::Newer { found: target, known });
    }
    let not_empty = || OpenError::NotEmpty { at: at.to_owned() };
    if let Ok(found) = schema(&mut *conn).await {
        let is_made = super::meta::get(conn, super::meta::REGISTRY_ID).await?.is_some();
        return if found == target && !is_made { Ok(()) } else { Err(not_empty()) };
    }
    MIGRATIONS.run_to(target, conn).await.map_err(OpenError::Migrate)
}

/// The number of the last migration that was made. An error where none was.
pub async fn schema(conn: &mut super::Conn) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(conn).await?)
}

/// The file that holds the registry inside a data folder.
pub fn file_in(data: &Path) -> PathBuf {
    data.join("registry.db")
}
