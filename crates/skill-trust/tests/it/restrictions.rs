use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_trust::predicate::{Restriction, TakedownScope};
use skill_trust::verify::Restrictions;
use skill_trust::{Statement, TrustError};

use crate::world::World;

enum Event {
    Restrict(Restriction),
    Lift(u64),
}
use Event::{Lift, Restrict};

/// The events get the sequences 1, 2, 3 and so on.
fn after(events: &[Event]) -> Result<Restrictions, TrustError> {
    let world = World::new();
    let mut statements = world.statements();
    for (event, sequence) in events.iter().zip(1..) {
        let statement = match *event {
            Restrict(action) => world.restriction(action, sequence),
            Lift(lifts) => world.restoration(lifts, sequence),
        };
        statements.push(world.sign(2000 + sequence, &statement));
    }
    Ok(world.verify(statements)?.restrictions)
}

fn state(events: &[Event]) -> Option<ReleaseState> {
    after(events).unwrap().state().map(|(state, _)| state)
}

const TAKEDOWN: Restriction = Restriction::Takedown(TakedownScope::Bytes);

#[test]
fn owners_undo_what_owners_did() {
    assert_eq!(state(&[Restrict(Restriction::Yank)]), Some(ReleaseState::Yanked));
    assert_eq!(state(&[Restrict(Restriction::Yank), Restrict(Restriction::Unyank)]), None);
    assert_eq!(state(&[Restrict(Restriction::Withdraw), Restrict(Restriction::Undelete)]), None);
    assert_eq!(state(&[Restrict(Restriction::Delete), Restrict(Restriction::Undelete)]), None);
    let yanked = [Restrict(Restriction::Yank), Restrict(Restriction::Undelete)];
    assert_eq!(state(&yanked), Some(ReleaseState::Yanked));
}

#[test]
fn only_a_restoration_lifts_a_quarantine_or_a_takedown() {
    for (action, held) in
        [(Restriction::Quarantine, ReleaseState::Quarantined), (TAKEDOWN, ReleaseState::TakenDown)]
    {
        for undo in [Restriction::Unyank, Restriction::Undelete] {
            assert_eq!(state(&[Restrict(action), Restrict(undo)]), Some(held));
        }
        assert_eq!(state(&[Restrict(action), Lift(1)]), None);
    }
}

#[test]
fn the_hardest_restriction_decides() {
    let all = [Restrict(TAKEDOWN), Restrict(Restriction::Quarantine), Restrict(Restriction::Yank)];
    let restrictions = after(&all).unwrap();
    assert_eq!(restrictions.in_force().len(), 3);
    let (state, by) = restrictions.state().unwrap();
    assert_eq!((state, by.sequence), (ReleaseState::TakenDown, 1));
    let [first, second, third] = all;
    assert_eq!(self::state(&[first, second, third, Lift(1)]), Some(ReleaseState::Quarantined));
}

#[test]
fn a_restoration_lifts_what_is_in_force() {
    for events in [
        vec![Lift(9)],
        vec![Restrict(Restriction::Quarantine), Lift(3)],
        vec![Restrict(Restriction::Quarantine), Lift(1), Lift(1)],
        vec![Lift(2), Restrict(Restriction::Quarantine)],
        vec![Restrict(Restriction::Yank), Restrict(Restriction::Unyank), Lift(1)],
    ] {
        let error = after(&events).unwrap_err();
        assert!(matches!(error, TrustError::RestorationTarget { .. }), "{error}");
        assert_eq!((error.code(), error.check()), ("restriction-list", "restriction-list"));
    }
}

/// What an owner did is the owner's to take back, by the key for restrictions.
#[test]
fn a_restoration_lifts_no_owner_s_restriction() {
    for action in [Restriction::Yank, Restriction::Withdraw, Restriction::Delete] {
        let error = after(&[Restrict(action), Lift(1)]).unwrap_err();
        assert_eq!(error, TrustError::RestorationAction { sequence: 2, lifts: 1, action });
        assert_eq!((error.code(), error.check()), ("restriction-list", "restriction-list"));
    }
}

/// The pair of a restriction and what lifted it is whole or not there.
#[test]
fn a_restored_release_needs_both_halves() {
    let pair = [Restrict(Restriction::Quarantine), Lift(1)];
    let restrictions = after(&pair).unwrap();
    assert_eq!(restrictions.state(), None);
    assert_eq!(restrictions.restoration_of(1).map(|restoration| restoration.sequence), Some(2));
    assert_eq!(restrictions.restoration_of(2), None);
    assert_eq!(state(&pair[..1]), Some(ReleaseState::Quarantined));
    assert!(matches!(after(&pair[1..]), Err(TrustError::RestorationTarget { .. })));
}

