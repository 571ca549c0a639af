//! Skills, releases, files, fingerprints, tags, bare slugs, aliases.

use skill_core::digest::Sha256;
use skill_core::name::SkillName;
use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::files::FileRow;
use skill_registry::store::fingerprints::FingerprintKind;
use skill_registry::store::{aliases, files, fingerprints, lines, releases, skills, slugs, tags};
use tokio::task::JoinSet;

use crate::support::rows;

on_both_engines! {
    async fn a_release_is_read_as_it_was_written(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, release, done) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let mut conn = db.read().await.unwrap();
        let read = releases::find(&mut conn, &skill.id, &release.version).await.unwrap().unwrap();
        assert_eq!(read.row, release);
        // The claim's leaf comes first, then the release's and the scan's.
        assert_eq!([read.log_index, read.scan_log_index], done.leaves[1..]);
        assert_eq!(releases::by_id(&mut conn, &release.id).await.unwrap(), Some(read.clone()));
        let line = lines::find(&mut conn, &skill.id, &release.version).await.unwrap().unwrap();
        assert_eq!(lines::by_id(&mut conn, &release.id).await.unwrap(), Some(line.clone()));
        assert_eq!((line.archive_sha256, line.log_index), (read.archive_sha256, read.log_index));
        assert_eq!(lines::of_skill(&mut conn, &skill.id).await.unwrap(), [line]);
        assert_eq!(lines::changelog(&mut conn, &release.id).await.unwrap(), release.changelog);
        assert!(releases::archive_is_needed(&mut conn, release.archive_sha256).await.unwrap());
        assert!(!releases::archive_is_needed(&mut conn, Sha256::of("other")).await.unwrap());
    }

    async fn a_number_is_used_once(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, first, _) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let mut tx = db.write().await.unwrap();
        let again = releases::NewRelease { id: "another".to_owned(), ..first };
        assert!(!releases::insert(tx.conn(), &again).await.unwrap());
        drop(tx);
        let all = lines::of_skill(&mut db.read().await.unwrap(), &skill.id).await.unwrap();
        assert_eq!(all.len(), 1);
    }

    async fn of_many_publishers_of_one_number_one_wins(registry) {
        let ada = registry.add_user("ada").await;
        let mut racers = JoinSet::new();
        for _ in 0..8 {
            let (app, user) = (registry.app.clone(), ada.id.clone());
            racers.spawn(async move { rows::publish(&app, "ada/race", &user, "1.0.0").await.unwrap().is_some() });
        }
        let won = racers.join_all().await.into_iter().filter(|won| *won).count();
        assert_eq!(won, 1);
    }

    async fn releases_are_sorted_by_number(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        for version in ["1.9.0", "1.10.0", "2.0.0-rc.1", "1.2.0"] {
            rows::publish(&registry.app, "ada/github", &ada.id, version).await.unwrap().unwrap();
        }
        let mut conn = db.read().await.unwrap();
        let skill = skills::find(&mut conn, &"ada/github".parse().unwrap()).await.unwrap().unwrap();
        let all = lines::of_skill(&mut conn, &skill.id).await.unwrap();
        let versions: Vec<String> = all.iter().map(|r| r.version.to_string()).collect();
        assert_eq!(versions, ["2.0.0-rc.1", "1.10.0", "1.9.0", "1.2.0"]);
        assert_eq!(skill.latest, Some("1.10.0".parse().unwrap()));
    }

    async fn files_come_back_in_byte_order(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (_, release, _) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let file = |path: &str, executable| FileRow {
            path: path.to_owned(),
            size: 3,
            sha256: Sha256::of(path),
            executable,
            content_type: "text/plain".to_owned(),
        };
        let written = [file("scripts/b.sh", true), file("SKILL.md", false), file("a.md", false), file("ä.md", false)];
        let mut tx = db.quiet().await.unwrap();
        files::insert(tx.conn(), &release.id, &written).await.unwrap();
        tx.commit().await.unwrap();
        let read = files::of_release(&mut db.read().await.unwrap(), &release.id).await.unwrap();
        let paths: Vec<&str> = read.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(paths, ["SKILL.md", "a.md", "scripts/b.sh", "ä.md"]);
        assert_eq!(read[2], written[0]);
    }

    async fn a_fingerprint_finds_the_releases_of_its_skill_only(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (one, first, _) = rows::publish(&registry.app, "ada/one", &ada.id, "1.0.0").await.unwrap().unwrap();
        let (two, second, _) = rows::publish(&registry.app, "ada/two", &ada.id, "1.0.0").await.unwrap().unwrap();
        let print = Sha256::of("print");
        let mut tx = db.quiet().await.unwrap();
        for release in [&first, &second] {
            for kind in [FingerprintKind::Uploaded, FingerprintKind::Stored] {
                fingerprints::insert(tx.conn(), &release.id, kind, print).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
        let mut conn = db.read().await.unwrap();
        assert_eq!(fingerprints::releases_with(&mut conn, &one.id, print).await.unwrap(), [first.id]);
        assert_eq!(fingerprints::releases_with(&mut conn, &two.id, print).await.unwrap(), [second.id]);
        let other = fingerprints::releases_with(&mut conn, &one.id, Sha256::of("other")).await.unwrap();
        assert_eq!(other, Vec::<String>::new());
    }

    async fn a_tag_moves_and_goes(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, first, _) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let (_, second, _) = rows::publish(&registry.app, "ada/github", &ada.id, "2.0.0").await.unwrap().unwrap();
        let (stable, now) = ("stable".parse().unwrap(), registry.app.clock().now());
        let mut tx = db.quiet().await.unwrap();
        tags::set(tx.conn(), &skill.id, &stable, &second.id, now).await.unwrap();
        tags::set(tx.conn(), &skill.id, &stable, &first.id, now).await.unwrap();
        assert_eq!(tags::of_skill(tx.conn(), &skill.id).await.unwrap(), [(stable.clone(), first.version)]);
        assert!(tags::remove(tx.conn(), &skill.id, &stable).await.unwrap());
        assert!(!tags::remove(tx.conn(), &skill.id, &stable).await.unwrap());
        tx.commit().await.unwrap();
    }

    async fn latest_is_never_a_row_of_tags(registry) {
        let ada = registry.add_user("ada").await;
        let (skill, first, _) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let mut tx = registry.app.db().quiet().await.unwrap();
        let now = registry.app.clock().now();
        assert!(tags::set(tx.conn(), &skill.id, &"latest".parse().unwrap(), &first.id, now).await.is_err());
    }

    async fn a_bare_slug_stays_with_its_first_publisher_until_it_is_given_up(registry) {
        let (ada, bob) = (registry.add_user("ada").await, registry.add_user("bob").await);
        let db = registry.app.db();
        let (first, ..) = rows::publish(&registry.app, "ada/github", &ada.id, "1.0.0").await.unwrap().unwrap();
        let (second, ..) = rows::publish(&registry.app, "bob/github", &bob.id, "1.0.0").await.unwrap().unwrap();
        let (slug, now) = ("github".parse().unwrap(), registry.app.clock().now());
        let mut tx = db.write().await.unwrap();
        assert_eq!(slugs::bind(tx.conn(), &slug, &first.id, now).await.unwrap(), first.id);
        assert_eq!(slugs::bind(tx.conn(), &slug, &second.id, now).await.unwrap(), first.id);
        slugs::release(tx.conn(), &first.id).await.unwrap();
        assert_eq!(slugs::holder(tx.conn(), &slug).await.unwrap(), None);
        assert_eq!(slugs::bind(tx.conn(), &slug, &second.id, now).await.unwrap(), second.id);
        let both = skills::with_slug(tx.conn(), &slug).await.unwrap();
        assert_eq!(both.iter().map(|s| s.owner.as_str()).collect::<Vec<_>>(), ["ada", "bob"]);
        tx.commit(NewEvent::of_registry(EventKind::SkillChanged)).await.unwrap();
    }

    async fn an_alias_leads_to_the_newest_skill_it_was_given(registry) {
        let ada = registry.add_user("ada").await;
        let db = registry.app.db();
        let (skill, ..) = rows::publish(&registry.app, "ada/new-name", &ada.id, "1.0.0").await.unwrap().unwrap();
        let old: SkillName = "ada/old-name".parse().unwrap();
        let mut tx = db.write().await.unwrap();
        let now = tx.now();
        let digest = tx.log(&rows::statement("name", "alias")).await.unwrap();
        aliases::set(tx.conn(), &old, &skill.id, digest, now).await.unwrap();
        aliases::set(tx.conn(), &old, &skill.id, digest, now).await.unwrap();
        assert_eq!(aliases::find(tx.conn(), &old).await.unwrap(), Some(skill.id.clone()));
        assert_eq!(skills::find(tx.conn(), &old).await.unwrap(), None);
        tx.commit(NewEvent::of_registry(EventKind::SkillChanged)).await.unwrap();
    }
}
