//! What others than readers take from the catalogue: search engines its map, shared links their preview.

use skill_core::state::ReleaseState;
use skill_registry::web::Sitemap;

use super::markup;
use crate::support::states::put_into;
use crate::support::{Answer, Skill, TestRegistry};

/// The preview of a page: Open Graph and Twitter's own, a line for each.
fn preview(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap();
    let metas = page.all("meta").filter_map(|meta| {
        let name = if meta.get("property").is_empty() { meta.get("name") } else { meta.get("property") };
        let is_preview = ["og:", "twitter:"].iter().any(|prefix| name.starts_with(prefix));
        is_preview.then(|| format!("{name} {}\n", meta.get("content")))
    });
    metas.collect()
}

#[tokio::test]
async fn a_shared_link_has_a_title_a_sentence_and_a_picture() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    let anyone = registry.anonymous();
    let page = anyone.get("/ada/skills/tides").await;
    let html = page.text();
    let address = html.split("og:image\" content=\"http://127.0.0.1:8787").nth(1).unwrap();
    let address = address.split('"').next().unwrap();
    let preview = preview(&page).replace(address, "/static/card-….png");
    insta::assert_snapshot!(preview, @r"
    og:type website
    og:site_name 127.0.0.1:8787
    og:title ada/tides
    og:description What tides does
    og:url http://127.0.0.1:8787/ada/skills/tides
    og:image http://127.0.0.1:8787/static/card-….png
    og:image:type image/png
    og:image:width 1200
    og:image:height 630
    og:image:alt A page with a check mark, and the words skill registry
    twitter:card summary_large_image
    ");
    let picture = anyone.get(address).await;
    assert_eq!(picture.header("content-type"), Some("image/png"));
    assert_eq!(picture.body[..8], *b"\x89PNG\r\n\x1a\n");
    let size = |at: usize| u32::from_be_bytes(picture.body[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (1200, 630));
    assert!(picture.body.len() < 40_000, "{}", picture.body.len());
}

/// Nobody gets to hold out a skill with a mark with the registry's picture on it: the mark is the first word.
#[tokio::test]
async fn what_has_a_mark_has_no_picture_and_says_so_first() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let mut shown = String::new();
    for state in ReleaseState::ALL {
        let slug = format!("is-{state}");
        put_into(&registry, &ada, &slug, state).await;
        let preview = preview(&registry.anonymous().get(&format!("/ada/skills/{slug}")).await);
        let title = preview.lines().find_map(|line| line.strip_prefix("og:title ")).unwrap();
        shown += &format!("{title}: picture {}\n", preview.contains("og:image "));
    }
    insta::assert_snapshot!(shown, @r"
    Nothing at this address: picture false
    ada/is-visible: picture true
    Suspicious: ada/is-suspicious: picture false
    Yanked: ada/is-yanked 1.0.0: picture false
    Withdrawn: ada/is-withdrawn 1.0.0: picture false
    Quarantined: ada/is-quarantined 1.0.0: picture false
    Nothing at this address: picture false
    Taken down: ada/is-taken-down 1.0.0: picture false
    ");
}

#[tokio::test]
async fn a_private_registry_gives_no_preview() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    assert_eq!(preview(&ada.get("/ada/skills/tides").await), "");
    assert_eq!(preview(&registry.anonymous().get("/ada/skills/tides").await), "");
}

on_both_engines! {
    /// A map of more addresses than one file holds is an index; every skill without a mark stands in one of its files.
    async fn a_long_map_is_an_index_of_files(registry) {
        let ada = registry.user("ada").await;
        for number in 0..5 {
            Skill::new(&format!("tides-{number}")).published(&ada).await;
            registry.later(60);
        }
        put_into(registry, &ada, "marked", ReleaseState::Suspicious).await;
        let map = Sitemap::of(2);
        insta::assert_snapshot!(map.file(&registry.app, None).await.unwrap(), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>http://127.0.0.1:8787/sitemap.xml?page=1</loc></sitemap>
        <sitemap><loc>http://127.0.0.1:8787/sitemap.xml?page=2</loc></sitemap>
        <sitemap><loc>http://127.0.0.1:8787/sitemap.xml?page=3</loc></sitemap>
        </sitemapindex>
        "#);
        insta::assert_snapshot!(map.file(&registry.app, Some(1)).await.unwrap(), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>http://127.0.0.1:8787/ada/skills/tides-0</loc><lastmod>2026-11-30</lastmod></url>
        <url><loc>http://127.0.0.1:8787/ada/skills/tides-1</loc><lastmod>2026-11-30</lastmod></url>
        </urlset>
        "#);
        insta::assert_snapshot!(map.file(&registry.app, Some(3)).await.unwrap(), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>http://127.0.0.1:8787/ada/skills/tides-4</loc><lastmod>2026-11-30</lastmod></url>
        </urlset>
        "#);
        for missing in [0, 4, u32::MAX] {
            assert!(map.file(&registry.app, Some(missing)).await.is_err(), "{missing}");
        }
        // Five in one file: no index.
        let whole = Sitemap::of(5).file(&registry.app, None).await.unwrap();
        assert_eq!(whole.matches("<url>").count(), 5);
        assert_eq!(Sitemap::of(5).file(&registry.app, Some(1)).await.unwrap(), whole);
        assert_eq!(Sitemap::of(0), Sitemap::of(1));
        assert_eq!(Sitemap::of(u32::MAX), Sitemap::of(50_000));
    }
}

#[tokio::test]
async fn a_file_of_the_map_is_asked_for_by_its_number() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").published(&ada).await;
    let anyone = registry.anonymous();
    let first = anyone.get("/sitemap.xml?page=1").await;
    assert_eq!(first.text(), anyone.get("/sitemap.xml").await.text());
    assert_eq!(first.header("content-type"), Some("application/xml"));
    for missing in ["0", "2", "-1", "x", "99999999999999"] {
        assert_eq!(anyone.get(&format!("/sitemap.xml?page={missing}")).await.status, 404, "{missing}");
    }
}
