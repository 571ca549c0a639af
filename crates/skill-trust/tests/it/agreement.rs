use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::{Owner, SkillName};
use skill_trust::VerifiedRelease;
use skill_trust::agreement::{Locked, disagreements};

use crate::world::World;

fn locked(signed: &VerifiedRelease) -> Locked<'_> {
    let release = &signed.release;
    Locked {
        registry: release.registry,
        owner: &release.owner,
        slug: &release.slug,
        version: &release.version,
        archive: signed.archive,
        tree: signed.tree,
        publisher: &release.publisher,
        log_index: signed.release_log_index,
        findings: signed.scan.findings,
    }
}

#[test]
fn a_lock_that_agrees() {
    let world = World::new();
    let signed = world.verify(world.statements()).unwrap();
    assert_eq!(disagreements(&locked(&signed), &signed), []);
}

/// The envelope proves that they are one skill; a lock may know it by either name, and by no third.
#[test]
fn a_lock_that_knows_another_name_of_the_skill() {
    let world = World::new();
    let mut statements = world.statements();
    statements.push(world.sign(1900, &world.transfer("acme/github", "octo")));
    statements.push(world.sign(1901, &world.alias("acme/github", "octo/gh")));
    let signed = world.verify(statements).unwrap();
    let checks = |name: &str| {
        let SkillName { owner, slug } = name.parse().unwrap();
        let found = disagreements(&Locked { owner: &owner, slug: &slug, ..locked(&signed) }, &signed);
        found.iter().map(|difference| difference.field.check()).collect::<Vec<_>>()
    };
    assert_eq!((checks("acme/github"), checks("octo/gh")), (vec![], vec![]));
    assert_eq!(checks("acme/gh"), ["lock-slug"]);
    assert_eq!(checks("octo/github"), ["lock-owner"]);
    assert_eq!(checks("zed/x"), ["lock-owner", "lock-slug"]);
}

#[test]
fn each_field_has_its_own_check() {
    let world = World::new();
    let signed = world.verify(world.statements()).unwrap();
    let other = Sha256::of("other");
    let owner: Owner = "octo".parse().unwrap();
    let (slug, version) = ("gitlab".parse().unwrap(), "9.9.9".parse().unwrap());
    let all = Locked {
        registry: RegistryId::new(other),
        owner: &owner,
        slug: &slug,
        version: &version,
        archive: other,
        tree: TreeDigest::new(other),
        publisher: &owner,
        log_index: 7,
        findings: other,
    };
    let found = disagreements(&all, &signed);
    let checks: Vec<_> = found.iter().map(|d| d.field.check()).collect();
    insta::assert_snapshot!(checks.join(" "), @"lock-registry lock-owner lock-slug lock-version lock-archive lock-tree lock-log-index lock-publisher lock-findings");
    let version = found.iter().find(|d| d.field.check() == "lock-version").unwrap();
    assert_eq!((version.locked.as_str(), version.signed.as_str()), ("9.9.9", "3.4.1"));

    let one = Locked { log_index: 1840, ..locked(&signed) };
    let [only] = disagreements(&one, &signed).try_into().unwrap();
    assert_eq!(only.field.check(), "lock-log-index");
}
