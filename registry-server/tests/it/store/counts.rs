//! Downloads: each client once per release and day, and no event.

use std::time::Duration;

use skill_core::digest::Sha256;
use skill_registry::store::downloads::Class;
use skill_registry::store::{catalogue, downloads, head};

use crate::support::rows;

on_both_engines! {
    async fn a_client_counts_once_a_day(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, release, _) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let before = head::get(&mut db.read().await.unwrap()).await.unwrap();
        let (one, two) = (Sha256::of("one"), Sha256::of("two"));
        let now = registry.app.clock().now();
        let tomorrow = now + Duration::from_hours(24);
        let mut tx = db.quiet().await.unwrap();
        let mut counted = Vec::new();
        for (client, at) in [(one, now), (one, now), (two, now), (one, tomorrow)] {
            counted.push(downloads::count(tx.conn(), &release.id, client, Class::Person, at).await.unwrap());
        }
        tx.commit().await.unwrap();
        assert_eq!(counted, [true, false, true, true]);
        let mut conn = db.read().await.unwrap();
        let card = catalogue::card(&mut conn, &skill.id, &release.version).await.unwrap().unwrap();
        assert_eq!(card.downloads, 3);
        assert_eq!(head::get(&mut conn).await.unwrap(), before);
    }
}
