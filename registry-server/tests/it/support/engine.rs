//! Databases of their own for tests.

use std::sync::atomic::{AtomicU32, Ordering};

use skill_registry::store::Conn;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use url::Url;

/// A Postgres database that one test has for itself.
#[derive(Debug)]
pub(crate) struct PostgresDatabase {
    server: Url,
    name: String,
}

/// How text is ordered in a new database.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Collation {
    Bytes,
    /// English rules, by ICU, which every Postgres of Debian has.
    English,
}

static COUNTER: AtomicU32 = AtomicU32::new(0);

#[expect(
    clippy::disallowed_methods,
    reason = "where a Postgres server runs is for the caller of the tests to say"
)]
pub(crate) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The URL of a Postgres server whose user may make databases. Without one these tests are left out,
/// which they say; on a CI machine that is a failure.
pub(crate) fn server() -> Option<Url> {
    let Some(url) = env("TEST_POSTGRES_URL") else {
        assert!(env("CI").is_none(), "TEST_POSTGRES_URL is not set, and nothing may be skipped here");
        eprintln!("skipped: no Postgres (TEST_POSTGRES_URL is not set)");
        return None;
    };
    Some(url.parse().expect("TEST_POSTGRES_URL is a URL"))
}

impl PostgresDatabase {
    pub(crate) async fn make(collation: Collation) -> Option<Self> {
        let server = server()?;
        let number = COUNTER.fetch_add(1, Ordering::SeqCst);
        let name = format!("test_{}_{number}", std::process::id());
        let by = match collation {
            Collation::Bytes => "",
            Collation::English => "LOCALE_PROVIDER icu ICU_LOCALE 'en'",
        };
        let made = Self { server, name };
        let name = &made.name;
        let how = format!("TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' {by}");
        made.on_server(format!("CREATE DATABASE {name} {how}")).await;
        Some(made)
    }

    pub(crate) fn url(&self) -> String {
        let mut url = self.server.clone();
        url.set_path(&self.name);
        url.to_string()
    }

    pub(crate) async fn drop_now(&self) {
        self.on_server(format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)).await;
    }

    async fn on_server(&self, statement: String) {
        let mut conn = connect(self.server.as_str()).await;
        conn.execute(AssertSqlSafe(statement)).await.unwrap();
        conn.close().await.unwrap();
    }
}

/// A connection that belongs to no registry.
pub(crate) async fn connect(url: &str) -> Conn {
    sqlx::any::install_default_drivers();
    Conn::connect(url).await.unwrap()
}
