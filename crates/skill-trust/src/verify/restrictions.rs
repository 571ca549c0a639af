use skill_core::state::ReleaseState;

use super::TrustError;
use crate::predicate::{RestorationPredicate, Restriction, RestrictionPredicate};

/// Everything that was restricted and restored about one release, in the order of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restrictions {
    events: Vec<(u64, RestrictionEvent)>,
    in_force: Vec<RestrictionPredicate>,
}

/// One such statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestrictionEvent {
    /// A restriction, or its owner's undoing of one.
    Restricted(RestrictionPredicate),
    /// The registry lifted a quarantine or a takedown.
    Restored(RestorationPredicate),
}

impl RestrictionEvent {
    const fn sequence(&self) -> u64 {
        match self {
            Self::Restricted(restriction) => restriction.sequence,
            Self::Restored(restoration) => restoration.sequence,
        }
    }
}

impl Restrictions {
    /// The statements with their leaves.
    pub fn events(&self) -> &[(u64, RestrictionEvent)] {
        &self.events
    }

    /// What is in force: what was restricted and neither undone nor restored.
    pub fn in_force(&self) -> &[RestrictionPredicate] {
        &self.in_force
    }

    /// The state that they put the release in, and the restriction that does; the hardest wins.
    /// `None` if nothing is in force.
    pub fn state(&self) -> Option<(ReleaseState, &RestrictionPredicate)> {
        let states = self.in_force.iter().filter_map(|p| Some((state(p.action)?, p)));
        states.max_by_key(|(state, _)| hardness(*state))
    }

    /// The last restoration of a release that was quarantined after the leaf `since`; `None` if it was
    /// not, or if one of these quarantines is in force.
    pub fn restored_since(&self, since: u64) -> Option<&RestorationPredicate> {
        let mut last = None;
        let after = self.events.iter().filter(|(leaf, _)| *leaf > since);
        for (_, event) in after {
            let RestrictionEvent::Restricted(restriction) = event else { continue };
            if restriction.action == Restriction::Quarantine {
                last = Some(self.restoration_of(restriction.sequence)?);
            }
        }
        last
    }

    /// What lifted the restriction of that sequence.
    pub fn restoration_of(&self, sequence: u64) -> Option<&RestorationPredicate> {
        self.events.iter().find_map(|(_, event)| match event {
            RestrictionEvent::Restored(restoration) if restoration.lifts == sequence => Some(restoration),
            _ => None,
        })
    }

    pub(super) fn restrict(
        &mut self,
        log_index: u64,
        restriction: RestrictionPredicate,
    ) -> Result<(), TrustError> {
        self.in_force.retain(|earlier| !undoes(restriction.action, earlier.action));
        if state(restriction.action).is_some() {
            self.in_force.push(restriction.clone());
        }
        self.push(log_index, RestrictionEvent::Restricted(restriction))
    }

    pub(super) fn restore(
        &mut self,
        log_index: u64,
        restoration: RestorationPredicate,
    ) -> Result<(), TrustError> {
        let RestorationPredicate { lifts, sequence, .. } = restoration;
        let place = self.in_force.iter().position(|restriction| restriction.sequence == lifts);
        let place = place.ok_or(TrustError::RestorationTarget { sequence, lifts })?;
        let lifted = self.in_force.remove(place);
        if !lifted.action.needs_restoration() {
            return Err(TrustError::RestorationAction { sequence, lifts, action: lifted.action });
        }
        self.push(log_index, RestrictionEvent::Restored(restoration))
    }

    fn push(&mut self, log_index: u64, event: RestrictionEvent) -> Result<(), TrustError> {
        if let Some((_, last)) = self.events.last().filter(|(_, last)| last.sequence() >= event.sequence()) {
            return Err(TrustError::RestrictionOrder { before: last.sequence(), found: event.sequence() });
        }
        self.events.push((log_index, event));
        Ok(())
    }
}

/// An owner undoes what an owner did, and nothing else.
const fn undoes(action: Restriction, earlier: Restriction) -> bool {
    match action {
        Restriction::Unyank => matches!(earlier, Restriction::Yank),
        Restriction::Undelete => matches!(earlier, Restriction::Withdraw | Restriction::Delete),
        _ => false,
    }
}

const fn state(action: Restriction) -> Option<ReleaseState> {
    match action {
        Restriction::Yank => Some(ReleaseState::Yanked),
        Restriction::Withdraw => Some(ReleaseState::Withdrawn),
        Restriction::Delete => Some(ReleaseState::Deleted),
        Restriction::Quarantine => Some(ReleaseState::Quarantined),
        Restriction::Takedown(_) => Some(ReleaseState::TakenDown),
        Restriction::Unyank | Restriction::Undelete => None,
    }
}

const fn hardness(state: ReleaseState) -> u8 {
    match state {
        ReleaseState::TakenDown => 5,
        ReleaseState::Quarantined => 4,
        ReleaseState::Deleted => 3,
        ReleaseState::Withdrawn => 2,
        ReleaseState::Yanked => 1,
        ReleaseState::Pending | ReleaseState::Visible | ReleaseState::Suspicious => 0,
    }
}
