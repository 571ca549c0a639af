//! What is not the form that is expected.

use crate::support::skill::{form, send};
use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn other_forms_are_refused_and_say_what_is_wrong() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let meta = br#"{"slug":"demo"}"#;
    let both = br#"{"slug":"demo","version":"1.0.0","bump":"patch"}"#;
    let forms: [(&str, Vec<u8>); 7] = [
        ("no parts", form(&[])),
        ("no archive", form(&[("meta", meta)])),
        ("archive first", form(&[("archive", b"PK"), ("meta", meta)])),
        ("meta is no JSON", form(&[("meta", b"slug=demo"), ("archive", b"PK")])),
        ("version and bump", form(&[("meta", both), ("archive", b"PK")])),
        ("meta without end", form(&[("meta", &[b' '; 70_000]), ("archive", b"PK")])),
        ("cut off", form(&[("meta", meta), ("archive", b"PK")])[..180].to_vec()),
    ];
    let mut shown = String::new();
    for (what, body) in forms {
        let answer = send(&ada, &body).await;
        let problem = answer.json();
        shown += &format!("{what}: {} {}: {}\n", answer.status.as_u16(), problem["code"], problem["title"]);
    }
    insta::assert_snapshot!(shown, @"");
}

#[tokio::test]
async fn what_is_no_bundle_keeps_its_code() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let whole = Skill::new("demo").archive();
    let mut shown = String::new();
    for archive in [&b"hello"[..], &whole[..whole.len() - 30], &[]] {
        let answer = Skill::new("demo").publish_archive(&ada, archive).await;
        shown += &format!("{} {}\n", answer.status.as_u16(), answer.json()["code"]);
    }
    insta::assert_snapshot!(shown, @"");
}

#[tokio::test]
async fn other_content_than_the_client_packed_is_refused() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let other = format!("sha256:{}", "0".repeat(64));
    let answer = Skill::new("demo").meta("treeDigest", other).publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @"");
}
