use std::process::Command;

use serde_json::json;

use super::{HOOKS, LOCAL, Receiver, body, hook, once, rows};
use crate::publish::malicious::hidden;
use crate::support::engine::env;
use crate::support::{Skill, TestRegistry};

/// What a receiver does with a signature, in another language.
const CHECK: &str = "import hashlib, hmac, sys
secret, signature, body = sys.argv[1:4]
parts = dict(part.split('=', 1) for part in signature.split(','))
expected = hmac.new(bytes.fromhex(secret), (parts['t'] + '.' + body).encode(), hashlib.sha256).hexdigest()
print(hmac.compare_digest(expected, parts['v1']), parts['t'])";

fn python(secret: &str, signature: &str, body: &str) -> Option<String> {
    match Command::new("python3").args(["-c", CHECK, secret, signature, body]).output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap().trim().to_owned()),
        Err(_) if env("CI").is_none() => {
            eprintln!("left out: there is no python3 to check the signature");
            None
        }
        Err(error) => panic!("python3: {error}"),
    }
}

async fn release_is_told(registry: &TestRegistry) {
    let ada = registry.user("ada").await;
    Skill::new("before").published(&ada).await;
    let (receiver, address) = Receiver::start([]).await;
    let (id, secret) = hook(&ada, address, &[]).await;
    registry.later(60);
    Skill::new("demo").published(&ada).await;
    let got = receiver.once_got(1).await;
    let (headers, text) = &got[0];
    let told = body(text);
    let delivery = told["id"].as_str().unwrap();
    let mut shown = told.clone();
    for key in ["id", "registryId"] {
        shown[key] = json!("…");
    }
    insta::allow_duplicates! {
        insta::assert_snapshot!(format!("{shown:#}"), @r#"
        {
          "id": "…",
          "kind": "publish",
          "event": 4,
          "at": "2026-11-30T12:01:00Z",
          "registryId": "…",
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.0",
          "state": "visible",
          "verdict": "clean",
          "url": "http://127.0.0.1:8787/ada/skills/demo"
        }
        "#);
    }
    assert_eq!(told["registryId"], registry.app.registry_id().to_string());
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["skill-event"], "publish");
    assert_eq!(headers["skill-delivery"], delivery);
    let signature = headers["skill-signature"].to_str().unwrap();
    if let Some(said) = python(&secret, signature, text) {
        assert_eq!(said, format!("True {}", registry.app.clock().now().as_second()));
        assert!(python(&secret, signature, &text.replace("demo", "evil")).unwrap().starts_with("False"));
    }
    let listed = once(&ada, &id, |list| list.iter().any(|one| one["status"] == 200)).await;
    assert_eq!(listed.len(), 1);
    assert_eq!((&listed[0]["id"], &listed[0]["attempts"]), (&told["id"], &json!(1)));
    assert!(rows(registry, "SELECT id FROM jobs").await.is_empty());
    // The secret was in one answer, and is nowhere else.
    let kept = rows(registry, "SELECT secret || url || kinds FROM webhooks").await.concat()
        + &rows(registry, "SELECT detail FROM audit").await.concat();
    assert!(!kept.contains(&secret));
    assert!(!ada.get(HOOKS).await.text().contains(&secret));
    assert!(!rows(registry, "SELECT detail FROM audit").await.concat().contains("key=1"));
}

#[tokio::test]
async fn a_release_is_told_on_sqlite() {
    release_is_told(&TestRegistry::on_sqlite().with(LOCAL).start().await).await;
}

#[tokio::test]
async fn a_release_is_told_on_postgres() {
    let Some(builder) = TestRegistry::on_postgres().await else { return };
    release_is_told(&builder.with(LOCAL).start().await).await;
}

/// Both see every event, and each may take any job.
#[tokio::test]
async fn two_processes_tell_once() {
    let Some(builder) = TestRegistry::on_postgres().await else { return };
    let registry = builder.with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let (receiver, address) = Receiver::start([]).await;
    let (id, _) = hook(&ada, address, &[]).await;
    let (other, _folder) = registry.beside().await;
    for n in 0..8 {
        Skill::new("demo").file("n.txt", n.to_string()).published(&ada).await;
    }
    let all = |list: &[serde_json::Value]| list.len() == 8 && list.iter().all(|one| one["status"] == 200);
    once(&ada, &id, all).await;
    while !rows(&registry, "SELECT id FROM jobs").await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(receiver.got().len(), 8);
    other.close().await;
}

#[tokio::test]
async fn each_is_told_what_it_asked_for() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
    let mut receivers = Vec::new();
    for kinds in [&["publish"][..], &["verdict"], &["state"], &[]] {
        let (receiver, address) = Receiver::start([]).await;
        hook(&ada, address, kinds).await;
        receivers.push((kinds, receiver));
    }
    Skill::new("demo").published(&ada).await;
    hidden("held").published(&ada).await;
    // Of others nothing is told.
    Skill::new("other").published(&bob).await;
    ada.post("/api/registry/v1/skills/ada/demo/versions/1.0.0/yank", &json!({})).await;
    // Tags are told to nobody.
    ada.put("/api/registry/v1/skills/ada/demo/tags/beta", &json!({ "version": "1.0.0" })).await;
    let mut shown = String::new();
    for ((kinds, receiver), count) in receivers.iter().zip([2, 1, 1, 3]) {
        let mut told: Vec<String> = receiver
            .once_got(count)
            .await
            .iter()
            .map(|(_, text)| {
                let told = body(text);
                format!("{} {} {} {}", told["kind"], told["slug"], told["state"], told["verdict"])
            })
            .collect();
        told.sort();
        shown += &format!("{kinds:?}\n  {}\n", told.join("\n  "));
    }
    insta::assert_snapshot!(shown.replace('"', ""), @r"
    [publish]
      publish demo visible clean
      publish held quarantined malicious
    [verdict]
      verdict held quarantined malicious
    [state]
      state demo yanked clean
    []
      publish demo visible clean
      publish held quarantined malicious
      state demo yanked clean
    ");
}

#[tokio::test]
async fn a_ping_is_sent_at_once_and_once() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let (receiver, address) = Receiver::start([204, 500]).await;
    let (id, _) = hook(&ada, address, &[]).await;
    let ping = format!("{HOOKS}/{id}/ping");
    assert_eq!(ada.post(&ping, &json!({})).await.json(), json!({ "status": 204, "error": null }));
    assert_eq!(ada.post(&ping, &json!({})).await.json(), json!({ "status": 500, "error": null }));
    let got = receiver.got();
    assert_eq!(got.len(), 2);
    let told = body(&got[0].1);
    assert_eq!((told["kind"].as_str(), told["owner"].as_str()), (Some("ping"), Some("ada")));
    let list = ada.get(&format!("{HOOKS}/{id}/deliveries")).await.json();
    assert_eq!(list, json!({ "deliveries": [] }));
}
