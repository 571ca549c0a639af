use skill_core::digest::Sha256;
use skill_trust::predicate::{
    NameAction, NamePredicate, NameTarget, PreviousRelease, PublisherAction, PublisherPredicate,
    PublisherResetPredicate, Restriction, TakedownScope,
};
use skill_trust::statement::StatementError;
use skill_trust::{Content, Kind, Role, Signer, Statement};

use crate::world::{World, at, key};

fn name(world: &World, action: NameAction) -> Statement {
    let (owner, slug) = ("acme".parse().unwrap(), "github".parse().unwrap());
    let at = at("2026-11-30T12:00:00Z");
    Statement::name(NamePredicate { registry: world.registry, owner, slug, action, at })
}

fn publisher(world: &World, action: PublisherAction) -> PublisherPredicate {
    let (owner, at) = ("acme".parse().unwrap(), at("2026-11-30T12:00:00Z"));
    PublisherPredicate { registry: world.registry, owner, action, at }
}

/// One of everything that can be said.
fn everything(world: &World) -> Vec<Statement> {
    let mut release = world.release();
    release.previous =
        Some(PreviousRelease { version: "3.4.0".parse().unwrap(), statement: Sha256::of("before") });
    release.source_commit = Some("5f2c9ab04d11".to_owned());
    let (slug, version) = (release.slug.clone(), release.version.clone());
    let target = NameTarget { owner: "octo".parse().unwrap(), slug: slug.clone() };
    let (to, consented_at) = ("octo".parse().unwrap(), at("2026-11-29T12:00:00Z"));
    let sign = publisher(world, PublisherAction::Sign { slug, version });
    let add = publisher(world, PublisherAction::AddKey { key: *key("author").public() });
    let revoke = publisher(world, PublisherAction::RevokeKey { key_id: key("author").id() });
    let mut all = vec![
        Statement::release(world.content, world.release()),
        Statement::release(world.content, release),
        Statement::scan(world.content, world.scan()),
        name(world, NameAction::Claim { bare_slug: true }),
        name(world, NameAction::Alias { target: target.clone() }),
        name(world, NameAction::Merge { target }),
        name(world, NameAction::Transfer { to, consented_at }),
        world.restoration(41, 42),
        Statement::publisher(Some(world.content), sign).unwrap(),
        Statement::publisher(None, add).unwrap(),
        Statement::publisher(None, revoke).unwrap(),
        Statement::publisher_reset(PublisherResetPredicate {
            registry: world.registry,
            owner: "acme".parse().unwrap(),
            key: *key("author").public(),
            reason: "the laptop is gone".to_owned(),
            at: at("2026-11-30T12:00:00Z"),
            effective_at: at("2026-12-03T12:00:00Z"),
        }),
    ];
    all.extend(RESTRICTIONS.iter().zip(1..).map(|(&action, n)| world.restriction(action, n)));
    all
}

const RESTRICTIONS: [Restriction; 8] = [
    Restriction::Yank,
    Restriction::Unyank,
    Restriction::Withdraw,
    Restriction::Delete,
    Restriction::Undelete,
    Restriction::Quarantine,
    Restriction::Takedown(TakedownScope::Bytes),
    Restriction::Takedown(TakedownScope::Release),
];

#[test]
fn reads_what_it_writes() {
    let statements = everything(&World::new());
    for kind in Kind::ALL {
        assert!(statements.iter().any(|statement| statement.kind() == kind), "{kind}");
    }
    for statement in statements {
        assert_eq!(Statement::parse(&statement.to_json()), Ok(statement));
    }
}

