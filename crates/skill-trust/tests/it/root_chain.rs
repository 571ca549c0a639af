//! From version 1 on, and whoever would slip something in.

use skill_core::digest::{RegistryId, Sha256};
use skill_trust::dsse::Envelope;
use skill_trust::root::{Custody, KeyRange, KeyType, Root, RootKey};
use skill_trust::{Role, RootChain, RootError, SigningKey, TrustedRoot};

use crate::world::{World, at, key};

/// Version `version` of the world's root, with these root keys.
fn root(world: &World, version: u64, root_keys: &[SigningKey], threshold: u32) -> Root {
    let mut root = world.root_content();
    root.version = version;
    root.keys.remove(&world.keys[&Role::Root].id());
    let role = root.roles.get_mut(&Role::Root).unwrap();
    role.threshold = threshold;
    role.keys = root_keys.iter().map(|k| KeyRange { key_id: k.id(), from: 0, until: None }).collect();
    for key in root_keys {
        root.keys.insert(key.id(), RootKey { keytype: KeyType::Ed25519, public: *key.public() });
    }
    root
}

fn signed(root: &Root, keys: &[SigningKey]) -> Vec<u8> {
    root.sign(keys).unwrap().to_json()
}

fn keys(names: &[&str]) -> Vec<SigningKey> {
    names.iter().map(|name| key(name)).collect()
}

fn walk(world: &World, later: &[Vec<u8>]) -> Result<TrustedRoot, RootError> {
    let mut files = vec![world.first.clone()];
    files.extend_from_slice(later);
    RootChain::verify(&files, world.registry)
}

/// Co-located, then offline 2 of 3, then one of the three replaced.
fn chain(world: &World) -> [Vec<u8>; 2] {
    let mut second = root(world, 2, &keys(&["r1", "r2", "r3"]), 2);
    second.custody = Custody::Offline;
    second.expires_at = at("2028-11-30T12:00:00Z");
    let mut third = root(world, 3, &keys(&["r1", "r2", "r4"]), 2);
    (third.custody, third.expires_at) = (second.custody, second.expires_at);
    [signed(&second, &keys(&["root", "r1", "r2"])), signed(&third, &keys(&["r1", "r2"]))]
}

#[test]
fn a_chain_is_walked() {
    let world = World::new();
    let trusted = walk(&world, &chain(&world)).unwrap();
    assert_eq!((trusted.version(), trusted.custody(), trusted.quorum()), (3, Custody::Offline, (2, 3)));
    assert_eq!(trusted.registry(), world.registry);
    assert!(trusted.key(Role::Scan, key("scan").id(), 7).is_ok());
    assert_eq!(trusted.role_of(key("r4").id()), Some(Role::Root));
    assert_eq!(trusted.role_of(key("r3").id()), None);
}

#[test]
fn nothing_and_another_registry() {
    let world = World::new();
    assert_eq!(RootChain::verify(&[], world.registry), Err(RootError::Absent));
    let other = RegistryId::new(Sha256::of("other"));
    let error = RootChain::verify(std::slice::from_ref(&world.first), other).unwrap_err();
    assert_eq!(error, RootError::OtherRegistry { expected: other, found: world.registry });
    assert_eq!((error.code(), error.check()), ("registry-id-changed", "root-id"));
    // The chain may only be entered at version 1.
    let [second, _] = chain(&world);
    assert!(matches!(RootChain::verify(&[second], world.registry), Err(RootError::OtherRegistry { .. })));
}

#[test]
fn gaps_and_repeats() {
    let world = World::new();
    let [second, third] = chain(&world);
    let sequence = |expected, found| Err(RootError::Sequence { expected, found });
    assert_eq!(walk(&world, std::slice::from_ref(&third)), sequence(2, 3));
    assert_eq!(walk(&world, std::slice::from_ref(&world.first)), sequence(2, 1));
    assert_eq!(walk(&world, &[second.clone(), second, third]), sequence(3, 2));
}

#[test]
fn both_thresholds_must_be_met() {
    let world = World::new();
    let second = root(&world, 2, &keys(&["r1", "r2", "r3"]), 2);
    let with = |signers: &[&str]| walk(&world, &[signed(&second, &keys(signers))]).map(|_| ());
    assert_eq!(with(&["root", "r1", "r3"]), Ok(()));
    let own = RootError::OwnThreshold { version: 2, found: 1, threshold: 2 };
    assert_eq!(with(&["root", "r1"]), Err(own));
    let previous = RootError::PreviousThreshold { version: 2, found: 0, threshold: 1 };
    assert_eq!(with(&["r1", "r2", "r3"]), Err(previous));
    let stranger = RootError::Stranger { version: 2, key: key("thief").id() };
    assert_eq!(with(&["root", "r1", "r2", "thief"]), Err(stranger));
}

