//! One wrong thing at a time: what it is called, which code and which check it fails.

use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_trust::predicate::{PublisherAction, PublisherPredicate, PublisherResetPredicate};
use skill_trust::{
    Content, Expected, Kind, LoggedStatement, Role, RootChain, Signer, Statement, TrustEnvelope, TrustError,
    verify_release,
};

use crate::world::{World, at, key};

/// Name of the case, `code`, `check` and text of the error.
fn line(case: &str, error: &TrustError) -> String {
    format!("{case}: {} {}\n  {error}", error.code(), error.check())
}

fn refused(world: &World, statements: Vec<LoggedStatement>) -> TrustError {
    world.verify(statements).unwrap_err()
}

#[test]
fn asked_for_something_else() {
    let world = World::new();
    let envelope = TrustEnvelope::new(world.statements()).unwrap();
    let ask = |change: &dyn Fn(&mut Expected)| {
        let mut expected = world.expected();
        change(&mut expected);
        verify_release(&envelope, &world.root, &expected).unwrap_err()
    };
    let lines = [
        line("owner", &ask(&|e| e.owner = "octo".parse().unwrap())),
        line("slug", &ask(&|e| e.slug = "gitlab".parse().unwrap())),
        line("version", &ask(&|e| e.version = "3.4.2".parse().unwrap())),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    owner: envelope-other envelope-subject
      the release statement is about `acme/github`, which no signed alias ties to `octo/github`
    slug: envelope-other envelope-subject
      the release statement is about `acme/github`, which no signed alias ties to `acme/gitlab`
    version: envelope-other envelope-subject
      the release statement is about version 3.4.1, not 3.4.2
    ");
    let other = RegistryId::new(Sha256::of("other"));
    let error = ask(&|e| e.registry = other);
    assert_eq!(error, TrustError::Registry { expected: other, found: world.registry });
    assert_eq!((error.code(), error.check()), ("envelope-other", "envelope-subject"));
}

/// Properly signed by this registry's keys, and still a statement of another registry: keys
/// that two registries share do not make their statements exchangeable.
#[test]
fn statement_of_another_registry() {
    let world = World::new();
    let other = RegistryId::new(Sha256::of("other"));
    let mut scan = world.scan();
    scan.registry = other;
    let mut statements = world.statements();
    statements[1] = world.sign(1842, &Statement::scan(world.content, scan));
    let error = refused(&world, statements);
    assert_eq!(error, TrustError::Registry { expected: world.registry, found: other });
}

#[test]
fn scan_of_another_skill_or_version() {
    let world = World::new();
    let with = |change: &dyn Fn(&mut skill_trust::predicate::ScanPredicate)| {
        let mut scan = world.scan();
        change(&mut scan);
        let mut statements = world.statements();
        statements[1] = world.sign(1842, &Statement::scan(world.content, scan));
        refused(&world, statements)
    };
    let lines = [
        line("owner", &with(&|s| s.owner = "octo".parse().unwrap())),
        line("slug", &with(&|s| s.slug = "gitlab".parse().unwrap())),
        line("version", &with(&|s| s.version = "3.4.0".parse().unwrap())),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    owner: envelope-other envelope-subject
      the scan statement is about `octo/github`, which no signed alias ties to `acme/github`
    slug: envelope-other envelope-subject
      the scan statement is about `acme/gitlab`, which no signed alias ties to `acme/github`
    version: envelope-other envelope-subject
      the scan statement is about version 3.4.0, not 3.4.1
    ");
}

#[test]
fn release_and_scan_speak_of_different_bytes() {
    let world = World::new();
    let with = |content: Content| {
        let mut statements = world.statements();
        statements[1] = world.sign(1842, &Statement::scan(content, world.scan()));
        refused(&world, statements)
    };
    let archive = Sha256::of("another archive");
    let error = with(Content { archive, ..world.content });
    assert!(matches!(error, TrustError::SubjectArchive { found, .. } if found == archive));
    assert_eq!((error.code(), error.check()), ("archive-digest", "envelope-subject"));
    let tree = TreeDigest::new(Sha256::of("another tree"));
    let error = with(Content { tree, ..world.content });
    assert!(matches!(error, TrustError::SubjectTree { found, .. } if found == tree));
    assert_eq!((error.code(), error.check()), ("tree-digest", "envelope-subject"));
}

#[test]
fn missing_release_or_scan() {
    let world = World::new();
    let without = |place| {
        let mut statements = world.statements();
        statements.remove(place);
        refused(&world, statements)
    };
    let lines = [
        line("no release", &without(0)),
        line("no scan", &without(1)),
        line("nothing", &refused(&world, vec![])),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    no release: statement-missing signature-release
      the release statement is missing
    no scan: statement-missing signature-scan
      the scan statement is missing
    nothing: statement-missing signature-release
      the release statement is missing
    ");
}

#[test]
fn duplicate_release_statement() {
    let world = World::new();
    let mut statements = world.statements();
    statements.push(world.sign(1843, &Statement::release(world.content, world.release())));
    insta::assert_snapshot!(line("twice", &refused(&world, statements)), @r"
    twice: release-twice log-release-twice
      two release statements for one version, leaves 1841 and 1843
    ");
}

/// Every kind of statement signed by every role that may not.
#[test]
fn wrong_role() {
    let world = World::new();
    let statements = [
        Statement::release(world.content, world.release()),
        Statement::scan(world.content, world.scan()),
        world.restriction(skill_trust::predicate::Restriction::Yank, 1),
        world.restoration(1, 2),
        world.alias("acme/github", "acme/gh"),
    ];
    for statement in &statements {
        let Signer::Role(needed) = statement.kind().signer() else { panic!("a role's word") };
        for actual in Role::ALL.into_iter().filter(|&role| role != needed) {
            let error = refused(&world, vec![world.sign_as(actual, 1, statement)]);
            assert_eq!(error, TrustError::Role { kind: statement.kind(), needed, actual });
            assert_eq!((error.code(), error.check()), ("signature-role", "signature-role"));
        }
    }
}

/// A scan statement that is listed as a release: the role of what it is listed as is asked for,
/// and then it must be of that kind.
#[test]
fn predicate_confusion() {
    let world = World::new();
    let scan = Statement::scan(world.content, world.scan());
    let mut listed = world.sign(1841, &scan);
    listed.kind = Kind::Release;
    let error = refused(&world, vec![listed]);
    let (needed, actual) = (Role::Release, Role::Scan);
    assert_eq!(error, TrustError::Role { kind: Kind::Release, needed, actual });

    let mut listed = world.sign_as(Role::Release, 1841, &scan);
    listed.kind = Kind::Release;
    let error = refused(&world, vec![listed]);
    assert_eq!(error, TrustError::OtherKind { listed: Kind::Release, actual: Kind::Scan });
    assert_eq!((error.code(), error.check()), ("envelope-unreadable", "envelope-unreadable"));
}

#[test]
fn key_that_no_root_lists() {
    let world = World::new();
    let dsse = Statement::scan(world.content, world.scan()).sign([&key("thief")]).unwrap();
    let mut statements = world.statements();
    statements[1] = LoggedStatement { kind: Kind::Scan, log_index: 1842, dsse };
    let error = refused(&world, statements);
    assert_eq!(error, TrustError::UnknownKey { kind: Kind::Scan, key: key("thief").id() });
    assert_eq!((error.code(), error.check()), ("signature-mismatch", "signature-scan"));
}

/// One good signature does not carry a bad one along.
#[test]
fn a_second_signature_by_a_stranger() {
    let world = World::new();
    let scan = Statement::scan(world.content, world.scan());
    let dsse = scan.sign([&world.keys[&Role::Scan], &key("thief")]).unwrap();
    let mut statements = world.statements();
    statements[1] = LoggedStatement { kind: Kind::Scan, log_index: 1842, dsse };
    assert!(matches!(refused(&world, statements), TrustError::UnknownKey { .. }));
}

#[test]
fn key_out_of_range() {
    let world = World::new();
    let mut root = world.root_content();
    let old = world.keys[&Role::Scan].id();
    let new = key("scan 2");
    root.keys.insert(
        new.id(),
        skill_trust::root::RootKey { keytype: skill_trust::root::KeyType::Ed25519, public: *new.public() },
    );
    let keys = &mut root.roles.get_mut(&Role::Scan).unwrap().keys;
    keys[0].until = Some(1841);
    keys.push(skill_trust::root::KeyRange { key_id: new.id(), from: 1842, until: None });
    root.version = 2;
    let second = root.sign([&world.keys[&Role::Root]]).unwrap().to_json();
    let root = RootChain::verify(&[world.first.clone(), second], world.registry).unwrap();

    let scan = Statement::scan(world.content, world.scan());
    let verify = |log_index, key: &skill_trust::SigningKey| {
        let dsse = scan.sign([key]).unwrap();
        let mut statements = vec![world.sign(1, &Statement::release(world.content, world.release()))];
        statements.push(LoggedStatement { kind: Kind::Scan, log_index, dsse });
        verify_release(&TrustEnvelope::new(statements).unwrap(), &root, &world.expected())
    };
    let old_key = &world.keys[&Role::Scan];
    assert!(verify(1841, old_key).is_ok(), "the last good leaf of the old key");
    assert!(verify(1842, &new).is_ok(), "the first leaf of the new key");
    let error = verify(1842, old_key).unwrap_err();
    let (kind, from, until) = (Kind::Scan, 0, Some(1841));
    assert_eq!(error, TrustError::KeyOutOfRange { kind, key: old, log_index: 1842, from, until });
    assert_eq!((error.code(), error.check()), ("key-out-of-range", "signature-key-range"));
    assert!(matches!(verify(1841, &new), Err(TrustError::KeyOutOfRange { .. })));
}

/// Kinds that are known and do not belong there are refused, never passed over.
#[test]
fn statements_that_do_not_belong() {
    let world = World::new();
    let release = world.release();
    let (registry, at) = (world.registry, at("2026-11-30T12:00:00Z"));
    let (owner, slug) = (release.owner.clone(), release.slug.clone());
    let reset = PublisherResetPredicate {
        registry,
        owner: owner.clone(),
        key: *key("author").public(),
        reason: "the laptop is gone".to_owned(),
        at,
        effective_at: at,
    };
    let mut statements = world.statements();
    statements.push(world.sign(1850, &Statement::publisher_reset(reset)));
    let by_reset = refused(&world, statements);

    let action = PublisherAction::Sign { slug, version: release.version };
    let vouch = PublisherPredicate { registry, owner, action, at };
    let vouch = Statement::publisher(Some(world.content), vouch).unwrap();
    let dsse = vouch.sign([&key("author")]).unwrap();
    let mut statements = world.statements();
    statements.push(LoggedStatement { kind: Kind::Publisher, log_index: 1850, dsse });
    let lines = [line("reset", &by_reset), line("publisher", &refused(&world, statements))];
    insta::assert_snapshot!(lines.join("\n"), @r"
    reset: statement-unknown envelope-unknown-statement
      a publisher-reset statement, leaf 1850, does not belong into the envelope of a release
    publisher: statement-unknown envelope-unknown-statement
      a publisher statement, leaf 1850, does not belong into the envelope of a release
    ");
}

#[test]
fn signed_bytes_that_are_no_known_statement() {
    let world = World::new();
    let good = String::from_utf8(Statement::release(world.content, world.release()).to_json()).unwrap();
    let with = |payload: &str| {
        let dsse = world.sign_text(Role::Release, payload);
        refused(&world, vec![LoggedStatement { kind: Kind::Release, log_index: 1, dsse }])
    };
    let lines = [
        line("newer predicate", &with(&good.replace("release:v1", "release:v2"))),
        line("not JSON", &with("hello")),
        line("another subject", &with(&good.replace("acme/github@3.4.1", "acme/github@3.4.0"))),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    newer predicate: statement-unknown envelope-unknown-statement
      `urn:skill-registry:predicate:release:v2` is no kind of statement that this version knows
    not JSON: envelope-unreadable envelope-unreadable
      the release statement: not an in-toto statement: expected value at line 1 column 1
    another subject: envelope-unreadable envelope-unreadable
      the release statement: the subject is `acme/github@3.4.0`, the predicate is about `acme/github@3.4.1`
    ");
}

#[test]
fn payload_type_confusion() {
    let world = World::new();
    let payload = Statement::release(world.content, world.release()).to_json();
    let keys = [&world.keys[&Role::Release]];
    let dsse = skill_trust::dsse::Envelope::sign(skill_trust::root::PAYLOAD_TYPE, payload, keys).unwrap();
    let error = refused(&world, vec![LoggedStatement { kind: Kind::Release, log_index: 1, dsse }]);
    assert!(matches!(error, TrustError::PayloadType { kind: Kind::Release, .. }), "{error}");
}

/// Whatever bit of a stored envelope flips: it is refused, except in a leaf's number, which
/// nothing proves before the log's proofs travel with it.
#[test]
fn every_flipped_bit_is_refused() {
    let world = World::new();
    let json = TrustEnvelope::new(world.statements()).unwrap().to_json();
    let text = String::from_utf8(json.clone()).unwrap();
    let numbers: Vec<_> = text.match_indices("\"logIndex\":").map(|(at, m)| at + m.len()).collect();
    for place in 0..json.len() {
        let in_number = numbers.iter().any(|&start| (start..start + 4).contains(&place));
        // Every bit of a number and of the statements' edges, one bit of each other byte.
        let bit = 1 << (place % 7);
        let mut changed = json.clone();
        changed[place] ^= bit;
        let taken = TrustEnvelope::parse(&changed)
            .map_err(TrustError::from)
            .and_then(|envelope| verify_release(&envelope, &world.root, &world.expected()));
        assert!(taken.is_err() || in_number, "byte {place} of {text}");
    }
}
