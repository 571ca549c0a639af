//! What the registry counts of itself.

use std::collections::BTreeSet;

use axum::body::Body;
use http::Method;
use insta::assert_snapshot;
use skill_registry::auth::Scope;

use crate::support::{Skill, TestRegistry};

const METRICS: &str = "/metrics";
const PUBLIC: &str = "metrics.read = 'public'";

/// The samples whose lines begin with one of `names`.
fn samples(text: &str, names: &[&str]) -> String {
    let lines = text.lines().filter(|line| names.iter().any(|name| line.starts_with(name)));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The same without what depends on the machine: times, and the disk.
fn without_machine(text: &str) -> String {
    let mut steady = String::new();
    for line in text.lines().filter(|line| !line.contains("_bucket{")) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let is_measured = !line.starts_with('#')
            && ["_seconds_sum", "_wait_seconds", "disk_free", "database_connections"]
                .iter()
                .any(|measured| name.contains(measured));
        steady += &format!("{name} {}\n", if is_measured { "…" } else { value });
    }
    steady
}

on_both_engines! {
    async fn all_of_it(registry) {
        let ada = registry.user("ada").await;
        Skill::new("tide").owner("ada").version("1.0.0").published(&ada).await;
        registry.app.search().reach(registry.app.pulse().event()).await;
        registry.anonymous().get("/ada/skills/tide").await;
        registry.anonymous().get("/ada/skills/nothing").await;
        registry.anonymous().get("/no/such/page").await;
        let answer = registry.admin().get(METRICS).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_snapshot!(without_machine(answer.text()), @r#"
        # HELP skill_registry_requests_total Requests that were answered, by the template of their path.
        # TYPE skill_registry_requests_total counter
        skill_registry_requests_total{method="POST",route="/api/registry/v1/publish",status="2xx"} 1
        skill_registry_requests_total{method="GET",route="/{owner}/skills/{slug}",status="2xx"} 1
        skill_registry_requests_total{method="GET",route="/{owner}/skills/{slug}",status="4xx"} 1
        skill_registry_requests_total{method="",route="",status="4xx"} 1
        # HELP skill_registry_request_seconds How long it took until an answer began.
        # TYPE skill_registry_request_seconds histogram
        skill_registry_request_seconds_sum{method="POST",route="/api/registry/v1/publish"} …
        skill_registry_request_seconds_count{method="POST",route="/api/registry/v1/publish"} 1
        skill_registry_request_seconds_sum{method="GET",route="/{owner}/skills/{slug}"} …
        skill_registry_request_seconds_count{method="GET",route="/{owner}/skills/{slug}"} 2
        skill_registry_request_seconds_sum{method="",route=""} …
        skill_registry_request_seconds_count{method="",route=""} 1
        # HELP skill_registry_rate_limited_total Requests that were one too many.
        # TYPE skill_registry_rate_limited_total counter
        skill_registry_rate_limited_total{kind="read"} 0
        skill_registry_rate_limited_total{kind="open"} 0
        skill_registry_rate_limited_total{kind="write"} 0
        skill_registry_rate_limited_total{kind="download"} 0
        skill_registry_rate_limited_total{kind="export"} 0
        skill_registry_rate_limited_total{kind="refused"} 0
        # HELP skill_registry_downloads_noted_total Downloads that were noted to be counted, and those for which there was no room.
        # TYPE skill_registry_downloads_noted_total counter
        skill_registry_downloads_noted_total{outcome="noted"} 0
        skill_registry_downloads_noted_total{outcome="lost"} 0
        # HELP skill_registry_database_wait_seconds How long was waited for a connection to the database, and for a turn to write.
        # TYPE skill_registry_database_wait_seconds summary
        skill_registry_database_wait_seconds_sum{pool="read"} …
        skill_registry_database_wait_seconds_count{pool="read"} …
        skill_registry_database_wait_seconds_sum{pool="write"} …
        skill_registry_database_wait_seconds_count{pool="write"} …
        # HELP skill_registry_database_connections Connections to the database.
        # TYPE skill_registry_database_connections gauge
        skill_registry_database_connections{pool="read",state="busy"} …
        skill_registry_database_connections{pool="read",state="idle"} …
        skill_registry_database_connections{pool="write",state="busy"} …
        skill_registry_database_connections{pool="write",state="idle"} …
        # HELP skill_registry_disk_free_bytes Room on the disk of the data folder.
        # TYPE skill_registry_disk_free_bytes gauge
        skill_registry_disk_free_bytes …
        # HELP skill_registry_writable 1 while writes are taken.
        # TYPE skill_registry_writable gauge
        skill_registry_writable 1
        # HELP skill_registry_search_lag_events Changes that search does not know of yet.
        # TYPE skill_registry_search_lag_events gauge
        skill_registry_search_lag_events 0
        # HELP skill_registry_root_expires_timestamp_seconds When the newest root ends.
        # TYPE skill_registry_root_expires_timestamp_seconds gauge
        skill_registry_root_expires_timestamp_seconds 2111659200
        # HELP skill_registry_build_info Always 1; its label is the version.
        # TYPE skill_registry_build_info gauge
        skill_registry_build_info{version="0.1.0"} 1
        # HELP skill_registry_database_up 1 if the database answered.
        # TYPE skill_registry_database_up gauge
        skill_registry_database_up 1
        # HELP skill_registry_events_total Changes that readers can see, since the registry was made.
        # TYPE skill_registry_events_total counter
        skill_registry_events_total 3
        # HELP skill_registry_log_leaves_total Leaves of the log, since the registry was made.
        # TYPE skill_registry_log_leaves_total counter
        skill_registry_log_leaves_total 3
        # HELP skill_registry_releases Releases, by their state.
        # TYPE skill_registry_releases gauge
        skill_registry_releases{state="pending"} 0
        skill_registry_releases{state="visible"} 1
        skill_registry_releases{state="suspicious"} 0
        skill_registry_releases{state="yanked"} 0
        skill_registry_releases{state="withdrawn"} 0
        skill_registry_releases{state="quarantined"} 0
        skill_registry_releases{state="deleted"} 0
        skill_registry_releases{state="taken-down"} 0
        # HELP skill_registry_jobs Jobs that wait, and those that were given up.
        # TYPE skill_registry_jobs gauge
        skill_registry_jobs{state="waiting"} 0
        skill_registry_jobs{state="dead"} 0
        "#);
    }
}

/// Who may is in the table of all routes; here is what the setting changes.
#[tokio::test]
async fn they_are_for_administrators_unless_a_setting_opens_them() {
    let closed = TestRegistry::on_sqlite().start().await;
    assert_eq!(closed.anonymous().get(METRICS).await.status, 401);
    assert_eq!(closed.anonymous().at("127.0.0.1").get(METRICS).await.status, 401);
    assert_eq!(closed.admin().get(METRICS).await.status, 200);
    closed.add_user("reader").await;
    let reader = closed.token("reader", [Scope::Read]).await;
    assert_eq!(reader.get(METRICS).await.status, 403);
    let settings = format!("{PUBLIC}\naccess.read = 'token'");
    let open = TestRegistry::on_sqlite().with(&settings).start().await;
    assert_eq!(open.anonymous().get(METRICS).await.status, 200);
    assert_eq!(open.anonymous().get("/api/v1/skills").await.status, 401);
}

/// Nothing that whoever asks chose is in them: no name, no token, no method of their own.
#[tokio::test]
async fn labels_are_words_of_the_program() {
    let registry = TestRegistry::on_sqlite().with(PUBLIC).start().await;
    let anyone = registry.anonymous();
    for path in ["/api/v1/skills/secretname", "/sign-in/link/skl_secretname", "/x/secretname", "/secretname"]
    {
        anyone.get(path).await;
    }
    let body = Body::empty();
    let odd = anyone.request(Method::from_bytes(b"SECRETNAME").unwrap(), "/healthz").body(body).unwrap();
    assert_eq!(anyone.send(odd).await.status, 405);
    let text = anyone.get(METRICS).await;
    assert!(!text.text().to_lowercase().contains("secretname"), "{}", text.text());
    assert_snapshot!(samples(text.text(), &["skill_registry_requests_total"]), @r#"
    skill_registry_requests_total{method="GET",route="/api/v1/skills/{slug}",status="4xx"} 1
    skill_registry_requests_total{method="GET",route="/sign-in/link/{secret}",status="4xx"} 1
    skill_registry_requests_total{method="GET",route="/{owner}",status="4xx"} 1
    skill_registry_requests_total{method="",route="",status="4xx"} 2
    "#);
}

/// The registry's own counts are wanted most when the database is gone.
#[tokio::test]
async fn without_a_database_the_rest_is_told() {
    let registry = TestRegistry::on_sqlite().with(PUBLIC).start().await;
    registry.anonymous().get("/healthz").await;
    registry.app.db().close().await;
    let text = registry.anonymous().get(METRICS).await;
    assert_eq!(text.status, 200);
    let names = ["skill_registry_database_up", "skill_registry_releases", "skill_registry_requests_total"];
    assert_snapshot!(samples(text.text(), &names), @r#"
    skill_registry_requests_total{method="GET",route="/healthz",status="2xx"} 1
    skill_registry_database_up 0
    "#);
}

/// Whoever asks without end costs the database nothing.
#[tokio::test]
async fn the_database_is_asked_every_fifteen_seconds_at_most() {
    let registry = TestRegistry::on_sqlite().with(PUBLIC).start().await;
    let ada = registry.user("ada").await;
    let visible = async || {
        let text = registry.anonymous().get(METRICS).await;
        samples(text.text(), &["skill_registry_releases{state=\"visible\"}"])
    };
    assert_eq!(visible().await, "skill_registry_releases{state=\"visible\"} 0\n");
    Skill::new("tide").owner("ada").version("1.0.0").published(&ada).await;
    assert_eq!(visible().await, "skill_registry_releases{state=\"visible\"} 0\n");
    registry.later(14);
    assert_eq!(visible().await, "skill_registry_releases{state=\"visible\"} 0\n");
    registry.later(1);
    assert_eq!(visible().await, "skill_registry_releases{state=\"visible\"} 1\n");
}

#[tokio::test]
async fn what_is_one_too_many_is_counted_by_kind() {
    let settings = "rate.read.user = 1\nrate.refused.address = 1";
    let registry = TestRegistry::on_sqlite().with(settings).start().await;
    let ada = registry.user("ada").await;
    for status in [200, 429, 429] {
        assert_eq!(ada.get("/api/registry/v1/whoami").await.status, status);
    }
    let guesser = registry.anonymous().at("192.0.2.7");
    for status in [401, 429] {
        let guess =
            guesser.request(Method::GET, "/api/registry/v1/whoami").header("authorization", "Bearer no");
        assert_eq!(guesser.send(guess.body(Body::empty()).unwrap()).await.status, status);
    }
    let text = registry.admin().get(METRICS).await;
    assert_snapshot!(samples(text.text(), &["skill_registry_rate_limited_total"]), @r#"
    skill_registry_rate_limited_total{kind="read"} 2
    skill_registry_rate_limited_total{kind="open"} 0
    skill_registry_rate_limited_total{kind="write"} 0
    skill_registry_rate_limited_total{kind="download"} 0
    skill_registry_rate_limited_total{kind="export"} 0
    skill_registry_rate_limited_total{kind="refused"} 1
    "#);
}

/// The page for operators says of each what it means, in the order in which they come.
#[tokio::test]
async fn the_page_for_operators_explains_each() {
    let registry = TestRegistry::on_sqlite().with(PUBLIC).start().await;
    let text = registry.anonymous().get(METRICS).await;
    let begun = text.text().lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let told: Vec<String> = begun.map(|line| line.replace(' ', " | ")).collect();
    let page = include_str!("../../../docs/OPERATIONS.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `skill_registry_"));
    let explained: Vec<String> = rows
        .map(|row| {
            let (name, rest) = row.split_once("` | ").unwrap();
            format!("skill_registry_{name} | {}", rest.split(" |").next().unwrap())
        })
        .collect();
    assert_eq!(explained, told);
    assert_eq!(told.len(), BTreeSet::from_iter(&told).len(), "a family stands twice");
}