/// Two signatures of one key are one signature: the envelope has no room for the second.
#[test]
fn one_key_does_not_count_twice() {
    let world = World::new();
    let second = root(&world, 2, &keys(&["r1", "r2", "r3"]), 2);
    assert!(second.sign(&keys(&["root", "r1", "r1"])).is_err());
}

/// The keys of the version before the previous one count no more.
#[test]
fn a_dropped_root_key_counts_no_more() {
    let world = World::new();
    let [second, third] = chain(&world);
    let fourth = root(&world, 4, &keys(&["r3", "root"]), 2);
    let fourth = signed(&fourth, &keys(&["r3", "root"]));
    let previous = RootError::PreviousThreshold { version: 4, found: 0, threshold: 2 };
    assert_eq!(walk(&world, &[second, third, fourth]), Err(previous));
}

#[test]
fn other_roles_sign_no_root() {
    let world = World::new();
    let second = root(&world, 2, &keys(&["root"]), 1);
    let stranger = RootError::Stranger { version: 2, key: key("release").id() };
    assert_eq!(walk(&world, &[signed(&second, &keys(&["root", "release"]))]), Err(stranger));
}

#[test]
fn a_wrong_signature() {
    let world = World::new();
    let second = root(&world, 2, &keys(&["root"]), 1);
    let text = String::from_utf8(signed(&second, &keys(&["root"]))).unwrap();
    let other = String::from_utf8(signed(&root(&world, 3, &keys(&["root"]), 1), &keys(&["root"]))).unwrap();
    let sig = |text: &str| text.split_once(r#""sig":""#).unwrap().1.to_owned();
    let swapped = text.replace(&sig(&text), &sig(&other));
    let error = walk(&world, &[swapped.into_bytes()]).unwrap_err();
    assert!(matches!(error, RootError::Signature { version: 2, .. }), "{error}");
    assert_eq!((error.code(), error.check()), ("root-chain-broken", "root-chain"));
}

#[test]
fn payload_type_confusion() {
    let world = World::new();
    let payload = root(&world, 2, &keys(&["root"]), 1).to_json();
    let statement = skill_trust::statement::PAYLOAD_TYPE;
    let file = Envelope::sign(statement, payload, [&key("root")]).unwrap().to_json();
    assert!(matches!(walk(&world, &[file]), Err(RootError::PayloadType { version: 2, .. })));
}

#[test]
fn damaged_invalid_and_oversized_versions() {
    let world = World::new();
    let file = |bytes: &[u8]| walk(&world, &[bytes.to_vec()]).unwrap_err();
    assert!(matches!(file(b"{}"), RootError::Envelope { version: 2, .. }));
    let mut invalid = root(&world, 2, &keys(&["root"]), 1);
    invalid.schema = "skill.root.v9".to_owned();
    let invalid = signed(&invalid, &keys(&["root"]));
    assert!(matches!(file(&invalid), RootError::Invalid { version: 2, .. }));
    let large = vec![b' '; RootChain::MAX_BYTES + 1];
    assert!(matches!(file(&large), RootError::TooLarge { version: 2, .. }));
    let many = vec![world.first.clone(); RootChain::MAX_VERSIONS + 1];
    assert!(matches!(RootChain::verify(&many, world.registry), Err(RootError::TooMany { .. })));
}

#[test]
fn a_backdated_version() {
    let world = World::new();
    let mut second = root(&world, 2, &keys(&["root"]), 1);
    second.created_at = at("2026-11-30T11:59:59Z");
    second.expires_at = at("2030-11-30T11:59:59Z");
    let error = walk(&world, &[signed(&second, &keys(&["root"]))]).unwrap_err();
    assert!(matches!(error, RootError::Backdated { version: 2, .. }), "{error}");
}

#[test]
fn fork_and_rollback_against_what_was_seen() {
    let world = World::new();
    let [second, third] = chain(&world);
    let short = walk(&world, std::slice::from_ref(&second)).unwrap();
    let long = walk(&world, &[second.clone(), third]).unwrap();
    assert_eq!(long.continues(&short), Ok(()));
    assert_eq!(long.continues(&long), Ok(()));
    let error = short.continues(&long).unwrap_err();
    assert_eq!(error, RootError::Rollback { known: 3, found: 2 });
    assert_eq!((error.code(), error.check()), ("root-rollback", "root-chain"));

    // Another version 2, as properly signed as the first: the thief had the first root key.
    let mut other = root(&world, 2, &keys(&["thief"]), 1);
    other.created_at = at("2026-11-30T13:00:00Z");
    let other_file = signed(&other, &keys(&["root", "thief"]));
    let forked = walk(&world, std::slice::from_ref(&other_file)).unwrap();
    let error = forked.continues(&short).unwrap_err();
    let (known, found) = (Sha256::of(&second), Sha256::of(&other_file));
    assert_eq!(error, RootError::Fork { version: 2, known, found });
    assert_eq!((error.code(), error.check()), ("root-fork", "root-fork"));
}
