use skill_core::state::ReleaseState;
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
fn a_restoration_lifts_what_is_in_force_and_nothing_else() {
    for events in [
        vec![Lift(9)],
        vec![Restrict(Restriction::Yank), Lift(1)],
        vec![Restrict(Restriction::Quarantine), Lift(1), Lift(1)],
        vec![Lift(2), Restrict(Restriction::Quarantine)],
    ] {
        let error = after(&events).unwrap_err();
        assert!(matches!(error, TrustError::RestorationTarget { .. }), "{error}");
        assert_eq!((error.code(), error.check()), ("restriction-list", "restriction-list"));
    }
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