#[test]
fn the_bytes_that_are_signed() {
    let world = World::new();
    let pretty = |statement: &Statement| {
        let text = String::from_utf8(statement.to_json()).unwrap();
        text.replace(&world.registry.to_string(), "REGISTRY")
    };
    let release = &everything(&world)[1];
    insta::assert_snapshot!(pretty(release), @r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"acme/github@3.4.1","digest":{"sha256":"0eb3e36bfb24dcd9bb1d1bece1531216b59539a8fde17ee80224af0653c92aa3","skillTreeV1":"dc9c5edb8b2d479e697b4b0b8ab874f32b325138598ce9e7b759eb8292110622"}}],"predicateType":"urn:skill-registry:predicate:release:v1","predicate":{"registry":"REGISTRY","owner":"acme","slug":"github","version":"3.4.1","previous":{"version":"3.4.0","statement":"6db7d803e74f1ffa7d8f5adc0bf95b3e15bf4c8373fffadf546227cc6c6742cb"},"requirements":{"acme/git-basics":"^1.2.0"},"publisher":"acme","sourceCommit":"5f2c9ab04d11","archiveSize":42189,"publishedAt":"2026-11-30T12:01:00Z"}}"#);
    insta::assert_snapshot!(pretty(&world.restriction(Restriction::Takedown(TakedownScope::Bytes), 41)), @r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"acme/github@3.4.1","digest":{"sha256":"0eb3e36bfb24dcd9bb1d1bece1531216b59539a8fde17ee80224af0653c92aa3","skillTreeV1":"dc9c5edb8b2d479e697b4b0b8ab874f32b325138598ce9e7b759eb8292110622"}}],"predicateType":"urn:skill-registry:predicate:restriction:v1","predicate":{"registry":"REGISTRY","owner":"acme","slug":"github","version":"3.4.1","action":"takedown","scope":"bytes","reason":"because","sequence":41,"at":"2026-11-30T13:00:00Z"}}"#);
    let actions = [
        world.alias("acme/github", "acme/gh"),
        world.merge("acme/github", "octo/gh"),
        world.transfer("acme/github", "octo"),
    ];
    let actions: Vec<_> =
        actions.iter().map(|s| pretty(s).split_once(r#""action":"#).unwrap().1.to_owned()).collect();
    insta::assert_snapshot!(actions.join("\n"), @r#"
    {"type":"alias","target":{"owner":"acme","slug":"gh"}},"at":"2026-11-30T15:00:00Z"}}
    {"type":"merge","target":{"owner":"octo","slug":"gh"}},"at":"2026-11-30T15:00:00Z"}}
    {"type":"transfer","to":"octo","consentedAt":"2026-11-30T14:30:00Z"},"at":"2026-11-30T15:00:00Z"}}
    "#);
    insta::assert_snapshot!(pretty(&name(&world, NameAction::Claim { bare_slug: false })), @r#"{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"acme/github","digest":{"sha256":"4e052b9493a3600fd34b0c7b504e67c691558966e70e10eb81236f36350b1f03"}}],"predicateType":"urn:skill-registry:predicate:name:v1","predicate":{"registry":"REGISTRY","owner":"acme","slug":"github","action":{"type":"claim","bareSlug":false},"at":"2026-11-30T12:00:00Z"}}"#);
}

