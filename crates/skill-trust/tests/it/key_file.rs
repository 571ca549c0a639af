use skill_trust::Role;
use skill_trust::key::{KeyError, KeyFile, KeyFileError};

use crate::world::key;

fn text() -> String {
    KeyFile { role: Role::Release, key: key("a") }.to_text().to_string()
}

fn edited(from: &str, to: &str) -> KeyFileError {
    assert!(text().contains(from), "{from}");
    text().replacen(from, to, 1).parse::<KeyFile>().unwrap_err()
}

#[test]
fn reads_what_it_writes() {
    insta::assert_snapshot!(text(), @r"
    skill-registry private key v1
    role: release
    keyid: 2c4e4d1de6fbfc05d950fc7e6461be3007dd16e4683a5b14b52ab15d98e68ebf
    public: 6uHIeTtVl8Sz9JDnasMRcsQ5aQ+O4UFCu4UaYfmknw4=
    secret: ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=
    ");
    let read: KeyFile = text().parse().unwrap();
    assert_eq!(read.role, Role::Release);
    assert_eq!(read.key.id(), key("a").id());
    assert_eq!(*read.key.seed(), *key("a").seed());
}

#[test]
fn what_is_no_key_file() {
    let line = |line, field| KeyFileError::Line { line, field };
    assert_eq!("".parse::<KeyFile>().unwrap_err(), KeyFileError::Head);
    assert_eq!(edited("key v1", "key v2"), KeyFileError::Head);
    assert_eq!(edited("role: ", "Role: "), line(2, "role"));
    assert_eq!(edited("keyid: ", "keyid:"), line(3, "keyid"));
    assert_eq!(edited("public: ", "\npublic: "), line(4, "public"));
    assert_eq!(edited("secret: ", "public: "), line(5, "secret"));
    assert_eq!(text().trim_end().parse::<KeyFile>().unwrap_err(), KeyFileError::End);
    assert_eq!(format!("{}\n", text()).parse::<KeyFile>().unwrap_err(), KeyFileError::End);
    assert_eq!(text().replace('\n', "\r\n").parse::<KeyFile>().unwrap_err(), KeyFileError::Head);
    assert_eq!(edited("role: release", "role: admin"), KeyFileError::Role { text: "admin".to_owned() });
}

#[test]
fn halves_that_do_not_belong_together() {
    let (a, b) = (key("a"), key("b"));
    let (public, other) = (a.public().to_string(), b.public().to_string());
    assert_eq!(edited(&public, &other), KeyFileError::Halves);
    assert_eq!(edited(&public, "AAAA"), KeyFileError::Public(KeyError::Encoding));
    assert_eq!(edited(&a.id().to_string(), &b.id().to_string()), KeyFileError::Id { key: a.id() });
    assert_eq!(edited("secret: ", "secret: AAAA"), KeyFileError::Secret);
    assert_eq!(edited("secret: ", "secret: !"), KeyFileError::Secret);
}

#[test]
fn no_formatting_shows_a_secret() {
    let secret = text().lines().last().unwrap().trim_start_matches("secret: ").to_owned();
    let shown = format!("{:?} {:#?}", key("a"), KeyFile { role: Role::Scan, key: key("a") });
    assert!(!shown.contains(&secret), "{shown}");
    insta::assert_snapshot!(format!("{:?}", key("a")), @"SigningKey(2c4e4d1de6fbfc05d950fc7e6461be3007dd16e4683a5b14b52ab15d98e68ebf)");
    for error in [edited("secret: ", "secret: AAAA"), edited(&key("a").public().to_string(), "AAAA")] {
        assert!(!format!("{error} {error:?}").contains(&secret[..8]), "{error}");
    }
}
