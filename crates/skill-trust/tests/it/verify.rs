use skill_core::digest::Sha256;
use skill_core::verdict::Verdict;
use skill_trust::{Statement, TrustEnvelope, verify_release};

use crate::world::{World, at};

#[test]
fn an_honest_release() {
    let world = World::new();
    let verified = world.verify(world.statements()).unwrap();
    assert_eq!(verified.archive, world.content.archive);
    assert_eq!(verified.tree, world.content.tree);
    assert_eq!(verified.archive_size, 42_189);
    assert_eq!((verified.release_log_index, verified.scan_log_index), (1841, 1842));
    assert_eq!(verified.release, world.release());
    assert_eq!(verified.scan, world.scan());
    assert_eq!(verified.name().to_string(), "acme/github");
    assert!(verified.restrictions.events().is_empty());
    assert_eq!(verified.restrictions.state(), None);
}

#[test]
fn it_survives_the_way_over_the_wire() {
    let world = World::new();
    let bytes = TrustEnvelope::new(world.statements()).unwrap().to_json();
    let read = TrustEnvelope::parse(&bytes).unwrap();
    assert!(verify_release(&read, &world.root, &world.expected()).is_ok());
}

/// A release without requirements, commit or previous release is as good as one with them.
#[test]
fn the_barest_release() {
    let world = World::new();
    let mut release = world.release();
    release.requirements.clear();
    let mut statements = world.statements();
    statements[0] = world.sign(1841, &Statement::release(world.content, release.clone()));
    assert_eq!(world.verify(statements).unwrap().release, release);
}

#[test]
fn a_later_scan_worsens_and_never_improves() {
    let world = World::new();
    let scan = |verdict, findings: &str, index| {
        let mut scan = world.scan();
        (scan.verdict, scan.findings) = (verdict, Sha256::of(findings));
        scan.scanned_at = at("2026-12-01T00:00:00Z");
        world.sign(index, &Statement::scan(world.content, scan))
    };
    let verified = |scans: &[_]| {
        let mut statements = world.statements();
        statements.extend_from_slice(scans);
        let verified = world.verify(statements).unwrap();
        (verified.scan.verdict, verified.scan_log_index)
    };
    let suspicious = scan(Verdict::Suspicious, "one", 1900);
    assert_eq!(verified(std::slice::from_ref(&suspicious)), (Verdict::Suspicious, 1900));
    let clean = scan(Verdict::Clean, "", 1950);
    assert_eq!(verified(&[suspicious.clone(), clean]), (Verdict::Suspicious, 1900));
    let suspicious_again = scan(Verdict::Suspicious, "two", 1960);
    assert_eq!(verified(&[suspicious, suspicious_again]), (Verdict::Suspicious, 1960));
}

/// An ended root stops new installs; it never stops a verification.
#[test]
fn an_expired_root_still_verifies() {
    let world = World::new();
    assert!(world.root.is_expired(at("2037-01-01T00:00:00Z")));
    assert!(world.verify(world.statements()).is_ok());
}
