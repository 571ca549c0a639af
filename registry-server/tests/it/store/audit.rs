//! The audit log: who did what, with what, and why; and the chain that shows when it was touched.

use serde_json::json;
use skill_core::digest::Sha256;
use skill_registry::store::audit::{self, Actor, BrokenChain, NewAudit, verify_chain};
use skill_registry::store::events::{EventKind, NewEvent};
use sqlx::Row as _;
use tokio::task::JoinSet;

use crate::support::{Skill, TestRegistry};

fn change(number: usize) -> NewAudit {
    NewAudit::new(Actor::unshown("test"), "test.change", format!("thing-{number}"))
}

async fn write(registry: &TestRegistry, count: usize) {
    let mut tx = registry.app.db().quiet().await.unwrap();
    for number in 0..count {
        tx.audit(change(number));
    }
    tx.commit().await.unwrap();
}

async fn length(registry: &TestRegistry) -> u64 {
    verify_chain(&mut registry.app.db().read().await.unwrap()).await.unwrap()
}

on_both_engines! {
    async fn a_change_names_who_with_what_and_why(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let yank = "/api/registry/v1/skills/ada/demo/versions/1.0.0/yank";
        ada.post(yank, &json!({ "reason": "deletes files" })).await;
        let mut conn = registry.app.db().read().await.unwrap();
        let id: String = sqlx::query("SELECT id FROM tokens WHERE label = 'test'").fetch_one(&mut *conn).await.unwrap().get("id");
        let rows = audit::newest(&mut conn, 2).await.unwrap();
        let shown: Vec<String> = rows
            .iter()
            .map(|row| format!("{} by {} ({}) to {}: {:?} {}", row.action, row.actor, row.credential, row.subject, row.reason, row.detail))
            .map(|line| line.replace(&id, "ID"))
            .collect();
        assert_eq!(shown[0], r#"yank by ada (token:ID) to ada/demo@1.0.0: "deletes files" {"sequence":1}"#);
        assert!(shown[1].starts_with("publish by ada (token:ID) to ada/demo@1.0.0: \"\" {\"treeDigest\":"), "{}", shown[1]);
    }

    /// The digest from the words of docs/ARCHITECTURE.md alone.
    async fn a_link_is_what_the_page_says(registry) {
        let before = length(registry).await;
        let mut tx = registry.app.db().quiet().await.unwrap();
        tx.audit(change(1).because("a \"quoted\" é\n").with(json!({ "b": 1, "a": [true, null] })));
        tx.commit().await.unwrap();
        let mut conn = registry.app.db().read().await.unwrap();
        let rows = sqlx::query("SELECT seq, id, at, sha256 FROM audit ORDER BY seq DESC LIMIT 2").fetch_all(&mut *conn).await.unwrap();
        let [row, previous] = rows.as_slice() else { panic!("the first start made none") };
        let (seq, id, at): (i64, String, i64) = (row.get("seq"), row.get("id"), row.get("at"));
        assert_eq!(seq, i64::try_from(before).unwrap() + 1);
        let line = format!(
            r#"{{"seq":{seq},"id":"{id}","at":{at},"actor":"test","credential":"","action":"test.change","subject":"thing-1","reason":"a \"quoted\" é\n","detail":{{"b":1,"a":[true,null]}}}}"#
        );
        let expected = Sha256::of(previous.get::<String, _>("sha256") + &line).to_hex();
        assert_eq!(row.get::<String, _>("sha256"), expected);
    }

    async fn writers_at_the_same_time_make_one_chain(registry) {
        let before = length(registry).await;
        let mut tasks = JoinSet::new();
        for task in 0..8 {
            let app = registry.app.clone();
            tasks.spawn(async move {
                for number in 0..5 {
                    if task % 2 == 0 {
                        let mut tx = app.db().quiet().await.unwrap();
                        tx.audit(change(number));
                        tx.audit(change(number));
                        tx.commit().await.unwrap();
                    } else {
                        let mut tx = app.db().write().await.unwrap();
                        tx.audit(change(number));
                        let made = NewEvent::of_publisher(EventKind::PublisherChanged, "ada".parse().unwrap());
                        tx.commit(made).await.unwrap();
                    }
                }
            });
        }
        tasks.join_all().await;
        assert_eq!(length(registry).await, before + 4 * 5 * 2 + 4 * 5);
    }

    async fn what_was_undone_is_not_in_it(registry) {
        write(registry, 1).await;
        let before = length(registry).await;
        let mut tx = registry.app.db().quiet().await.unwrap();
        tx.audit(change(1));
        drop(tx);
        assert_eq!(length(registry).await, before);
    }

    /// Whoever touches the rows is found; each time what was done is undone again.
    async fn every_way_to_touch_it_shows(registry) {
        // Two rows are those of the first start.
        write(registry, 3).await;
        let mut found = String::new();
        for sql in [
            "UPDATE audit SET actor = 'somebody' WHERE seq = 2",
            "UPDATE audit SET detail = '{\"a\":1}' WHERE seq = 2",
            "UPDATE audit SET detail = 'x' WHERE seq = 2",
            "UPDATE audit SET sha256 = NULL WHERE seq = 2",
            "DELETE FROM audit WHERE seq = 1",
            "DELETE FROM audit WHERE seq = 3",
            "DELETE FROM audit WHERE seq = 5",
            "DELETE FROM audit",
            "UPDATE audit SET seq = seq + 10 WHERE seq = 5",
            "UPDATE counters SET value = 4 WHERE name = 'audit'",
            "INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', 6)",
            "INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', 0)",
            "INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', -7)",
            "INSERT INTO audit (id, at, actor, action, subject, detail) SELECT 'x', MAX(at) + 1, 'a', 'b', 'c', '{}' FROM audit",
        ] {
            let mut tx = registry.app.db().quiet().await.unwrap();
            sqlx::query(sql).execute(tx.conn()).await.unwrap();
            let broken = verify_chain(tx.conn()).await.unwrap_err();
            drop(tx);
            found += &format!("{sql}: {broken}\n");
        }
        insta::assert_snapshot!(found, @r#"
        UPDATE audit SET actor = 'somebody' WHERE seq = 2: row 2 of the audit log is not what was written
        UPDATE audit SET detail = '{"a":1}' WHERE seq = 2: row 2 of the audit log is not what was written
        UPDATE audit SET detail = 'x' WHERE seq = 2: row 2 of the audit log is not what was written
        UPDATE audit SET sha256 = NULL WHERE seq = 2: row 2 of the audit log is not what was written
        DELETE FROM audit WHERE seq = 1: row 1 of the audit log is missing
        DELETE FROM audit WHERE seq = 3: row 3 of the audit log is missing
        DELETE FROM audit WHERE seq = 5: row 5 of the audit log is missing
        DELETE FROM audit: row 1 of the audit log is missing
        UPDATE audit SET seq = seq + 10 WHERE seq = 5: row 5 of the audit log is missing
        UPDATE counters SET value = 4 WHERE name = 'audit': the audit log has row 5, its counter says 4
        INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', 6): the audit log has row 6, its counter says 5
        INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', 0): the row x of the audit log stands in no place of its chain
        INSERT INTO audit (id, at, actor, action, subject, detail, seq) VALUES ('x', 1, 'a', 'b', 'c', '{}', -7): the row x of the audit log stands in no place of its chain
        INSERT INTO audit (id, at, actor, action, subject, detail) SELECT 'x', MAX(at) + 1, 'a', 'b', 'c', '{}' FROM audit: the row x of the audit log stands in no place of its chain
        "#);
        assert_eq!(length(registry).await, 5);
    }

    /// Rows that are written while the log is read are no rows that were put in.
    async fn a_log_that_grows_is_whole(registry) {
        let app = registry.app.clone();
        let writer = tokio::spawn(async move {
            for number in 0..150 {
                let mut tx = app.db().quiet().await.unwrap();
                tx.audit(change(number));
                tx.commit().await.unwrap();
            }
        });
        while !writer.is_finished() {
            length(registry).await;
            tokio::task::yield_now().await;
        }
        writer.await.unwrap();
    }

    async fn two_rows_that_changed_places_show(registry) {
        write(registry, 4).await;
        let mut tx = registry.app.db().quiet().await.unwrap();
        for sql in [
            "UPDATE audit SET seq = 9 WHERE seq = 2",
            "UPDATE audit SET seq = 2 WHERE seq = 3",
            "UPDATE audit SET seq = 3 WHERE seq = 9",
        ] {
            sqlx::query(sql).execute(tx.conn()).await.unwrap();
        }
        let broken = verify_chain(tx.conn()).await;
        assert!(matches!(broken, Err(BrokenChain::Changed { seq: 2 })), "{broken:?}");
    }
}
