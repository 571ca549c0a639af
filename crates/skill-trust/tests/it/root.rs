//! Rules that one root keeps by itself.

use skill_trust::root::{Custody, InvalidRoot, KeyRange, KeyType, Root, RootError, RootKey};
use skill_trust::{Role, SigningKey};

use crate::world::{World, at, key, role_keys};

fn check<R>(change: impl FnOnce(&mut Root) -> R) -> InvalidRoot {
    let mut root = World::new().root_content();
    change(&mut root);
    root.check().unwrap_err()
}

fn list(root: &mut Root, role: Role, key: &SigningKey, from: u64, until: Option<u64>) {
    root.keys.insert(key.id(), RootKey { keytype: KeyType::Ed25519, public: *key.public() });
    let range = KeyRange { key_id: key.id(), from, until };
    root.roles.get_mut(&role).unwrap().keys.push(range);
}

#[test]
fn the_first_root() {
    let world = World::new();
    let root = world.root.root();
    assert_eq!((root.version, root.custody), (1, Custody::CoLocated));
    assert_eq!(root.expires_at, at("2036-11-30T12:00:00Z"));
    assert_eq!(world.root.quorum(), (1, 1));
    let envelope = skill_trust::dsse::Envelope::parse(&world.first).unwrap();
    let text = String::from_utf8(envelope.payload().to_vec()).unwrap();
    let head = text.split_once(r#","keys":"#).unwrap().0;
    insta::assert_snapshot!(head, @r#"{"schema":"skill.root.v1","version":1,"custody":"co-located","createdAt":"2026-11-30T12:00:00Z","expiresAt":"2036-11-30T12:00:00Z","timestampValiditySeconds":604800"#);
    assert_eq!(Root::parse(text.as_bytes()).as_ref(), Ok(root));
}

#[test]
fn the_first_root_needs_every_role() {
    for role in Role::ALL {
        let mut keys = role_keys();
        keys.remove(&role);
        let reason = InvalidRoot::RoleMissing { role };
        assert_eq!(
            Root::first(at("2026-11-30T12:00:00Z"), &keys),
            Err(RootError::Invalid { version: 1, reason })
        );
    }
}

#[test]
fn the_first_root_shares_no_key() {
    let mut keys = role_keys();
    keys.insert(Role::Scan, key("release"));
    let made = Root::first(at("2026-11-30T12:00:00Z"), &keys);
    let shared =
        InvalidRoot::KeyShared { key: key("release").id(), first: Role::Release, second: Role::Scan };
    assert_eq!(made, Err(RootError::Invalid { version: 1, reason: shared }));
}

#[test]
fn expiry() {
    let root = World::new().root;
    let ends = root.root().expires_at;
    let before = |seconds| ends - jiff::SignedDuration::from_secs(seconds);
    assert!(!root.is_expired(before(1)) && root.is_expired(ends));
    assert!(!root.is_expiring(before(90 * 86_400 + 1)) && root.is_expiring(before(90 * 86_400)));
    assert!(root.is_expiring(jiff::Timestamp::MAX), "the end of time");
    let error = root.require_unexpired(ends).unwrap_err();
    assert_eq!((error.code(), error.check()), ("root-expired", "root-expired"));
    assert!(root.require_unexpired(before(1)).is_ok());
}

#[test]
fn times_that_make_no_sense() {
    let reversed = check(|root| root.expires_at = root.created_at);
    assert!(matches!(reversed, InvalidRoot::ExpiresBeforeCreated { .. }));
    let too_long = check(|root| root.expires_at = at("2036-12-03T00:00:00Z"));
    assert!(matches!(too_long, InvalidRoot::LivesTooLong { .. }));
    let offline = check(|root| root.custody = Custody::Offline);
    assert!(matches!(offline, InvalidRoot::LivesTooLong { .. }), "ten years are for co-located roots");
    for seconds in [0, 59, u64::MAX] {
        let validity = check(|root| root.timestamp_validity_seconds = seconds);
        assert!(matches!(validity, InvalidRoot::TimestampValidity { .. }), "{seconds}");
    }
}

#[test]
fn keys_that_are_not_in_order() {
    let (a, b) = (key("a"), key("b"));
    let public = RootKey { keytype: KeyType::Ed25519, public: *a.public() };
    assert_eq!(
        check(|root| root.keys.insert(b.id(), public.clone())),
        InvalidRoot::KeyId { listed: b.id(), actual: a.id() }
    );
    assert_eq!(
        check(|root| root.keys.insert(a.id(), public.clone())),
        InvalidRoot::KeyUnused { key: a.id() }
    );
    let scan = key("scan").id();
    assert_eq!(
        check(|root| root.keys.remove(&scan)),
        InvalidRoot::KeyMissing { role: Role::Scan, key: scan }
    );
    assert_eq!(
        check(|root| list(root, Role::Scan, &key("scan"), 5, Some(6))),
        InvalidRoot::KeyShared { key: scan, first: Role::Scan, second: Role::Scan }
    );
    assert_eq!(
        check(|root| list(root, Role::Restore, &key("scan"), 0, None)),
        InvalidRoot::KeyShared { key: scan, first: Role::Scan, second: Role::Restore }
    );
}

#[test]
fn ranges_that_are_not_in_order() {
    let a = key("a");
    assert_eq!(
        check(|root| list(root, Role::Scan, &a, 6, Some(5))),
        InvalidRoot::RangeReversed { role: Role::Scan, key: a.id(), from: 6, until: 5 }
    );
    for (from, until) in [(1, None), (0, Some(9))] {
        let ranged = check(|root| list(root, Role::Root, &a, from, until));
        assert_eq!(ranged, InvalidRoot::RootRange { key: a.id() });
    }
}

#[test]
fn thresholds_that_cannot_be() {
    let threshold = |role, n| check(|root| root.roles.get_mut(&role).unwrap().threshold = n);
    for n in [0, 2] {
        let restore = InvalidRoot::Threshold { role: Role::Restore, threshold: n, open: 1 };
        assert_eq!(threshold(Role::Restore, n), restore);
        let online = InvalidRoot::OnlineRole { role: Role::Scan, open: 1, threshold: n };
        assert_eq!(threshold(Role::Scan, n), online);
    }
    let two_open = check(|root| list(root, Role::Scan, &key("a"), 0, None));
    assert_eq!(two_open, InvalidRoot::OnlineRole { role: Role::Scan, open: 2, threshold: 1 });
    let none_open = check(|root| root.roles.get_mut(&Role::Log).unwrap().keys[0].until = Some(9));
    assert_eq!(none_open, InvalidRoot::OnlineRole { role: Role::Log, open: 0, threshold: 1 });
}

#[test]
fn roles_and_schema() {
    let missing = check(|root| root.roles.remove(&Role::Timestamp));
    assert_eq!(missing, InvalidRoot::RoleMissing { role: Role::Timestamp });
    let schema = check(|root| root.schema = "skill.root.v2".to_owned());
    assert_eq!(schema, InvalidRoot::Schema { found: "skill.root.v2".to_owned() });
}

#[test]
fn shapes_that_are_none() {
    let text = String::from_utf8(World::new().root_content().to_json()).unwrap();
    let scan = key("scan").id();
    let twice = format!(r#""keys":{{"{scan}":{{"keytype":"ed25519","public":"{}"}},"#, key("scan").public());
    for (from, to) in [
        (r#"{"schema""#, r#"{"more":1,"schema""#),
        (r#"{"schema""#, r#"{"version":1,"schema""#),
        (r#""keys":{"#, twice.as_str()),
        (r#""roles":{"#, r#""roles":{"admin":{"threshold":1,"keys":[]},"#),
        (r#""roles":{"#, r#""roles":{"root":{"threshold":1,"keys":[]},"#),
        ("ed25519", "rsa"),
        ("co-located", "somewhere"),
        (r#""until":null"#, r#""until":-1"#),
        // The identity: a key of small order.
        (&key("scan").public().to_string(), "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Root::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(matches!(error, InvalidRoot::Shape(_)), "{to}: {error:?}");
    }
}
