use http::Method;
use skill_registry::store::downloads::OfDay;

use super::{BOT, MIRROR, PERSON, counted, download, once_counted, total};
use crate::support::{Skill, TestRegistry};

on_both_engines! {
    async fn people_programs_and_mirrors_count_apart(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let at = |address: &str| registry.anonymous().at(address);
        for (address, agent) in [
            ("192.0.2.1", PERSON),
            ("192.0.2.1", PERSON),
            ("192.0.2.2", "curl/8.5.0"),
            ("192.0.2.3", BOT),
            ("192.0.2.4", ""),
            ("192.0.2.5", MIRROR),
            ("2001:db8::1", PERSON),
            // The same customer of a network.
            ("2001:db8::2", PERSON),
        ] {
            assert_eq!(download(&at(address), "demo", agent).await, 200);
        }
        // A user is one client wherever they are.
        for address in ["192.0.2.1", "192.0.2.9"] {
            assert_eq!(download(&ada.at(address), "demo", PERSON).await, 200);
        }
        let days = once_counted(registry, "demo", 7).await;
        let [OfDay { people: 4, bots: 2, mirrors: 1, .. }] = days[..] else { panic!("{days:?}") };
        let shown = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(shown["skill"]["stats"]["downloads"], 4);
        assert_eq!(shown["skill"]["stats"]["installs"], 4);
    }

    /// Whoever comes again as somebody else is who they were.
    async fn a_client_is_who_it_was_first(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let client = registry.anonymous().at("192.0.2.1");
        for agent in [MIRROR, PERSON, BOT] {
            assert_eq!(download(&client, "demo", agent).await, 200);
        }
        download(&client.at("192.0.2.2"), "demo", PERSON).await;
        let days = once_counted(registry, "demo", 2).await;
        let [OfDay { people: 1, bots: 0, mirrors: 1, .. }] = days[..] else { panic!("{days:?}") };
    }
}

#[tokio::test]
async fn what_is_no_download_is_not_counted() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let at = |address: &str| registry.anonymous().at(address);
    let path = "/api/v1/download?slug=demo&ownerHandle=ada";
    let asked = at("192.0.2.1").request(Method::HEAD, path).body(axum::body::Body::empty()).unwrap();
    let head = at("192.0.2.1").send(asked).await;
    assert_eq!(head.status, 200);
    let tag = head.header("etag").unwrap();
    assert_eq!(at("192.0.2.2").known(path, tag).await.status, 304);
    assert_eq!(at("192.0.2.3").get(&format!("{path}&version=9.9.9")).await.status, 404);
    // Over no connection and without a token: nobody.
    assert_eq!(registry.anonymous().get(path).await.status, 200);
    let yanked =
        ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/withdraw", &serde_json::json!({})).await;
    assert_eq!(yanked.status, 200);
    assert_eq!(download(&at("192.0.2.4"), "demo", PERSON).await, 410);
    ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/restore", &serde_json::json!({})).await;
    // Notes are written in the order in which they came: behind this one are none.
    assert_eq!(download(&at("192.0.2.5"), "demo", PERSON).await, 200);
    assert_eq!(total(&once_counted(&registry, "demo", 1).await), 1);
    assert_eq!(total(&counted(&registry, "demo").await), 1);
}

#[tokio::test]
async fn the_operator_names_networks_of_mirrors() {
    let settings = "downloads.mirrors = \"198.51.100.0/24\"\nserver.trusted_proxies = \"10.0.0.1\"\n";
    let registry = TestRegistry::on_sqlite().with(settings).start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    assert_eq!(download(&registry.anonymous().at("198.51.100.7"), "demo", PERSON).await, 200);
    // Whom a proxy asks for, and not the proxy.
    let proxy = registry.anonymous().at("10.0.0.1");
    let request =
        proxy.request(Method::GET, "/api/v1/download?slug=demo").header("x-forwarded-for", "198.51.100.8");
    proxy.send(request.body(axum::body::Body::empty()).unwrap()).await;
    let days = once_counted(&registry, "demo", 2).await;
    let [OfDay { people: 0, bots: 0, mirrors: 2, .. }] = days[..] else { panic!("{days:?}") };
}
