//! One wrong name statement at a time: what it is called, which code and which check it fails.

use skill_core::digest::{RegistryId, Sha256};
use skill_core::name::SkillName;
use skill_core::verdict::Verdict;
use skill_trust::predicate::{NameAction, NamePredicate, Restriction};
use skill_trust::{
    Kind, LoggedStatement, Role, Signer, Statement, TrustEnvelope, TrustError, follow_name, verify_release,
};

use crate::world::{World, at, key};

fn name(text: &str) -> SkillName {
    text.parse().unwrap()
}

/// The release and scan of acme/github 3.4.1, and then these, from leaf 2001 on.
fn with(world: &World, more: &[Statement]) -> Vec<LoggedStatement> {
    let more = more.iter().zip(2001..).map(|(statement, leaf)| world.sign(leaf, statement));
    world.statements().into_iter().chain(more).collect()
}

/// Name of the case, `code`, `check` and text of the error.
fn line(case: &str, world: &World, asked: &str, more: &[Statement]) -> String {
    refused(case, &world.verify_as(asked, with(world, more)).unwrap_err())
}

fn refused(case: &str, error: &TrustError) -> String {
    format!("{case}: {} {}\n  {error}", error.code(), error.check())
}

#[test]
fn a_renamed_skill_is_the_same_skill() {
    let world = World::new();
    let renamed = with(&world, &[world.claim("acme/gh"), world.alias("acme/github", "acme/gh")]);
    for asked in ["acme/gh", "acme/github"] {
        let verified = world.verify_as(asked, renamed.clone()).unwrap();
        assert_eq!(verified.name(), name("acme/github"), "it was published so");
        assert_eq!(verified.names.current(), &name("acme/gh"));
        assert_eq!(verified.names.former().collect::<Vec<_>>(), [(&name("acme/github"), 2002)]);
        assert_eq!(verified.names.led_on_at(&name("acme/github")), Some(2002));
        assert_eq!(verified.names.led_on_at(&name("acme/gh")), None);
        assert!(verified.names.include(&name("acme/gh")) && verified.names.include(&name("acme/github")));
        assert!(!verified.names.include(&name("octo/gh")));
    }
}

/// What is said under the new name counts for the release that was published under the old one.
#[test]
fn statements_under_both_names() {
    let world = World::new();
    let mut scan = world.scan();
    (scan.slug, scan.verdict) = ("gh".parse().unwrap(), Verdict::Suspicious);
    let more = [world.alias("acme/github", "acme/gh"), Statement::scan(world.content, scan)];
    for asked in ["acme/gh", "acme/github"] {
        let verified = world.verify_as(asked, with(&world, &more)).unwrap();
        assert_eq!((verified.scan.verdict, verified.scan_log_index), (Verdict::Suspicious, 2002));
    }
}

