//! Jobs: claimed by one worker at a time, retried, dead after the last attempt.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use skill_registry::store::{Db, jobs};
use tokio::task::JoinSet;

fn job(id: &str, run_at: Timestamp) -> jobs::NewJob {
    jobs::NewJob {
        id: id.to_owned(),
        kind: "scan".to_owned(),
        payload: json!({ "release": "x" }),
        dedup_key: None,
        run_at,
        max_attempts: 2,
    }
}

async fn claim(db: &Db, worker: &str, now: Timestamp) -> Option<jobs::Job> {
    let mut tx = db.quiet().await.unwrap();
    let until = now + Duration::from_mins(1);
    let job = jobs::claim(tx.conn(), worker, "scan", now, until).await.unwrap();
    tx.commit().await.unwrap();
    job
}

on_both_engines! {
    async fn the_job_that_is_due_longest_is_claimed_first_and_by_one_worker(registry) {
        let (db, now) = (registry.app.db(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        for (id, wait) in [("late", 50), ("early", 10), ("future", 200)] {
            jobs::enqueue(tx.conn(), &job(id, now + Duration::from_secs(wait)), now).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(claim(db, "w", now).await, None);
        let later = now + Duration::from_secs(100);
        assert_eq!(claim(db, "w", later).await.unwrap().id, "early");
        assert_eq!(claim(db, "w", later).await.unwrap().id, "late");
        assert_eq!(claim(db, "w", later).await, None);
    }

    async fn workers_at_the_same_time_never_share_a_job(registry) {
        let (db, now) = (registry.app.db(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        for id in ["a", "b", "c", "d"] {
            jobs::enqueue(tx.conn(), &job(id, now), now).await.unwrap();
        }
        tx.commit().await.unwrap();
        let mut workers = JoinSet::new();
        for worker in 0..6 {
            let db = db.clone();
            workers.spawn(async move {
                let mut mine = Vec::new();
                for _ in 0..6 {
                    mine.extend(claim(&db, &worker.to_string(), now).await.map(|job| job.id));
                }
                mine
            });
        }
        let mut claimed: Vec<String> = workers.join_all().await.into_iter().flatten().collect();
        claimed.sort();
        assert_eq!(claimed, ["a", "b", "c", "d"]);
    }

    async fn a_claim_that_ran_out_passes_on_and_the_old_worker_has_no_say(registry) {
        let (db, now) = (registry.app.db(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        jobs::enqueue(tx.conn(), &job("a", now), now).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(claim(db, "dead", now).await.unwrap().attempts, 1);
        let later = now + Duration::from_secs(61);
        assert_eq!(claim(db, "alive", later).await.unwrap().attempts, 2);
        let mut tx = db.quiet().await.unwrap();
        assert!(!jobs::finish(tx.conn(), "a", "dead").await.unwrap());
        assert!(jobs::finish(tx.conn(), "a", "alive").await.unwrap());
        tx.commit().await.unwrap();
    }

    async fn a_job_that_fails_too_often_is_dead(registry) {
        let (db, now) = (registry.app.db(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        jobs::enqueue(tx.conn(), &job("a", now), now).await.unwrap();
        tx.commit().await.unwrap();
        for _ in 0..2 {
            assert!(claim(db, "w", now).await.is_some());
            let mut tx = db.quiet().await.unwrap();
            assert!(jobs::fail(tx.conn(), "a", "w", "no answer", now, now).await.unwrap());
            tx.commit().await.unwrap();
        }
        assert_eq!(claim(db, "w", now + Duration::from_secs(1000)).await, None);
    }

    async fn one_job_per_key(registry) {
        let (db, now) = (registry.app.db(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        let keyed = |id| jobs::NewJob { dedup_key: Some("k".to_owned()), ..job(id, now) };
        assert!(jobs::enqueue(tx.conn(), &keyed("a"), now).await.unwrap());
        assert!(!jobs::enqueue(tx.conn(), &keyed("b"), now).await.unwrap());
        assert!(jobs::enqueue(tx.conn(), &job("c", now), now).await.unwrap());
        assert!(jobs::enqueue(tx.conn(), &job("d", now), now).await.unwrap());
        tx.commit().await.unwrap();
    }
}
