//! Webhooks as their publisher's members see them in a browser.

use insta::assert_snapshot;

use super::{LOCAL, Receiver, body, once};
use crate::support::{Answer, Skill, TestRegistry};
use crate::web::markup;

const PAGE: &str = "/settings/publishers/ada/webhooks";

/// What a person reads of a page, without the blanks between.
fn read(answer: &Answer) -> String {
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{wrong}"));
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

#[tokio::test]
async fn one_is_made_pinged_told_and_removed() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let ada = registry.user("ada").await;
    let browser = registry.signed_in("ada").await;
    let (receiver, address) = Receiver::start([204]).await;
    let url = format!("http://{address}/hook?key=1");
    let made = browser.post(PAGE, &[("url", &url), ("kind", "publish")]).await;
    assert_eq!((status(&made), made.header("cache-control")), (201, Some("no-store")));
    let secret =
        made.text().split(r#"<code id="secret">"#).nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(secret.len(), 64);

    let page = browser.get(PAGE).await;
    assert!(!page.text().contains(&secret), "shown twice");
    assert!(read(&page).contains(&format!("{url} publish · made 30 November 2026 Ping {url} Remove {url}")));
    let id =
        page.text().split(r#"name="webhook" value=""#).nth(1).unwrap().split('"').next().unwrap().to_owned();
    let pinged = browser.post(&format!("{PAGE}/ping"), &[("webhook", &id)]).await;
    assert!(read(&pinged).contains("A ping was sent It was answered with 204."));
    assert_eq!(body(&receiver.got()[0].1)["kind"], "ping");

    Skill::new("tide").version("1.0.0").published(&ada).await;
    receiver.once_got(2).await;
    once(&ada, &id, |list| list.iter().any(|one| !one["deliveredAt"].is_null())).await;
    let sent = browser.get(&format!("{PAGE}/deliveries?webhook={id}")).await;
    assert!(read(&sent).contains("tried 1 times · taken, answered with 200"), "{}", read(&sent));

    assert_eq!(
        browser.post(&format!("{PAGE}/remove"), &[("webhook", &id)]).await.header("location"),
        Some(PAGE)
    );
    assert!(read(&browser.get(PAGE).await).contains("There is none."));
    for path in ["ping", "remove"] {
        assert_eq!(status(&browser.post(&format!("{PAGE}/{path}"), &[("webhook", &id)]).await), 404);
    }
    assert_eq!(status(&browser.get(&format!("{PAGE}/deliveries?webhook={id}")).await), 404);
}

/// Of the webhooks of others nothing is told, and what is refused keeps what was typed.
#[tokio::test]
async fn nobody_elses() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    registry.add_user("ada").await;
    registry.add_user("mallory").await;
    let (browser, mallory) = (registry.signed_in("ada").await, registry.signed_in("mallory").await);
    let (_receiver, address) = Receiver::start([]).await;
    let url = format!("http://{address}/secret");
    assert_eq!(status(&browser.post(PAGE, &[("url", &url)]).await), 201);
    let page = browser.get(PAGE).await;
    let id =
        page.text().split(r#"name="webhook" value=""#).nth(1).unwrap().split('"').next().unwrap().to_owned();
    for path in [PAGE.to_owned(), format!("{PAGE}/deliveries?webhook={id}")] {
        let answer = mallory.get(&path).await;
        assert!(status(&answer) == 403 && !answer.text().contains("secret"), "{path}");
    }
    for own in ["ping", "remove"] {
        let path = format!("/settings/publishers/mallory/webhooks/{own}");
        assert_eq!(status(&mallory.post(&path, &[("webhook", &id)]).await), 404);
    }
    assert!(browser.get(PAGE).await.text().contains(&id));
    let (listed, mut said) = (format!(" {url}"), String::new());
    for (url, kind) in [
        ("", "publish"),
        ("ftp://x.example", "publish"),
        ("https://\"<b>", "publish"),
        ("https://x.example", "all"),
    ] {
        let refused = browser.post(PAGE, &[("url", url), ("kind", kind)]).await;
        let text = read(&refused);
        let why = text.split("No webhook was made ").nth(1).unwrap().split(&listed).next().unwrap();
        said += &format!("{} {why}\n", status(&refused));
        let page = markup::read(refused.text()).unwrap();
        assert!(
            url.contains('"')
                || page.all("input").any(|field| field.get("name") == "url" && field.get("value") == url)
        );
    }
    assert_snapshot!(said, @r"
    422 Only an https URL with a host and without user, password and fragment is asked.
    422 Only an https URL with a host and without user, password and fragment is asked.
    422 Only an https URL with a host and without user, password and fragment is asked.
    422 `all` does not read as what a webhook tells: publish, verdict or state.
    ");
}