#[test]
fn a_name_that_nothing_leads_to() {
    let world = World::new();
    let lines = [
        line("no alias", &world, "acme/gh", &[]),
        line("another's alias", &world, "acme/gh", &[world.alias("acme/other", "acme/gh")]),
        line("a third name", &world, "acme/other", &[world.alias("acme/github", "acme/gh")]),
        line("a claim is no alias", &world, "acme/gh", &[world.claim("acme/gh")]),
        line("nor is a transfer", &world, "octo/github", &[world.transfer("acme/github", "octo")]),
        line("another's claim", &world, "acme/github", &[world.claim("acme/other")]),
        line("another's transfer", &world, "acme/github", &[world.transfer("acme/other", "octo")]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    no alias: envelope-other envelope-subject
      the release statement is about `acme/github`, which no signed alias ties to `acme/gh`
    another's alias: envelope-other envelope-subject
      the release statement is about `acme/github`, which no signed alias ties to `acme/gh`
    a third name: envelope-other envelope-subject
      the name statement is about `acme/github`, which no signed alias ties to `acme/other`
    a claim is no alias: envelope-other envelope-subject
      the release statement is about `acme/github`, which no signed alias ties to `acme/gh`
    nor is a transfer: envelope-other envelope-subject
      the name statement is about `acme/github`, which no signed alias ties to `octo/github`
    another's claim: envelope-other envelope-subject
      the name statement is about `acme/other`, which no signed alias ties to `acme/github`
    another's transfer: envelope-other envelope-subject
      the name statement is about `acme/other`, which no signed alias ties to `acme/github`
    ");
}

#[test]
fn a_forged_alias() {
    let world = World::new();
    let alias = world.alias("acme/github", "evil/gh");
    let verify = |logged: LoggedStatement| {
        let mut statements = world.statements();
        statements.push(logged);
        world.verify_as("evil/gh", statements).unwrap_err()
    };
    let by = |keys: &[&skill_trust::SigningKey]| {
        let dsse = alias.sign(keys.iter().copied()).unwrap();
        verify(LoggedStatement { kind: Kind::Name, log_index: 2001, dsse })
    };
    let thief = key("thief");
    let unknown = by(&[&thief]);
    assert_eq!(unknown, TrustError::UnknownKey { kind: Kind::Name, key: thief.id() });
    assert_eq!((unknown.code(), unknown.check()), ("signature-mismatch", "signature-name"));
    assert_eq!(by(&[&world.keys[&Role::Release], &thief]), unknown, "a good signature carries no bad one");

    // The right signature of another alias, under the payload of this one.
    let honest = world.sign(2001, &world.alias("acme/github", "acme/gh"));
    let forged = world.sign(2001, &alias);
    let text = |logged: &LoggedStatement| serde_json::to_value(&logged.dsse).unwrap();
    let mut mixed = text(&forged);
    mixed["signatures"] = text(&honest)["signatures"].clone();
    let dsse = skill_trust::dsse::Envelope::parse(&serde_json::to_vec(&mixed).unwrap()).unwrap();
    let error = verify(LoggedStatement { dsse, ..forged });
    assert!(matches!(error, TrustError::Signature { kind: Kind::Name, .. }), "{error}");
    assert_eq!((error.code(), error.check()), ("signature-mismatch", "signature-name"));
}

#[test]
fn a_name_is_the_word_of_one_role() {
    let world = World::new();
    let said = [
        world.claim("acme/github"),
        world.alias("acme/github", "acme/gh"),
        world.merge("acme/github", "acme/gh"),
        world.transfer("acme/github", "octo"),
    ];
    for statement in &said {
        assert_eq!(statement.kind().signer(), Signer::Role(Role::Release));
        for actual in Role::ALL.into_iter().filter(|&role| role != Role::Release) {
            let mut statements = world.statements();
            statements.push(world.sign_as(actual, 2001, statement));
            let error = world.verify_as("acme/gh", statements).unwrap_err();
            assert_eq!(error, TrustError::Role { kind: Kind::Name, needed: Role::Release, actual });
            assert_eq!((error.code(), error.check()), ("signature-role", "signature-role"));
        }
    }
}

/// Properly signed by this registry's keys, and about a name of another registry.
#[test]
fn an_alias_of_another_registry() {
    let world = World::new();
    let other = RegistryId::new(Sha256::of("other"));
    let action = NameAction::Alias { target: name("acme/gh").into() };
    let predicate = NamePredicate {
        registry: other,
        owner: "acme".parse().unwrap(),
        slug: "github".parse().unwrap(),
        action,
        at: at("2026-11-30T15:00:00Z"),
    };
    let error = world.verify_as("acme/gh", with(&world, &[Statement::name(predicate)])).unwrap_err();
    assert_eq!(error, TrustError::Registry { expected: world.registry, found: other });
    assert_eq!((error.code(), error.check()), ("envelope-other", "envelope-subject"));
}

#[test]
fn an_alias_leads_straight_to_the_end() {
    let world = World::new();
    let alias = |from, to| world.alias(from, to);
    let lines = [
        line("to itself", &world, "acme/github", &[alias("acme/github", "acme/github")]),
        line(
            "a circle",
            &world,
            "acme/gh",
            &[alias("acme/github", "acme/gh"), alias("acme/gh", "acme/github")],
        ),
        line(
            "into a circle",
            &world,
            "acme/b",
            &[alias("acme/github", "acme/a"), alias("acme/a", "acme/b"), alias("acme/b", "acme/a")],
        ),
        line(
            "two hops",
            &world,
            "acme/tools",
            &[alias("acme/github", "acme/gh"), alias("acme/gh", "acme/tools")],
        ),
        line(
            "twice",
            &world,
            "acme/gh",
            &[alias("acme/github", "acme/gh"), alias("acme/github", "acme/tools")],
        ),
        line(
            "the same twice",
            &world,
            "acme/gh",
            &[alias("acme/github", "acme/gh"), alias("acme/github", "acme/gh")],
        ),
        line(
            "a claim twice",
            &world,
            "acme/github",
            &[world.claim("acme/github"), world.claim("acme/github")],
        ),
        line(
            "two ends",
            &world,
            "acme/gh",
            &[alias("acme/github", "acme/gh"), alias("acme/other", "acme/tools")],
        ),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    to itself: envelope-other signature-name
      the aliases from `acme/github` lead in a circle
    a circle: envelope-other signature-name
      the aliases from `acme/gh` lead in a circle
    into a circle: envelope-other signature-name
      the aliases from `acme/a` lead in a circle
    two hops: envelope-other signature-name
      `acme/github` leads to `acme/gh`, which leads on: an alias leads straight to the end
    twice: envelope-other signature-name
      two name statements say what `acme/github` is, leaves 2001 and 2002
    the same twice: envelope-other signature-name
      two name statements say what `acme/github` is, leaves 2001 and 2002
    a claim twice: envelope-other signature-name
      two name statements say what `acme/github` is, leaves 2001 and 2002
    two ends: envelope-other envelope-subject
      the name statement is about `acme/other`, which no signed alias ties to `acme/gh`
    ");
}

#[test]
fn an_alias_across_owners_needs_a_transfer() {
    let world = World::new();
    let alias = |from, to| world.alias(from, to);
    let direct = [world.transfer("acme/github", "octo"), alias("acme/github", "octo/github")];
    for asked in ["octo/github", "acme/github"] {
        let verified = world.verify_as(asked, with(&world, &direct)).unwrap();
        assert_eq!(verified.names.current(), &name("octo/github"));
    }
    // Renamed before and after it changed hands.
    let renamed = [
        world.transfer("acme/gh", "octo"),
        alias("acme/github", "octo/tools"),
        alias("acme/gh", "octo/tools"),
    ];
    assert!(world.verify_as("octo/tools", with(&world, &renamed)).is_ok());
    // Given on: the second owner has it from the first, under the slug that the transfer kept.
    let twice = [
        world.transfer("acme/github", "octo"),
        world.transfer("octo/github", "zed"),
        alias("acme/github", "zed/github"),
    ];
    assert!(world.verify_as("zed/github", with(&world, &twice)).is_ok());
    // There and back again: nobody needs leave to come home.
    let back = [world.transfer("octo/github", "acme"), alias("octo/github", "acme/github")];
    assert!(world.verify(with(&world, &back)).is_ok());

    let [first, second, end] = &twice;
    let lines = [
        line("none", &world, "octo/github", &direct[1..]),
        line(
            "to somebody else",
            &world,
            "octo/github",
            &[world.transfer("acme/github", "zed"), direct[1].clone()],
        ),
        line(
            "by the receiver",
            &world,
            "octo/github",
            &[world.transfer("octo/github", "octo"), direct[1].clone()],
        ),
        line(
            "of another skill",
            &world,
            "octo/github",
            &[world.transfer("acme/other", "octo"), direct[1].clone()],
        ),
        line("of a name that is not tied", &world, "octo/tools", &renamed[..2]),
        line("the second alone", &world, "zed/github", &[second.clone(), end.clone()]),
        line("the first alone", &world, "zed/github", &[first.clone(), end.clone()]),
        line(
            "given on before it was had",
            &world,
            "zed/github",
            &[second.clone(), first.clone(), end.clone()],
        ),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    none: envelope-other signature-name
      `acme/github` leads to `octo/github`, and no signed transfer gives it from the one to the other
    to somebody else: envelope-other signature-name
      `acme/github` leads to `octo/github`, and no signed transfer gives it from the one to the other
    by the receiver: envelope-other signature-name
      `acme/github` leads to `octo/github`, and no signed transfer gives it from the one to the other
    of another skill: envelope-other envelope-subject
      the name statement is about `acme/other`, which no signed alias ties to `octo/github`
    of a name that is not tied: envelope-other envelope-subject
      the name statement is about `acme/gh`, which no signed alias ties to `octo/tools`
    the second alone: envelope-other envelope-subject
      the name statement is about `octo/github`, which no signed alias ties to `zed/github`
    the first alone: envelope-other signature-name
      `acme/github` leads to `zed/github`, and no signed transfer gives it from the one to the other
    given on before it was had: envelope-other envelope-subject
      the name statement is about `octo/github`, which no signed alias ties to `zed/github`
    ");
}

/// Two skills that were merged both have a 3.4.1. Whoever asks for the one must not be given the
/// other's, however well it is signed.
#[test]
fn a_merge_carries_no_release() {
    let world = World::new();
    let merge = world.merge("acme/github", "octo/gh");
    let lines = [
        line("asked for as the target's", &world, "octo/gh", std::slice::from_ref(&merge)),
        line("asked for as its own", &world, "acme/github", &[merge]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r"
    asked for as the target's: envelope-other signature-name
      `acme/github` was merged into `octo/gh`, whose releases are others
    asked for as its own: envelope-other signature-name
      `acme/github` was merged into `octo/gh`, whose releases are others
    ");
}

/// Should a name ever be given to another skill, an old alias does not hand over that skill's releases.
#[test]
fn an_alias_covers_what_was_said_before_it() {
    let world = World::new();
    let alias = world.sign(1840, &world.alias("acme/github", "acme/gh"));
    let statements: Vec<_> = [alias].into_iter().chain(world.statements()).collect();
    let lines = ["acme/gh", "acme/github"]
        .map(|asked| refused(asked, &world.verify_as(asked, statements.clone()).unwrap_err()));
    insta::assert_snapshot!(lines.join("\n"), @r"
    acme/gh: envelope-other signature-name
      the release statement, leaf 1841, is about `acme/github`, which leads elsewhere since leaf 1840
    acme/github: envelope-other signature-name
      the release statement, leaf 1841, is about `acme/github`, which leads elsewhere since leaf 1840
    ");
}

/// A restriction and a restoration may be about any name of the skill, like everything else.
#[test]
fn a_pair_under_two_names() {
    let world = World::new();
    let mut statements = with(&world, &[world.restriction(Restriction::Quarantine, 1)]);
    statements.push(world.sign(2100, &world.alias("acme/github", "acme/gh")));
    let text = String::from_utf8(world.restoration(1, 2).to_json()).unwrap();
    let renamed = text.replace("acme/github@", "acme/gh@").replace(r#""slug":"github""#, r#""slug":"gh""#);
    statements.push(world.sign(2101, &Statement::parse(renamed.as_bytes()).unwrap()));
    let verified = world.verify_as("acme/gh", statements).unwrap();
    assert_eq!(verified.restrictions.state(), None);
}

#[test]
fn where_a_name_leads() {
    let world = World::new();
    let follow = |more: &[Statement], from: &str| {
        let logged: Vec<_> = more.iter().zip(2001..).map(|(said, leaf)| world.sign(leaf, said)).collect();
        follow_name(&logged, &world.root, &name(from))
    };
    let renamed = [world.claim("acme/gh"), world.alias("acme/github", "acme/gh")];
    let to = follow(&renamed, "acme/github").unwrap();
    assert_eq!((to.name, to.log_index, to.merged), (name("acme/gh"), 2002, false));
    let given = [world.transfer("acme/github", "octo"), world.alias("acme/github", "octo/github")];
    let to = follow(&given, "acme/github").unwrap();
    assert_eq!((to.name, to.log_index, to.merged), (name("octo/github"), 2002, false));
    // Who merges two skills has both: there is nobody to ask.
    let to = follow(&[world.merge("acme/github", "octo/gh")], "acme/github").unwrap();
    assert_eq!((to.name, to.log_index, to.merged), (name("octo/gh"), 2001, true));

    let refused_for = |case, more: &[Statement]| refused(case, &follow(more, "acme/github").unwrap_err());
    let lines = [
        refused_for("nothing", &[]),
        refused_for("a claim alone", &[world.claim("acme/github")]),
        refused_for("another's alias", &[world.alias("acme/other", "acme/gh")]),
        refused_for("no consent", &given[1..]),
        refused_for("two hops", &[world.alias("acme/github", "acme/gh"), world.alias("acme/gh", "acme/x")]),
        refused_for("to itself", &[world.merge("acme/github", "acme/github")]),
        refused_for("twice", &[world.alias("acme/github", "acme/gh"), world.merge("acme/github", "acme/x")]),
        refused_for("a release", &[Statement::release(world.content, world.release())]),
    ];
    let elsewhere = World::with_prefix("elsewhere");
    let logged = [elsewhere.sign(2001, &elsewhere.alias("acme/github", "acme/gh"))];
    let error = follow_name(&logged, &world.root, &name("acme/github")).unwrap_err();
    assert!(matches!(error, TrustError::UnknownKey { .. }), "{error}");
    // The keys are this registry's, the word is another's.
    let text = String::from_utf8(renamed[1].to_json()).unwrap();
    let (ours, theirs) = (world.registry.to_string(), elsewhere.registry.to_string());
    let digests = [&ours, &theirs].map(|id| Sha256::of(format!("{id}/acme/github")).to_string());
    let foreign = text.replace(&ours, &theirs).replace(&digests[0], &digests[1]);
    let foreign = Statement::parse(foreign.as_bytes()).unwrap();
    let error = follow_name(&[world.sign(2001, &foreign)], &world.root, &name("acme/github")).unwrap_err();
    assert_eq!(error, TrustError::Registry { expected: world.registry, found: elsewhere.registry });
    insta::assert_snapshot!(lines.join("\n"), @r"
    nothing: statement-missing signature-name
      the name statement is missing
    a claim alone: statement-missing signature-name
      the name statement is missing
    another's alias: envelope-other envelope-subject
      the name statement is about `acme/other`, which no signed alias ties to `acme/github`
    no consent: envelope-other signature-name
      `acme/github` leads to `octo/github`, and no signed transfer gives it from the one to the other
    two hops: envelope-other signature-name
      `acme/github` leads to `acme/gh`, which leads on: an alias leads straight to the end
    to itself: envelope-other signature-name
      the aliases from `acme/github` lead in a circle
    twice: envelope-other signature-name
      two name statements say what `acme/github` is, leaves 2001 and 2002
    a release: envelope-unreadable envelope-unreadable
      a release statement is listed as name
    ");
}

/// Whatever bit of a renamed skill's envelope flips: it is refused, except in a leaf's number.
#[test]
fn every_flipped_bit_of_a_renamed_envelope_is_refused() {
    let world = World::new();
    let statements =
        with(&world, &[world.transfer("acme/github", "octo"), world.alias("acme/github", "octo/github")]);
    let json = TrustEnvelope::new(statements).unwrap().to_json();
    let expected = skill_trust::Expected { owner: "octo".parse().unwrap(), ..world.expected() };
    let text = String::from_utf8(json.clone()).unwrap();
    let numbers: Vec<_> = text.match_indices("\"logIndex\":").map(|(at, m)| at + m.len()).collect();
    let taken = |bytes: &[u8]| {
        TrustEnvelope::parse(bytes)
            .map_err(TrustError::from)
            .and_then(|envelope| verify_release(&envelope, &world.root, &expected))
    };
    assert!(taken(&json).is_ok());
    for place in 0..json.len() {
        let in_number = numbers.iter().any(|&start| (start..start + 4).contains(&place));
        let mut changed = json.clone();
        changed[place] ^= 1 << (place % 7);
        assert!(taken(&changed).is_err() || in_number, "byte {place} of {text}");
    }
}
