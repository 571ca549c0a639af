//! Metrics: what the registry counts of itself, as text that Prometheus reads (`GET /metrics`).
//!
//! What requests do is counted in memory as they end; what stands in the database is asked when somebody asks, and kept
//! for a while. docs/OPERATIONS.md says what each of them means; a test compares the two.

mod requests;
mod standing;
mod text;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::app::App;
use requests::Requests;
use standing::Standing;
use text::{Family, Text, Type};

/// What is counted, and what was asked lately.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Requests,
    standing: Standing,
}

/// The layer around everything else: counts how each request ended, and how long that took.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let started = tokio::time::Instant::now();
    let response = next.run(request).await;
    let path = path.as_ref().map(MatchedPath::as_str);
    app.metrics().requests.of(path, &method).note(response.status(), started.elapsed());
    response
}

/// Gives the metrics of this process and of the registry, in version 0.0.4 of Prometheus's text format.
pub(crate) async fn metrics(State(app): State<App>) -> Response {
    let mut text = Text::default();
    app.metrics().requests.write(&mut text);
    of_process(&app, &mut text);
    app.metrics().standing.write(&app, &mut text).await;
    let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, text.into_string()).into_response()
}

const LIMITED: Family = Family {
    name: "skill_registry_rate_limited_total",
    kind: Type::Counter,
    help: "Requests that were one too many.",
};
const DOWNLOADS: Family = Family {
    name: "skill_registry_downloads_noted_total",
    kind: Type::Counter,
    help: "Downloads that were noted to be counted, and those for which there was no room.",
};
const WAITED: Family = Family {
    name: "skill_registry_database_wait_seconds",
    kind: Type::Summary,
    help: "How long was waited for a connection to the database, and for a turn to write.",
};
const CONNECTIONS: Family = Family {
    name: "skill_registry_database_connections",
    kind: Type::Gauge,
    help: "Connections to the database.",
};
const FREE: Family = Family {
    name: "skill_registry_disk_free_bytes",
    kind: Type::Gauge,
    help: "Room on the disk of the data folder.",
};
const WRITABLE: Family =
    Family { name: "skill_registry_writable", kind: Type::Gauge, help: "1 while writes are taken." };
const LAG: Family = Family {
    name: "skill_registry_search_lag_events",
    kind: Type::Gauge,
    help: "Changes that search does not know of yet.",
};
const ROOT: Family = Family {
    name: "skill_registry_root_expires_timestamp_seconds",
    kind: Type::Gauge,
    help: "When the newest root ends.",
};
const BUILD: Family = Family {
    name: "skill_registry_build_info",
    kind: Type::Gauge,
    help: "Always 1; its label is the version.",
};

/// What this process knows without asking.
fn of_process(app: &App, text: &mut Text) {
    text.family(&LIMITED);
    for (kind, limited) in app.rates().limited() {
        text.sample("", &[("kind", kind)], limited);
    }
    text.family(&DOWNLOADS);
    let (noted, lost) = app.downloads().noted();
    text.sample("", &[("outcome", "noted")], noted);
    text.sample("", &[("outcome", "lost")], lost);
    let pools = app.db().pools();
    text.family(&WAITED);
    for pool in &pools {
        text.sample("_sum", &[("pool", pool.name)], pool.waited.as_secs_f64());
        text.sample("_count", &[("pool", pool.name)], pool.turns);
    }
    text.family(&CONNECTIONS);
    for pool in &pools {
        text.sample("", &[("pool", pool.name), ("state", "busy")], pool.busy);
        text.sample("", &[("pool", pool.name), ("state", "idle")], pool.idle);
    }
    // A disk that cannot be asked has no sample: 0 would say that it is full.
    text.family(&FREE);
    if let Some(free) = app.disk().free() {
        text.sample("", &[], free);
    }
    text.alone(&WRITABLE, u8::from(app.disk().is_writable()));
    text.alone(&LAG, app.pulse().event().saturating_sub(app.search().seen()));
    text.alone(&ROOT, app.root().root().expires_at.as_second());
    text.family(&BUILD);
    text.sample("", &[("version", env!("CARGO_PKG_VERSION"))], 1);
}
