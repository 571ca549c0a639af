//! What is not the form that is expected.

use crate::support::skill::{form, send};
use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn other_forms_are_refused_and_say_what_is_wrong() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let meta = br#"{"slug":"demo"}"#;
    let both = br#"{"slug":"demo","version":"1.0.0","bump":"patch"}"#;
    let preamble = [vec![b'a'; 100_000], form(&[("meta", meta), ("archive", b"PK")])].concat();
    let head =
        format!("--boundary-of-the-form\r\nContent-Disposition: form-data; name=\"{}", "m".repeat(100_000));
    let forms: [(&str, Vec<u8>); 9] = [
        ("no parts", form(&[])),
        ("no archive", form(&[("meta", meta)])),
        ("archive first", form(&[("archive", b"PK"), ("meta", meta)])),
        ("meta is no JSON", form(&[("meta", b"slug=demo"), ("archive", b"PK")])),
        ("version and bump", form(&[("meta", both), ("archive", b"PK")])),
        ("meta without end", form(&[("meta", &vec![b' '; 70_000]), ("archive", b"PK")])),
        ("long preamble", preamble),
        ("long head", head.into_bytes()),
        ("cut off", form(&[("meta", meta), ("archive", b"PK")])[..180].to_vec()),
    ];
    let mut shown = String::new();
    for (what, body) in forms {
        let answer = send(&ada, &body).await;
        let problem = answer.json();
        shown += &format!("{what}: {} {}: {}\n", answer.status.as_u16(), problem["code"], problem["title"]);
    }
    insta::assert_snapshot!(shown, @r#"
    no parts: 400 "form-unreadable": "the upload is not the form that is expected: the part `meta` is missing"
    no archive: 400 "form-unreadable": "the upload is not the form that is expected: the part `archive` is missing"
    archive first: 400 "form-unreadable": "the upload is not the form that is expected: the part `archive` stands where `meta` is expected"
    meta is no JSON: 400 "form-unreadable": "the upload is not the form that is expected: the part `meta`: it is no object of JSON"
    version and bump: 400 "form-unreadable": "the upload is not the form that is expected: the part `meta`: `version` and `bump` exclude each other"
    meta without end: 400 "form-unreadable": "the upload is not the form that is expected: the part `meta`: it has more than 65536 bytes"
    long preamble: 400 "form-unreadable": "more than 16384 bytes stand before the content of a part"
    long head: 400 "form-unreadable": "more than 16384 bytes stand before the content of a part"
    cut off: 400 "form-unreadable": "the upload is not the form that is expected: field \"archive\" received with incomplete data"
    "#);
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
    insta::assert_snapshot!(shown, @r#"
    422 "bundle-unknown-format"
    422 "bundle-truncated"
    422 "bundle-unknown-format"
    "#);
}

#[tokio::test]
async fn other_content_than_the_client_packed_is_refused() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let other = format!("sha256:{}", "0".repeat(64));
    let answer = Skill::new("demo").meta("treeDigest", other).publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @r#"
    422 application/problem+json
    {
      "type": "urn:skill-registry:problem:tree-digest",
      "status": 422,
      "code": "tree-digest",
      "title": "the archive's tree digest is sha256:20551ab66975def61a954411be3a94504d72940bc5d10ba070848ad740dcc019, the request says sha256:0000000000000000000000000000000000000000000000000000000000000000",
      "requestId": "test"
    }
    "#);
}
