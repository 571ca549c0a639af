//! Every route there is.

use skill_core::name::RESERVED_OWNERS;

use crate::support::TestRegistry;

/// The whole table, from the description that is served.
#[tokio::test]
async fn the_table() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await.json();
    let mut table = String::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let token = if operation["security"].is_array() { " (token)" } else { "" };
            table += &format!("{:6} {path}{token}: {}\n", method.to_uppercase(), operation["summary"].as_str().unwrap());
        }
    }
    insta::assert_snapshot!(table, @"");
}

/// No publisher may be called like the first segment of a route: its pages would be hidden by it.
#[tokio::test]
async fn the_first_segments_are_reserved_as_owners() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await.json();
    let documented = api["paths"].as_object().unwrap().keys().map(String::as_str);
    for path in documented.chain(["/healthz", "/readyz"]) {
        let first = path.trim_start_matches('/').split('/').next().unwrap().trim_start_matches('.');
        assert!(RESERVED_OWNERS.contains(&first), "{path}");
    }
}

/// The description in full: what changes in it changes for whoever generated a client from it.
#[tokio::test]
async fn the_description() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await;
    insta::assert_snapshot!("openapi", format!("{:#}\n", api.json()));
}
