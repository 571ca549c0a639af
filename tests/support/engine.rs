//! The database a registry runs on.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Which engine, and where.
#[derive(Debug, Clone)]
pub(crate) enum Engine {
    /// A file in the data folder.
    Sqlite,
    /// A database of its own on the server that `TEST_POSTGRES_URL` names.
    Postgres(String),
}

impl Engine {
    /// Every engine that can be had here. Says what is left out; in CI nothing may be.
    pub(crate) fn all() -> Vec<Self> {
        let mut engines = vec![Self::Sqlite];
        match environment("TEST_POSTGRES_URL") {
            Some(url) => engines.push(Self::Postgres(new_database(&url))),
            None => skipped("no Postgres: TEST_POSTGRES_URL is not set"),
        }
        engines
    }

    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }
}

/// Says that a part of a test was left out; a failure in CI.
#[track_caller]
pub(crate) fn skipped(why: &str) {
    assert!(environment("CI").is_none(), "in CI nothing may be skipped: {why}");
    eprintln!("skipped: {why}");
}

pub(crate) fn environment(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "tests are told by the environment what is at hand")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn new_database(server: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("journey_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let create = format!("CREATE DATABASE {name} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    let status = Command::new("psql").args([server, "-q", "-c", &create]).status().unwrap();
    assert!(status.success(), "psql could not create {name}");
    let (base, _) = server.rsplit_once('/').unwrap();
    format!("{base}/{name}")
}
