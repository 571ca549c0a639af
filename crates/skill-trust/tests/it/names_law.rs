use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use skill_core::name::SkillName;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::{Kind, LoggedStatement, TrustEnvelope, TrustError, VerifiedRelease, follow_name};

use crate::cases::outcome;
use crate::histories::{History, Step, sorted, steps};
use crate::second_opinion::python;
use crate::world::World;

fn verify(
    world: &World,
    asked: &SkillName,
    statements: Vec<LoggedStatement>,
) -> Result<VerifiedRelease, TrustError> {
    world.verify_as(&asked.to_string(), sorted(statements))
}

/// A skill that changed hands so often that it no longer fits; the registry does not let it come to that.
fn is_full(result: &Result<VerifiedRelease, TrustError>) -> bool {
    matches!(result, Err(TrustError::Envelope(TrustEnvelopeError::TooLarge { .. })))
}

fn without(statements: &[LoggedStatement], drop: impl Fn(&LoggedStatement) -> bool) -> Vec<LoggedStatement> {
    statements.iter().filter(|logged| !drop(logged)).cloned().collect()
}

proptest! {
    /// Whatever a skill is called in its life, each release is found under the name that it was
    /// published under and under today's, by what an envelope holds for that. Without its alias, and
    /// without anybody's consent, it is not found under today's.
    #[test]
    fn every_release_keeps_its_proof(steps in steps()) {
        let world = World::new();
        let history = History::of(&world, 'a', &steps);
        for release in &history.releases {
            let (name, _) = release;
            let mut whole = history.basic(release);
            whole.extend(history.needed(name));
            let verified = verify(&world, &history.current, whole.clone());
            if is_full(&verified) {
                continue;
            }
            let verified = verified?;
            prop_assert_eq!(&verified.name(), name);
            prop_assert_eq!(verified.names.current(), &history.current);
            prop_assert_eq!(verify(&world, name, whole.clone())?.names, verified.names);
            if *name == history.current {
                continue;
            }
            let alias = alias_of(&whole, &world, name);
            let refused = verify(&world, &history.current, without(&whole, |l| l.log_index == alias));
            prop_assert!(matches!(refused, Err(TrustError::NameUnrelated { .. })), "{:?}", refused);
            let consents = history.consents(name);
            if !consents.is_empty() {
                let rest = without(&whole, |logged| consents.iter().any(|(_, consent)| consent == logged));
                let refused = verify(&world, &history.current, rest);
                prop_assert!(matches!(refused, Err(TrustError::NameUnconsented { .. })), "{:?}", refused);
            }
        }
    }

    /// What a registry answers about an older name leads to today's.
    #[test]
    fn every_older_name_leads_to_the_present_one(steps in steps()) {
        let world = World::new();
        let history = History::of(&world, 'a', &steps);
        for name in history.names().iter().filter(|name| **name != history.current) {
            let to = follow_name(&history.needed(name), &world.root, name)?;
            prop_assert_eq!((&to.name, to.merged), (&history.current, false));
        }
    }

    /// A mirror that shuffles everything that was ever signed about the names of two skills, even when
    /// the one was merged into the other, gives out no release of the one as the other's.
    #[test]
    fn no_mixture_makes_one_skill_of_two(
        ours in steps(),
        theirs in steps(),
        picked in prop::collection::vec(any::<bool>(), 64),
        merged in any::<bool>(),
    ) {
        let world = World::new();
        let (one, other) = (History::of(&world, 'a', &ours), History::of(&world, 'b', &theirs));
        let mut pool = one.said.clone();
        // Both logs count from the same leaf: the other's statements get the places between.
        pool.extend(other.said.iter().cloned().map(|mut logged| { logged.log_index += 1000; logged }));
        if merged {
            let merge = world.merge(&one.current.to_string(), &other.current.to_string());
            pool.push(world.sign(5000, &merge));
        }
        let kept = pool.into_iter().zip(&picked).filter(|(_, kept)| **kept).map(|(logged, _)| logged);
        let kept: Vec<_> = kept.take(4).collect();
        for release in &one.releases {
            let statements = [one.basic(release), kept.clone()].concat();
            for asked in other.names() {
                prop_assert!(verify(&world, &asked, statements.clone()).is_err());
            }
        }
    }
}

/// Leaf of the alias of `name`.
fn alias_of(statements: &[LoggedStatement], world: &World, name: &SkillName) -> u64 {
    let names = statements.iter().filter(|logged| logged.kind == Kind::Name).cloned().collect::<Vec<_>>();
    follow_name(&names, &world.root, name).unwrap().log_index
}

/// One change to what an envelope should hold.
#[derive(Debug, Clone, Copy)]
struct Change {
    drop: Option<usize>,
    add: Option<usize>,
    asked: usize,
}

fn changes() -> impl Strategy<Value = (Vec<Step>, Change)> {
    let index = || prop::option::weighted(0.4, 0_usize..12);
    let change = (index(), index(), 0_usize..12).prop_map(|(drop, add, asked)| Change { drop, add, asked });
    (steps(), change)
}

/// Renamed and transferred at random, with a statement too few or too many: both implementations say
/// the same, by the same word.
#[test]
fn a_second_opinion_about_changed_envelopes() {
    let world = World::new();
    let mut runner = TestRunner::deterministic();
    let (mut asked, mut ours) = (Vec::new(), Vec::new());
    while asked.len() < 120 {
        let (steps, change) = changes().new_tree(&mut runner).unwrap().current();
        let history = History::of(&world, 'a', &steps);
        let release = history.releases.last().unwrap();
        let mut statements = history.basic(release);
        statements.extend(history.needed(&history.releases[0].0));
        if let Some(place) = change.drop.filter(|place| *place < statements.len()) {
            statements.remove(place);
        }
        statements.extend(change.add.and_then(|place| history.said.get(place).cloned()));
        let names = history.names();
        let name = names[change.asked % names.len()].to_string();
        let Ok(envelope) = TrustEnvelope::new(sorted(statements)) else { continue };
        ours.push(outcome(&envelope, &world.root, &name));
        asked.push(json!({
            "name": name,
            "version": "3.4.1",
            "envelope": String::from_utf8(envelope.to_json()).unwrap(),
        }));
    }
    let good = ours.iter().filter(|outcome| outcome.get("refused").is_none()).count();
    assert!((30..100).contains(&good), "{good} of {} are taken: too one-sided to show anything", ours.len());
    let given = json!({
        "registry": world.registry,
        "roots": [String::from_utf8(world.first.clone()).unwrap()],
        "asked": asked,
    });
    let Some((done, text)) = python("trust.py", &["judge"], &given.to_string()) else { return };
    assert!(done, "{text}");
    let theirs: Vec<Value> = serde_json::from_str(&text).unwrap();
    for ((ours, theirs), asked) in ours.iter().zip(&theirs).zip(&asked) {
        assert_eq!(ours, theirs, "{asked}");
    }
}
