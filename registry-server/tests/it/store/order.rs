//! One order of changes: events and leaves are numbered without gaps, whoever writes at the same time.

use std::collections::BTreeSet;

use skill_registry::store::events::{self, EventKind, NewEvent};
use skill_registry::store::{head, log};
use tokio::task::JoinSet;

use crate::support::rows;

on_both_engines! {
    async fn a_commit_numbers_its_event_and_leaves(registry) {
        let db = registry.app.db();
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let first = tx.log(&rows::statement("release", "a")).await.unwrap();
        let second = tx.log(&rows::statement("scan", "a")).await.unwrap();
        let done = tx.commit(NewEvent::of_registry(EventKind::TrustChanged)).await.unwrap();

        assert_eq!(done.event, before.event + 1);
        assert_eq!(done.leaves, [before.leaf, before.leaf + 1]);
        let mut conn = db.read().await.unwrap();
        let leaves = log::leaves(&mut conn, before.leaf, 10).await.unwrap();
        assert_eq!(leaves.iter().map(|l| (l.index, l.sha256)).collect::<Vec<_>>(),
            [(done.leaves[0], first), (done.leaves[1], second)]);
        let events = events::after(&mut conn, before.event, 10).await.unwrap();
        assert_eq!(events.iter().map(|e| (e.event, e.kind)).collect::<Vec<_>>(),
            [(done.event, EventKind::TrustChanged)]);
    }

    async fn a_dropped_transaction_leaves_nothing(registry) {
        let db = registry.app.db();
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        let mut tx = db.write().await.unwrap();
        let digest = tx.log(&rows::statement("release", "lost")).await.unwrap();
        drop(tx);
        let mut conn = db.read().await.unwrap();
        assert_eq!(head::get(&mut conn).await.unwrap(), before);
        assert_eq!(log::find(&mut conn, digest).await.unwrap(), None);
        // The writer is free again.
        drop(conn);
        db.write().await.unwrap().commit(NewEvent::of_registry(EventKind::TrustChanged)).await.unwrap();
    }

    async fn one_statement_is_never_two_leaves(registry) {
        let db = registry.app.db();
        let mut tx = db.write().await.unwrap();
        tx.log(&rows::statement("release", "twice")).await.unwrap();
        assert!(tx.log(&rows::statement("release", "twice")).await.is_err());
    }

    async fn a_reader_sees_the_state_before_while_a_writer_works(registry) {
        let db = registry.app.db();
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        let mut tx = db.write().await.unwrap();
        tx.log(&rows::statement("release", "unseen")).await.unwrap();
        assert_eq!(head::get(&mut db.read().await.unwrap()).await.unwrap(), before);
        tx.commit(NewEvent::of_registry(EventKind::TrustChanged)).await.unwrap();
        assert_eq!(head::get(&mut db.read().await.unwrap()).await.unwrap().event, before.event + 1);
    }

    async fn writers_at_the_same_time_share_one_order(registry) {
        let ada = registry.add_user("ada").await;
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        let mut writers = JoinSet::new();
        for writer in 0..8 {
            let (app, user) = (registry.app.clone(), ada.id.clone());
            writers.spawn(async move {
                let mut leaves = Vec::new();
                for number in 0..5 {
                    // Two writers to each skill, so that they meet on its row as well.
                    let name = format!("ada/skill-{}", writer / 2);
                    let version = format!("1.{writer}.{number}");
                    let (_, _, done) = rows::publish(&app, &name, &user, &version).await.unwrap().unwrap();
                    leaves.extend(done.leaves);
                }
                leaves
            });
        }
        let leaves: Vec<u64> = writers.join_all().await.into_iter().flatten().collect();
        let distinct: BTreeSet<u64> = leaves.iter().copied().collect();
        assert_eq!(distinct.len(), leaves.len());
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(after.event, before.event + 40);
        // A release and a scan each, and the claim of each of the four skills.
        assert_eq!(after.leaf, before.leaf + 84);
        assert_eq!(distinct, (before.leaf..after.leaf).collect());
    }
}
