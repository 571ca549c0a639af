//! Pages as gzip: the same bytes when they are unpacked, an entity tag of their own, and nothing else is compressed.

use std::io::Read as _;

use axum::body::Body;
use flate2::read::GzDecoder;
use http::Method;
use http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};

use crate::support::{Answer, Caller, Skill, TestRegistry};

async fn ask(anyone: &Caller, method: Method, path: &str, known: Option<&str>) -> Answer {
    let mut request = anyone.request(method, path).header(ACCEPT_ENCODING, "br, gzip");
    if let Some(known) = known {
        request = request.header(IF_NONE_MATCH, known);
    }
    anyone.send(request.body(Body::empty()).unwrap()).await
}

fn unpacked(answer: &Answer) -> Vec<u8> {
    assert_eq!(answer.header("content-encoding"), Some("gzip"), "{}", answer.shown());
    let mut plain = Vec::new();
    GzDecoder::new(&answer.body[..]).read_to_end(&mut plain).unwrap();
    plain
}

async fn registry() -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("tides").file("long.txt", "a line like all others\n".repeat(20_000)).published(&ada).await;
    registry
}

#[tokio::test]
async fn a_page_is_the_same_when_it_is_unpacked() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let home = anyone.get("/").await;
    let style = home.text().split('"').find(|part| part.starts_with("/static/style-")).unwrap();
    for path in [style, "/", "/skills", "/ada", "/ada/skills/tides", "/search?q=tides"] {
        let plain = anyone.get(path).await;
        assert_eq!(
            (plain.header("content-encoding"), plain.header("vary")),
            (None, Some("accept-encoding")),
            "{path}"
        );
        let [once, twice] =
            [ask(&anyone, Method::GET, path, None).await, ask(&anyone, Method::GET, path, None).await];
        assert_eq!(once.status, plain.status, "{path}");
        assert_eq!(once.body, twice.body, "{path}");
        assert_eq!(once.header("vary"), Some("accept-encoding"), "{path}");
        assert_eq!(unpacked(&once), plain.body, "{path}");
        assert!(once.body.len() < plain.body.len() / 2, "{path}");
        assert!(once.header("etag").is_some_and(|tag| Some(tag) != plain.header("etag")), "{path}");
    }
    let long = "/ada/skills/tides/files?path=long.txt";
    assert_eq!(unpacked(&ask(&anyone, Method::GET, long, None).await), anyone.get(long).await.body);
}

/// What went wrong is told anew each time, and has no tag.
#[tokio::test]
async fn an_error_stays_as_it_is() {
    let registry = registry().await;
    for path in ["/nobody", "/search?q=%00", "/no/such/page"] {
        let answer = ask(&registry.anonymous(), Method::GET, path, None).await;
        assert!(answer.status.is_client_error() && answer.text().contains("</html>"), "{path}");
        assert_eq!((answer.header("content-encoding"), answer.header("etag")), (None, None), "{path}");
    }
}

/// A browser asks again with the tag of what it has, and a tag never stands for other bytes.
#[tokio::test]
async fn each_representation_has_its_tag() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    let page = "/ada/skills/tides";
    let packed = ask(&anyone, Method::GET, page, None).await;
    let tag = packed.header("etag").unwrap().to_owned();
    let weak = format!("W/{tag}, \"other\"");
    for known in [tag.as_str(), weak.as_str()] {
        let again = ask(&anyone, Method::GET, page, Some(known)).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{known}");
        assert_eq!(
            (again.header("etag"), again.header("vary")),
            (Some(tag.as_str()), Some("accept-encoding"))
        );
    }
    let plain = anyone.get(page).await;
    let other = plain.header("etag").unwrap();
    assert_eq!(ask(&anyone, Method::GET, page, Some(other)).await.status, 200, "the plain page is another");
    let head = ask(&anyone, Method::HEAD, page, None).await;
    assert_eq!((head.header("etag"), head.header("content-encoding")), (Some(other), None));
    Skill::new("tides").version("1.1.0").published(&registry.user("bob").await).await;
    assert_eq!(ask(&anyone, Method::GET, page, Some(&tag)).await.status, 304, "nothing of this page changed");
}

#[tokio::test]
async fn archives_files_and_short_answers_stay_as_they_are() {
    let registry = registry().await;
    let anyone = registry.anonymous();
    for path in [
        "/api/v1/download?slug=tides&ownerHandle=ada&version=1.0.0",
        "/api/v1/skills/tides/file?ownerHandle=ada&version=1.0.0&path=long.txt",
        "/api/v1/skills/tides?ownerHandle=ada",
        "/robots.txt",
        "/sitemap.xml",
    ] {
        let answer = ask(&anyone, Method::GET, path, None).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, None), "{path}");
        assert_eq!(answer.body, anyone.get(path).await.body, "{path}");
    }
}
