use serde_json::json;

use super::{HOOKS, LOCAL, Receiver, hook, once, rows};
use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn what_was_not_taken_is_sent_again_as_it_was() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let (receiver, address) = Receiver::start([500, 302]).await;
    let (id, _) = hook(&ada, address, &[]).await;
    Skill::new("demo").published(&ada).await;
    once(&ada, &id, |list| list.iter().any(|one| one["attempts"] == 1)).await;
    // Not before its time.
    registry.later(9);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(receiver.got().len(), 1);
    registry.later(1);
    let refused = once(&ada, &id, |list| list.iter().any(|one| one["attempts"] == 2)).await;
    assert_eq!((&refused[0]["status"], &refused[0]["deliveredAt"]), (&json!(302), &json!(null)));
    registry.later(20);
    let taken = once(&ada, &id, |list| list.iter().any(|one| one["deliveredAt"] != json!(null))).await;
    assert_eq!((&taken[0]["attempts"], &taken[0]["status"]), (&json!(3), &json!(200)));
    let got = receiver.got();
    assert_eq!(got.len(), 3);
    assert!(got.iter().all(|(_, text)| *text == got[0].1));
    assert_ne!(got[0].0["skill-signature"], got[1].0["skill-signature"], "the time is signed");
    assert!(rows(&registry, "SELECT id FROM jobs").await.is_empty());
}

/// What nobody takes is given up, and whoever takes nothing is told nothing any more.
#[tokio::test]
async fn who_never_takes_anything_is_left_alone() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let (receiver, address) = Receiver::start(std::iter::repeat_n(500, 200)).await;
    let (id, _) = hook(&ada, address, &[]).await;
    for n in 0..7 {
        Skill::new("demo").file("n.txt", n.to_string()).published(&ada).await;
    }
    for round in 1..=8 {
        let all = |list: &[serde_json::Value]| {
            list.len() == 7
                && list
                    .iter()
                    .all(|one| one["attempts"].as_u64() >= Some(round) || one["deadAt"] != json!(null))
        };
        once(&ada, &id, all).await;
        registry.later(3_600);
    }
    let list = once(&ada, &id, |list| list.iter().all(|one| one["deadAt"] != json!(null))).await;
    assert!(list.iter().any(|one| one["attempts"] == 8 && one["status"] == 500), "{list:#?}");
    let hooks = ada.get(HOOKS).await.json();
    assert_eq!(hooks["webhooks"][0]["disabledReason"], "50 attempts in a row were not taken");
    let sent = receiver.got().len();
    assert!((50..=56).contains(&sent), "{sent}");
    Skill::new("late").published(&ada).await;
    // Made behind it, and delivered: whatever was to be sent before was looked at.
    let (other, address) = Receiver::start([]).await;
    hook(&ada, address, &[]).await;
    registry.later(1);
    Skill::new("later").published(&ada).await;
    other.once_got(1).await;
    assert_eq!(receiver.got().len(), sent);
    let log = registry.admin().get("/api/registry/v1/audit?action=webhook-disable").await;
    assert_eq!(log.text().lines().count(), 1);
}

#[tokio::test]
async fn what_was_removed_is_told_nothing_more() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let (receiver, address) = Receiver::start([500]).await;
    let (id, _) = hook(&ada, address, &[]).await;
    Skill::new("demo").published(&ada).await;
    once(&ada, &id, |list| list.iter().any(|one| one["attempts"] == 1)).await;
    assert_eq!(ada.delete(&format!("{HOOKS}/{id}")).await.status, 204);
    assert_eq!(ada.delete(&format!("{HOOKS}/{id}")).await.json()["code"], "webhook-not-found");
    registry.later(3_600);
    // Its job goes without being sent.
    while !rows(&registry, "SELECT id FROM jobs").await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(receiver.got().len(), 1);
}
