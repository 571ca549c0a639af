//! How often somebody may ask, and who counts as one.

use axum::body::Body;
use http::{HeaderName, Method, StatusCode};
use insta::assert_snapshot;
use serde_json::json;
use skill_registry::auth::Scope;
use skill_registry::http::rows;
use skill_registry::rate::Kind;

use crate::support::{Answer, Caller, Skill, TestRegistry};

const READ: &str = "/api/v1/skills";

async fn limited(settings: &str) -> TestRegistry {
    TestRegistry::on_sqlite().with(settings).start().await
}

async fn status(caller: &Caller, path: &str) -> u16 {
    caller.get(path).await.status.as_u16()
}

/// A read for whom a proxy says that it asks.
async fn forwarded(proxy: &Caller, name: &str, value: &str) -> u16 {
    let name: HeaderName = name.parse().unwrap();
    let request = proxy.request(Method::GET, READ).header(name, value).body(Body::empty()).unwrap();
    proxy.send(request).await.status.as_u16()
}

/// Status, body and everything that an answer says about a limit.
fn told(answer: &Answer) -> String {
    let names = answer.headers.keys().map(HeaderName::as_str);
    let mut names: Vec<&str> =
        names.filter(|name| name.contains("ratelimit") || *name == "retry-after").collect();
    names.sort_unstable();
    let lines: Vec<String> =
        names.iter().map(|name| format!("{name}: {}\n", answer.header(name).unwrap())).collect();
    lines.concat() + &answer.shown()
}