#[test]
fn each_kind_is_one_role_s_word() {
    let table: Vec<_> = Kind::ALL.iter().map(|kind| format!("{kind}: {:?}", kind.signer())).collect();
    insta::assert_snapshot!(table.join("\n"), @r"
    release: Role(Release)
    scan: Role(Scan)
    name: Role(Release)
    restriction: Role(Restrict)
    restoration: Role(Restore)
    publisher: Author
    publisher-reset: Role(Restore)
    ");
    assert!(Kind::ALL.iter().all(|kind| kind.signer() != Signer::Role(Role::Root)));
}

fn edited(from: &str, to: &str) -> StatementError {
    let world = World::new();
    let text = String::from_utf8(everything(&world)[1].to_json()).unwrap();
    assert!(text.contains(from), "{text} has no {from}");
    Statement::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err()
}

#[test]
fn unknown_predicates() {
    for text in ["urn:skill-registry:predicate:release:v2", "https://slsa.dev/provenance/v1", ""] {
        let error = edited("urn:skill-registry:predicate:release:v1", text);
        assert_eq!(error, StatementError::Unknown { text: text.to_owned() });
    }
}

#[test]
fn keys_unknown_or_twice() {
    let shape = |error: &StatementError| matches!(error, StatementError::Shape(_));
    let predicate = |error: &StatementError| matches!(error, StatementError::Predicate { .. });
    for (from, to, fits) in [
        (r#"{"_type""#, r#"{"more":1,"_type""#, &shape as &dyn Fn(&StatementError) -> bool),
        (r#"{"_type""#, r#"{"_type":"x","_type""#, &shape),
        (r#""digest":{"#, r#""digest":{"sha512":"","#, &shape),
        (r#""predicate":{"#, r#""predicate":{"more":1,"#, &predicate),
        (r#""predicate":{"#, r#""predicate":{"owner":"acme","#, &predicate),
        (r#""requirements":{"#, r#""requirements":{"a":"1","a":"2","#, &predicate),
        (r#""previous":{"#, r#""previous":{"more":1,"#, &predicate),
        (r#""owner":"acme""#, r#""owner":"Acme""#, &predicate),
        (r#""archiveSize":42189"#, r#""archiveSize":-1"#, &predicate),
        (r#","archiveSize":42189"#, "", &predicate),
    ] {
        let error = edited(from, to);
        assert!(fits(&error), "{to}: {error:?}");
    }
}

#[test]
fn actions_with_keys_unknown_or_twice() {
    let world = World::new();
    let claim = String::from_utf8(name(&world, NameAction::Claim { bare_slug: true }).to_json()).unwrap();
    for (from, to) in [
        (r#""bareSlug":true"#, r#""bareSlug":true,"more":1"#),
        (r#""bareSlug":true"#, r#""bareSlug":true,"bareSlug":false"#),
        (r#""type":"claim""#, r#""type":"claim","type":"claim""#),
        (r#""type":"claim""#, r#""type":"seize""#),
    ] {
        assert!(claim.contains(from));
        let error = Statement::parse(claim.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(matches!(error, StatementError::Predicate { kind: Kind::Name, .. }), "{to}: {error:?}");
    }
    let transfer = String::from_utf8(world.transfer("acme/github", "octo").to_json()).unwrap();
    for (from, to) in [
        (r#","consentedAt":"2026-11-30T14:30:00Z""#, ""),
        (r#""2026-11-30T14:30:00Z""#, "null"),
        (r#""to":"octo""#, r#""to":"octo/github""#),
        (r#""type":"transfer""#, r#""type":"alias""#),
    ] {
        assert!(transfer.contains(from));
        let error = Statement::parse(transfer.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(matches!(error, StatementError::Predicate { kind: Kind::Name, .. }), "{to}: {error:?}");
    }
}

#[test]
fn a_scope_belongs_to_a_takedown() {
    let world = World::new();
    let json = |action| String::from_utf8(world.restriction(action, 1).to_json()).unwrap();
    let takedown = json(Restriction::Takedown(TakedownScope::Bytes)).replace(r#","scope":"bytes""#, "");
    let yank = json(Restriction::Yank).replace(r#""yank""#, r#""yank","scope":"bytes""#);
    for (text, why) in [(takedown, "a takedown needs a scope"), (yank, "only a takedown has a scope")] {
        let error = Statement::parse(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_subject_is_what_the_predicate_is_about() {
    let error = edited(r#""name":"acme/github@3.4.1""#, r#""name":"acme/github@3.4.2""#);
    let (subject, target) = ("acme/github@3.4.2".to_owned(), "acme/github@3.4.1".to_owned());
    assert_eq!(error, StatementError::SubjectName { subject, target: target.clone() });

    let tree = format!(r#","skillTreeV1":"{}""#, Sha256::of("tree"));
    assert_eq!(edited(&tree, ""), StatementError::SubjectDigest { kind: Kind::Release, target });

    let error = edited(
        r#""subject":[{"#,
        r#""subject":[{"name":"x","digest":{"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}},{"#,
    );
    assert_eq!(error, StatementError::SubjectCount { count: 2 });
    assert_eq!(
        edited("Statement/v1", "Statement/v0.1"),
        StatementError::Type { text: "https://in-toto.io/Statement/v0.1".to_owned() }
    );
}

#[test]
fn a_name_s_digest_binds_the_registry() {
    let world = World::new();
    let claim = name(&world, NameAction::Claim { bare_slug: true });
    let digest = Sha256::of(format!("{}/acme/github", world.registry)).to_string();
    let text = String::from_utf8(claim.to_json()).unwrap();
    assert!(text.contains(&digest));
    let other = text.replace(&digest, &Sha256::of("acme/github").to_string());
    let error = Statement::parse(other.as_bytes()).unwrap_err();
    assert_eq!(error, StatementError::SubjectDigest { kind: Kind::Name, target: "acme/github".to_owned() });
}

#[test]
fn an_author_s_word_about_a_release_names_bytes() {
    let world = World::new();
    let release = world.release();
    let sign = PublisherAction::Sign { slug: release.slug, version: release.version };
    assert!(Statement::publisher(None, publisher(&world, sign)).is_err());
    let add = PublisherAction::AddKey { key: *key("author").public() };
    let content: Option<Content> = Some(world.content);
    assert!(Statement::publisher(content, publisher(&world, add)).is_err());
}
