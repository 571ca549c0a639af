use std::collections::BTreeMap;

use proptest::prelude::*;
use skill_core::digest::Sha256;
use skill_registry::store::downloads::{self, Class};

use crate::support::{TestRegistry, rows};

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Clients by number: each is one class, whatever it downloads.
fn class(client: u8) -> Class {
    [Class::Person, Class::Bot, Class::Mirror][usize::from(client % 3)]
}

#[test]
fn the_order_of_downloads_changes_no_count() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let registry = runtime.block_on(TestRegistry::on_sqlite().start());
    let round = std::cell::Cell::new(0);
    proptest!(ProptestConfig::with_cases(24), |(
        mut notes in proptest::collection::vec((0..6_u8, 0..3_i64), 1..24),
        swaps in proptest::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..24),
    )| {
        let mut counted = Vec::new();
        for turn in 0..2 {
            if turn == 1 {
                for (one, other) in &swaps {
                    let (one, other) = (one.index(notes.len()), other.index(notes.len()));
                    notes.swap(one, other);
                }
            }
            round.set(round.get() + 1);
            counted.push(runtime.block_on(count(&registry, round.get(), &notes)));
        }
        // What it must be: each client once a day.
        let mut model: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
        let mut clients = notes.clone();
        clients.sort_unstable();
        clients.dedup();
        for (client, day) in clients {
            model.entry(day).or_default()[usize::from(client % 3)] += 1;
        }
        prop_assert_eq!(&counted[0], &counted[1]);
        prop_assert_eq!(&counted[0], &model);
    });
    drop(registry);
}

/// Counts these downloads, by client and day, of a new skill.
async fn count(registry: &TestRegistry, round: u32, notes: &[(u8, i64)]) -> BTreeMap<i64, [u64; 3]> {
    let name = format!("user{round}");
    let user = registry.add_user(&name).await;
    let published = rows::publish(&registry.app, &format!("{name}/demo"), &user.id, "1.0.0").await;
    let (skill, release, _) = published.unwrap().unwrap();
    let mut tx = registry.app.db().quiet().await.unwrap();
    for (client, day) in notes {
        let at = jiff::Timestamp::from_second(day * DAY_SECONDS + i64::from(*client)).unwrap();
        let digest = Sha256::of([*client]);
        downloads::count(tx.conn(), &release.id, digest, class(*client), at).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut conn = registry.app.db().read().await.unwrap();
    let days = downloads::by_day(&mut conn, &skill.id, 0).await.unwrap();
    days.iter().map(|of| (of.day, [of.people, of.bots, of.mirrors])).collect()
}