#[tokio::test]
async fn one_too_many_is_told_in_every_face() {
    let registry = limited("rate.read.address = 1").await;
    registry.later(18);
    let client = registry.anonymous().at("192.0.2.7");
    let first = client.get(READ).await;
    assert_eq!(first.status, 200);
    assert_snapshot!(told(&first).split('\n').next().unwrap(), @"200 application/json");
    assert_snapshot!(told(&client.get(READ).await), @r"
    ratelimit-limit: 1
    ratelimit-remaining: 0
    ratelimit-reset: 42
    retry-after: 42
    x-ratelimit-limit: 1
    x-ratelimit-remaining: 0
    x-ratelimit-reset: 1796040060
    429 text/plain; charset=utf-8
    Rate limit exceeded
    ");
    assert_snapshot!(told(&client.get("/index/acme/demo").await), @r#"
    ratelimit-limit: 1
    ratelimit-remaining: 0
    ratelimit-reset: 42
    retry-after: 42
    x-ratelimit-limit: 1
    x-ratelimit-remaining: 0
    x-ratelimit-reset: 1796040060
    429 application/problem+json
    {
      "type": "urn:skill-registry:problem:rate-limited",
      "status": 429,
      "code": "rate-limited",
      "title": "no more than 1 reads a minute are answered",
      "limit": 1,
      "retryAfterSeconds": 42,
      "requestId": "test"
    }
    "#);
    let page = client.get("/skills").await;
    assert_eq!((page.status.as_u16(), page.header("retry-after")), (429, Some("42")));
    assert_eq!(page.header("x-ratelimit-limit"), Some("1"));
    assert!(page.text().contains("<h1>Too many requests</h1>"), "{}", page.text());
    assert!(page.text().contains("Try again in 42 s."), "{}", page.text());
}

/// Whoever follows `Retry-After` is answered.
#[tokio::test]
async fn the_next_minute_begins_anew() {
    let registry = limited("rate.read.address = 2").await;
    let client = registry.anonymous().at("192.0.2.7");
    for seconds_in in [0_u64, 59] {
        registry.later(seconds_in);
        assert_eq!([status(&client, READ).await, status(&client, READ).await], [200, 200]);
        let refused = client.get(READ).await;
        assert_eq!(refused.status, 429);
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert_eq!(wait, 60 - seconds_in);
        registry.later(wait - 1);
        assert_eq!(status(&client, READ).await, 429);
        registry.later(1);
    }
    assert_eq!(status(&client, READ).await, 200);
}

/// Bug report 111: two clients behind one proxy, which is trusted, are two.
#[tokio::test]
async fn clients_behind_a_proxy_are_told_apart() {
    let registry = limited("rate.read.address = 1\nserver.trusted_proxies = '10.0.0.0/8, fd00::/8'").await;
    for proxy in ["10.0.0.1", "::ffff:10.0.0.1", "fd00::1"] {
        registry.later(60);
        let proxy = registry.anonymous().at(proxy);
        for client in ["192.0.2.7", "192.0.2.8", "192.0.2.9, 10.2.0.1, 10.1.0.1"] {
            assert_eq!(forwarded(&proxy, "x-forwarded-for", client).await, 200, "{client}");
            assert_eq!(forwarded(&proxy, "x-forwarded-for", client).await, 429, "{client}");
        }
        // What a client writes itself stands further to the left, and makes it nobody else.
        assert_eq!(forwarded(&proxy, "x-forwarded-for", "198.51.100.1, 192.0.2.7").await, 429);
        // The other header was not chosen.
        assert_eq!(forwarded(&proxy, "forwarded", "for=198.51.100.2").await, 200);
        assert_eq!(forwarded(&proxy, "forwarded", "for=198.51.100.3").await, 429);
    }
}

#[tokio::test]
async fn clients_behind_a_proxy_that_speaks_rfc_7239_are_told_apart() {
    let settings = "rate.read.address = 1\n[server]\ntrusted_proxies = '10.0.0.1'\nforwarded = 'forwarded'";
    let registry = limited(settings).await;
    let proxy = registry.anonymous().at("10.0.0.1");
    for client in ["for=192.0.2.7;proto=https", "for=\"[2001:db8::7]:4711\""] {
        assert_eq!(forwarded(&proxy, "forwarded", client).await, 200, "{client}");
        assert_eq!(forwarded(&proxy, "forwarded", client).await, 429, "{client}");
    }
    assert_eq!(forwarded(&proxy, "forwarded", "for=198.51.100.1, for=192.0.2.7").await, 429);
}

/// Bug report 111: a header of somebody who is no proxy of ours says nothing.
#[tokio::test]
async fn a_header_from_elsewhere_is_ignored() {
    for trusted in ["", "server.trusted_proxies = '10.0.0.0/8'"] {
        let registry = limited(&format!("rate.read.address = 1\n{trusted}")).await;
        let client = registry.anonymous().at("203.0.113.9");
        assert_eq!(forwarded(&client, "x-forwarded-for", "192.0.2.7").await, 200);
        assert_eq!(forwarded(&client, "x-forwarded-for", "192.0.2.8").await, 429);
        // Nor does it use up what the other one has.
        assert_eq!(status(&registry.anonymous().at("192.0.2.7"), READ).await, 200);
    }
}

/// Bug report 111: an address that is not known is no bucket for all.
#[tokio::test]
async fn an_unknown_address_counts_by_connection() {
    let registry = limited("rate.read.address = 1\nserver.trusted_proxies = '10.0.0.0/8'").await;
    let (one, other) = (registry.anonymous().at("10.0.0.1"), registry.anonymous().at("10.0.0.1"));
    for connection in [&one, &other] {
        assert_eq!(status(connection, READ).await, 200);
        assert_eq!(forwarded(connection, "x-forwarded-for", "unknown").await, 429);
    }
    // So does one of this machine: there may be a proxy on it of which nobody told us.
    for here in ["127.0.0.1", "::1"] {
        let (one, other) = (registry.anonymous().at(here), registry.anonymous().at(here));
        assert_eq!([status(&one, READ).await, status(&one, READ).await], [200, 429], "{here}");
        assert_eq!(status(&other, READ).await, 200, "{here}");
    }
}

/// One customer of a network has a /64 of it, with more addresses than anybody can count.
#[tokio::test]
async fn a_network_of_ipv6_counts_as_one() {
    let registry = limited("rate.read.address = 1").await;
    assert_eq!(status(&registry.anonymous().at("2001:db8:0:1::1"), READ).await, 200);
    assert_eq!(status(&registry.anonymous().at("2001:db8:0:1:ffff::2"), READ).await, 429);
    assert_eq!(status(&registry.anonymous().at("2001:db8:0:2::1"), READ).await, 200);
}

#[tokio::test]
async fn a_user_counts_apart_from_the_address_and_whatever_the_token() {
    let registry = limited("rate.read.address = 1\nrate.read.user = 2\nrate.read.admin = 3").await;
    let ada = registry.user("ada").await;
    let second = registry.token("ada", [Scope::Read]).await;
    let bob = registry.user("bob").await;
    let nobody = registry.anonymous().at("192.0.2.7");
    assert_eq!([status(&nobody, READ).await, status(&nobody, READ).await], [200, 429]);
    // A token that is good asks nothing of the address.
    assert_eq!(status(&ada.at("192.0.2.7"), READ).await, 200);
    assert_eq!(status(&second.at("192.0.2.8"), READ).await, 200);
    for caller in [&ada, &second] {
        assert_eq!(status(&caller.at("192.0.2.9"), READ).await, 429);
    }
    assert_eq!(status(&bob.at("192.0.2.7"), READ).await, 200);
    let admin = registry.admin().at("192.0.2.7");
    for expected in [200, 200, 200, 429] {
        assert_eq!(status(&admin, READ).await, expected);
    }
}

#[tokio::test]
async fn kinds_are_counted_apart() {
    let settings = "rate.read.user = 1\nrate.write.user = 2\nrate.download.user = 1";
    let registry = limited(settings).await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let download = "/api/v1/download?slug=demo";
    assert_eq!([status(&ada, download).await, status(&ada, download).await], [200, 429]);
    assert_eq!([status(&ada, READ).await, status(&ada, READ).await], [200, 429]);
    let yank = "/api/registry/v1/skills/ada/demo/versions/1.0.0/yank";
    assert_eq!(ada.post(yank, &json!({})).await.status, 200);
    let refused = ada.post(yank, &json!({})).await;
    assert_snapshot!(told(&refused), @r#"
    ratelimit-limit: 2
    ratelimit-remaining: 0
    ratelimit-reset: 60
    retry-after: 60
    x-ratelimit-limit: 2
    x-ratelimit-remaining: 0
    x-ratelimit-reset: 1796040060
    429 application/problem+json
    {
      "type": "urn:skill-registry:problem:rate-limited",
      "status": 429,
      "code": "rate-limited",
      "title": "no more than 2 writes a minute are answered",
      "limit": 2,
      "retryAfterSeconds": 60,
      "requestId": "test"
    }
    "#);
    // It is decided before the body is: nothing could read this one.
    let request = ada.request(Method::POST, "/api/registry/v1/publish").body(Body::from("nothing")).unwrap();
    assert_eq!(ada.send(request).await.status, 429);
}

#[tokio::test]
async fn whatever_is_asked_counts() {
    let registry = limited("rate.read.address = 3").await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let client = registry.anonymous().at("192.0.2.7");
    let index = client.get("/index/ada/demo").await;
    let known = client.known("/index/ada/demo", index.header("etag").unwrap()).await;
    let head = client.send(client.request(Method::HEAD, READ).body(Body::empty()).unwrap()).await;
    assert_eq!([index.status, known.status, head.status].map(|status| status.as_u16()), [200, 304, 200]);
    // What is kept, what is not there, and what no route has.
    for path in ["/index/ada/demo", "/api/v1/skills/none", "/skills", "/no/such/page"] {
        assert_eq!(status(&client, path).await, 429, "{path}");
    }
    // What watches the registry and what its pages are made with is always answered.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(status(&client, path).await, 200, "{path}");
    }
    assert_eq!(status(&client, "/static/none.css").await, 404);
}

/// Who has used up the reads of an address must not keep others there from coming as users.
#[tokio::test]
async fn what_is_told_to_everybody_counts_apart() {
    let registry = limited("rate.read.address = 2").await;
    let client = registry.anonymous().at("192.0.2.7");
    for expected in [200, 200, 429] {
        assert_eq!(status(&client, READ).await, expected);
    }
    let open = "/.well-known/skill-registry.json";
    for expected in [200, 200, 429] {
        assert_eq!(status(&client, open).await, expected);
    }
}

#[tokio::test]
async fn tokens_that_are_not_good_are_looked_up_so_often() {
    let registry = limited("rate.refused.address = 2\nrate.read.address = 1").await;
    let ada = registry.user("ada").await;
    let here = "192.0.2.7";
    let unknown = skill_registry::auth::new_token(registry.app.entropy()).unwrap();
    let guess = async |token: &str| {
        let caller = registry.anonymous().at(here);
        let request = caller.request(Method::GET, READ).header("authorization", format!("Bearer {token}"));
        caller.send(request.body(Body::empty()).unwrap()).await
    };
    for token in [unknown.reveal(), "skr_none"] {
        assert_eq!(guess(token).await.status, 401);
    }
    assert_snapshot!(told(&guess(unknown.reveal()).await), @r"
    ratelimit-limit: 2
    ratelimit-remaining: 0
    ratelimit-reset: 60
    retry-after: 60
    x-ratelimit-limit: 2
    x-ratelimit-remaining: 0
    x-ratelimit-reset: 1796040060
    429 text/plain; charset=utf-8
    Rate limit exceeded
    ");
    // No token from there is looked up for the rest of the minute; elsewhere and without one all is as it was.
    assert_eq!(status(&ada.at(here), READ).await, 429);
    assert_eq!(status(&ada.at("192.0.2.8"), READ).await, 200);
    assert_eq!(status(&registry.anonymous().at(here), READ).await, 200);
    registry.later(60);
    assert_eq!(status(&ada.at(here), READ).await, 200);
    // A token that is good and may not do this is no guess.
    let reader = registry.token("ada", [Scope::Read]).await.at("192.0.2.9");
    for _ in 0..4 {
        assert_eq!(reader.post("/api/registry/v1/publish", &json!({})).await.status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn no_limit_and_no_connection() {
    let registry =
        limited("[rate]\nread.address = 0\nread.user = 0\nwrite.address = 1\nrefused.address = 0").await;
    let client = registry.anonymous().at("192.0.2.7");
    let ada = registry.user("ada").await.at("192.0.2.7");
    for _ in 0..10 {
        assert_eq!([status(&client, READ).await, status(&ada, READ).await], [200, 200]);
    }
    // Whoever calls the router in its own process has no address.
    for _ in 0..10 {
        let answer = registry.anonymous().post("/api/registry/v1/publish", &json!({})).await;
        assert_eq!(answer.status, 401);
    }
}

/// As what routes are counted that are neither a read with GET nor a write without it.
#[tokio::test]
async fn what_is_counted_as_something_else() {
    let mut table = String::new();
    for row in rows() {
        let usual = if row.method == Method::GET { Kind::Read } else { Kind::Write };
        if row.rate != Some(usual) {
            let kind = row.rate.map_or("uncounted".to_owned(), |kind| format!("{kind:?}"));
            table += &format!("{kind:9} {} {}\n", row.method, row.path);
        }
    }
    assert_snapshot!(table, @r"
    Read      POST /api/registry/v1/publish/plan
    Open      GET /.well-known/skill-registry.json
    uncounted GET /healthz
    uncounted GET /readyz
    Open      GET /trust/root/{file}
    Download  GET /api/v1/download
    Open      GET /sign-in
    Open      GET /sign-in/link/{secret}
    uncounted GET /static/{file}
    Open      GET /robots.txt
    ");
}
