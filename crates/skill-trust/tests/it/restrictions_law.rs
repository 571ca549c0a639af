use std::collections::BTreeMap;

use proptest::prelude::*;
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_trust::predicate::{Restriction, TakedownScope};
use skill_trust::{Kind, LoggedStatement, Statement, TrustError, VerifiedRelease};

use crate::world::World;

/// One thing that is said about a release.
#[derive(Debug, Clone, Copy)]
enum Said {
    Restricted(Restriction),
    /// The restriction that was said so many before, if it can be, is restored.
    Restored(u8),
    Scanned(Verdict),
}

fn said() -> impl Strategy<Value = Said> {
    let action = prop::sample::select(vec![
        Restriction::Yank,
        Restriction::Unyank,
        Restriction::Withdraw,
        Restriction::Delete,
        Restriction::Undelete,
        Restriction::Quarantine,
        Restriction::Takedown(TakedownScope::Bytes),
        Restriction::Takedown(TakedownScope::Release),
    ]);
    let verdict = prop::sample::select(vec![Verdict::Clean, Verdict::Suspicious, Verdict::Malicious]);
    prop_oneof![
        4 => action.prop_map(Said::Restricted),
        3 => (0_u8..3).prop_map(Said::Restored),
        1 => verdict.prop_map(Said::Scanned),
    ]
}

/// A release as the registry's own rows would tell it: what is open, and whether the last malicious
/// scan was overruled.
#[derive(Debug, Default, Clone)]
struct Model {
    open: BTreeMap<u64, Restriction>,
    worst: Option<Verdict>,
    /// Quarantines since the scan that counts.
    since: Vec<u64>,
}

impl Model {
    fn hear(&mut self, sequence: u64, said: Said) -> Result<(), ()> {
        match said {
            Said::Restricted(action) => {
                self.open.retain(|_, open| match action {
                    Restriction::Unyank => *open != Restriction::Yank,
                    Restriction::Undelete => !matches!(open, Restriction::Withdraw | Restriction::Delete),
                    _ => true,
                });
                if !matches!(action, Restriction::Unyank | Restriction::Undelete) {
                    self.open.insert(sequence, action);
                }
                if action == Restriction::Quarantine {
                    self.since.push(sequence);
                }
            }
            Said::Restored(before) => {
                let lifts = lifted(sequence, before);
                let lifted = self.open.get(&lifts).is_some_and(|open| open.needs_restoration());
                self.open.remove(&lifts);
                return lifted.then_some(()).ok_or(());
            }
            Said::Scanned(verdict) if self.worst.is_none_or(|worst| verdict >= worst) => {
                self.worst = Some(verdict);
                self.since.clear();
            }
            Said::Scanned(_) => {}
        }
        Ok(())
    }

    fn state(&self) -> Option<ReleaseState> {
        let state = |open: &Restriction| match open {
            Restriction::Yank => (1, ReleaseState::Yanked),
            Restriction::Withdraw => (2, ReleaseState::Withdrawn),
            Restriction::Delete => (3, ReleaseState::Deleted),
            Restriction::Quarantine => (4, ReleaseState::Quarantined),
            _ => (5, ReleaseState::TakenDown),
        };
        self.open.values().map(state).max_by_key(|(hardness, _)| *hardness).map(|(_, state)| state)
    }

    fn verdict(&self) -> Verdict {
        let lifted = !self.since.is_empty() && self.since.iter().all(|one| !self.open.contains_key(one));
        match self.worst {
            Some(Verdict::Malicious) if lifted => Verdict::Suspicious,
            worst => worst.unwrap_or(Verdict::Clean),
        }
    }
}

/// The sequence of what was said so many before.
fn lifted(sequence: u64, before: u8) -> u64 {
    sequence.saturating_sub(u64::from(before) + 1)
}

/// The statements, each with the sequence (and a leaf of the same order) that its place gives it.
fn statements(world: &World, all: &[Said]) -> Vec<(u64, LoggedStatement)> {
    let statement = |(said, sequence): (&Said, u64)| {
        let statement = match *said {
            Said::Restricted(action) => world.restriction(action, sequence),
            Said::Restored(before) => world.restoration(lifted(sequence, before), sequence),
            Said::Scanned(verdict) => Statement::scan(
                world.content,
                skill_trust::predicate::ScanPredicate { verdict, ..world.scan() },
            ),
        };
        (sequence, world.sign(2000 + sequence, &statement))
    };
    all.iter().zip(1..).map(statement).collect()
}

/// Reads them with the release, and with its first scan if they hold none.
fn verify(world: &World, said: &[(u64, LoggedStatement)]) -> Result<VerifiedRelease, TrustError> {
    let scanned = said.iter().any(|(_, logged)| logged.kind == Kind::Scan);
    let first = world.statements().into_iter().take(if scanned { 1 } else { 2 });
    world.verify(first.chain(said.iter().map(|(_, logged)| logged.clone())).collect())
}

proptest! {
    /// Whatever is said in whatever order: state and verdict are those that the registry's rows give, and
    /// a restoration is taken only if it lifts what is open and needs one.
    #[test]
    fn a_reader_replays_what_the_registry_did(all in prop::collection::vec(said(), 0..6)) {
        let world = World::new();
        let mut model = Model::default();
        let mut taken = Vec::new();
        for (sequence, logged) in statements(&world, &all) {
            let place = usize::try_from(sequence).unwrap() - 1;
            let mut next = model.clone();
            let said = [taken.as_slice(), &[(sequence, logged)]].concat();
            let read = verify(&world, &said);
            if next.hear(sequence, all[place]).is_err() {
                let refused = matches!(
                    read,
                    Err(TrustError::RestorationTarget { .. } | TrustError::RestorationAction { .. })
                );
                prop_assert!(refused, "{:?}", read);
                continue;
            }
            let read = read?;
            prop_assert_eq!(read.restrictions.state().map(|(state, _)| state), next.state());
            prop_assert_eq!(read.verdict(), next.verdict());
            (model, taken) = (next, said);
        }
    }

    /// What a registry leaves out makes no difference: what owners did and took back, and pairs of a
    /// quarantine or takedown and its restoration from before the scan that counts.
    #[test]
    fn what_is_left_out_makes_no_difference(all in prop::collection::vec(said(), 0..6)) {
        let world = World::new();
        let mut model = Model::default();
        let mut said = Vec::new();
        for ((sequence, logged), one) in statements(&world, &all).into_iter().zip(all) {
            let mut next = model.clone();
            if next.hear(sequence, one).is_ok() {
                model = next;
                said.push((sequence, logged, one));
            }
        }
        let counts = |sequence: u64| model.open.contains_key(&sequence) || model.since.contains(&sequence);
        for every_pair in [true, false] {
            let kept = said.iter().filter(|(sequence, _, one)| match *one {
                Said::Restricted(action) if action.needs_restoration() => every_pair || counts(*sequence),
                Said::Restricted(_) => model.open.contains_key(sequence),
                Said::Restored(before) => every_pair || counts(lifted(*sequence, before)),
                Said::Scanned(_) => true,
            });
            let kept: Vec<_> = kept.map(|(sequence, logged, _)| (*sequence, logged.clone())).collect();
            let read = verify(&world, &kept)?;
            prop_assert_eq!(read.restrictions.state().map(|(state, _)| state), model.state());
            prop_assert_eq!(read.verdict(), model.verdict());
        }
    }
}