/// `undelete` is the one word for both: a release that was withdrawn before its skill was deleted has to
/// be withdrawn anew, and a yank survives both.
#[test]
fn undelete_undoes_a_withdrawal_too() {
    let back = [Restriction::Withdraw, Restriction::Delete, Restriction::Undelete];
    assert_eq!(state(&back.map(Restrict)), None);
    let anew = [Restriction::Withdraw, Restriction::Delete, Restriction::Undelete, Restriction::Withdraw];
    assert_eq!(state(&anew.map(Restrict)), Some(ReleaseState::Withdrawn));
    let yanked = [Restriction::Yank, Restriction::Withdraw, Restriction::Delete, Restriction::Undelete];
    assert_eq!(state(&yanked.map(Restrict)), Some(ReleaseState::Yanked));
    let unyanked = [Restriction::Withdraw, Restriction::Yank, Restriction::Unyank];
    assert_eq!(state(&unyanked.map(Restrict)), Some(ReleaseState::Withdrawn));
}

/// Of a false alarm a person made sure, and another person has to take it. A quarantine that is still in
/// force, a takedown that was lifted or a scan that came later is no false alarm.
#[test]
fn a_malicious_release_that_was_restored_is_suspicious() {
    let world = World::new();
    let malicious = || {
        let scan = skill_trust::predicate::ScanPredicate { verdict: Verdict::Malicious, ..world.scan() };
        Statement::scan(world.content, scan)
    };
    let verdict = |said: &[Statement]| {
        let mut statements = world.statements();
        statements.truncate(1);
        statements.extend(said.iter().zip(2001..).map(|(said, leaf)| world.sign(leaf, said)));
        let verified = world.verify(statements).unwrap();
        assert_eq!(verified.scan.verdict, Verdict::Malicious, "what was signed stays what it is");
        verified.verdict()
    };
    let quarantine = |sequence| world.restriction(Restriction::Quarantine, sequence);
    let restored = |lifts, sequence| world.restoration(lifts, sequence);
    let alarm = [malicious(), quarantine(1), restored(1, 2)];
    assert_eq!(verdict(&alarm), Verdict::Suspicious);
    for said in [
        vec![malicious()],
        vec![malicious(), quarantine(1)],
        vec![malicious(), world.restriction(TAKEDOWN, 1), restored(1, 2)],
        vec![malicious(), quarantine(1), world.restriction(TAKEDOWN, 2), restored(2, 3)],
        vec![quarantine(1), malicious(), restored(1, 2)],
        vec![quarantine(1), restored(1, 2), malicious()],
        [alarm.as_slice(), &[malicious()]].concat(),
        [alarm.as_slice(), &[quarantine(3)]].concat(),
        [alarm.as_slice(), &[malicious(), quarantine(3)]].concat(),
    ] {
        assert_eq!(verdict(&said), Verdict::Malicious, "{said:#?}");
    }
    assert_eq!(
        verdict(&[alarm.as_slice(), &[malicious(), quarantine(3), restored(3, 4)]].concat()),
        Verdict::Suspicious
    );
}

#[test]
fn sequences_only_count_upwards() {
    let world = World::new();
    for (first, second) in [(5, 4), (5, 5)] {
        let mut statements = world.statements();
        statements.push(world.sign(2001, &world.restriction(Restriction::Yank, first)));
        statements.push(world.sign(2002, &world.restriction(Restriction::Unyank, second)));
        let error = world.verify(statements).unwrap_err();
        assert_eq!(error, TrustError::RestrictionOrder { before: first, found: second });
        assert_eq!((error.code(), error.check()), ("restriction-rollback", "restriction-rollback"));
    }
}

/// Whatever the newest scan says, a quarantine stands.
#[test]
fn no_scan_lifts_a_quarantine() {
    let world = World::new();
    let mut statements = world.statements();
    statements.push(world.sign(2001, &world.restriction(Restriction::Quarantine, 1)));
    statements.push(world.sign(2002, &Statement::scan(world.content, world.scan())));
    let verified = world.verify(statements).unwrap();
    assert_eq!(verified.restrictions.state().unwrap().0, ReleaseState::Quarantined);
}
