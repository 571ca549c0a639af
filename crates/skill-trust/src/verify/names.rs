//! Which names are one skill: where the signed aliases lead, and with whose consent.
//!
//! A release keeps the name that it was published under, for ever: what was signed is not signed
//! again. So its envelope brings along what leads from that name to today's.

use std::collections::{BTreeMap, BTreeSet};

use skill_core::name::{Owner, SkillName};

use super::{TrustError, open_statement};
use crate::envelope::LoggedStatement;
use crate::predicate::{Kind, NameAction, NamePredicate, Predicate};
use crate::root::TrustedRoot;

/// The names of one skill, as far as the statements at hand prove them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    current: SkillName,
    former: BTreeMap<SkillName, u64>,
}

impl Names {
    /// What it is called now: where the aliases lead, or the name that was asked for.
    pub const fn current(&self) -> &SkillName {
        &self.current
    }

    /// The older names, each with the leaf of the alias that leads on from it.
    pub fn former(&self) -> impl Iterator<Item = (&SkillName, u64)> {
        self.former.iter().map(|(name, leaf)| (name, *leaf))
    }

    /// Since which leaf `name` leads to the current one; `None` if it is no older name.
    pub fn led_on_at(&self, name: &SkillName) -> Option<u64> {
        self.former.get(name).copied()
    }

    /// Whether the skill is or was called so.
    pub fn include(&self, name: &SkillName) -> bool {
        *name == self.current || self.former.contains_key(name)
    }

    /// Whether a statement of `kind` at leaf `log_index` may speak of `found`: it is the skill's
    /// name, or was when it was said.
    pub(super) fn check(
        &self,
        kind: Kind,
        log_index: u64,
        found: &SkillName,
        expected: &SkillName,
    ) -> Result<(), TrustError> {
        match self.former.get(found) {
            Some(&since) if log_index > since => {
                Err(TrustError::NameLate { kind, log_index, name: found.clone(), since })
            }
            None if *found != self.current => {
                let (expected, found) = (expected.clone(), found.clone());
                Err(TrustError::NameUnrelated { kind, expected, found })
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Where a name leads to, when it is no longer a skill's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    /// The name to ask for instead.
    pub name: SkillName,
    /// Leaf of the statement that says so.
    pub log_index: u64,
    /// Whether that is another skill, with releases of its own, rather than the same one.
    pub merged: bool,
}

/// Follows `name` by the name statements that a registry gives about it: its newest alias or
/// merge, and for an alias across owners what an envelope holds for that too. Everything is
/// checked as in an envelope, and nothing but name statements may be there.
pub fn follow_name(
    statements: &[LoggedStatement],
    root: &TrustedRoot,
    name: &SkillName,
) -> Result<Successor, TrustError> {
    let mut said = NameStatements::default();
    for logged in statements {
        let &LoggedStatement { kind: actual, log_index, .. } = logged;
        let Predicate::Name(predicate) = open_statement(logged, root)?.into_predicate() else {
            return Err(TrustError::OtherKind { listed: Kind::Name, actual });
        };
        if predicate.registry != root.registry() {
            return Err(TrustError::Registry { expected: root.registry(), found: predicate.registry });
        }
        said.take(log_index, predicate)?;
    }
    said.resolve(name)?;
    match said.leads.remove(name) {
        Some(Lead { log_index, target, merged }) => Ok(Successor { name: target, log_index, merged }),
        None => Err(TrustError::Missing { kind: Kind::Name }),
    }
}

/// One way on from a name.
struct Lead {
    log_index: u64,
    target: SkillName,
    merged: bool,
}

/// The name statements of one envelope, in the order of the log.
#[derive(Default)]
pub(super) struct NameStatements {
    leads: BTreeMap<SkillName, Lead>,
    claims: BTreeMap<SkillName, u64>,
    transfers: Vec<(SkillName, Owner)>,
}

impl NameStatements {
    pub(super) fn take(&mut self, log_index: u64, predicate: NamePredicate) -> Result<(), TrustError> {
        let name = predicate.name();
        let twice = match predicate.action {
            NameAction::Claim { .. } => self.claims.insert(name.clone(), log_index),
            NameAction::Alias { target } => self.lead(&name, log_index, target.into(), false),
            NameAction::Merge { target } => self.lead(&name, log_index, target.into(), true),
            NameAction::Transfer { to, .. } => {
                self.transfers.push((name, to));
                return Ok(());
            }
        };
        match twice {
            Some(first) => Err(TrustError::NameTwice { name, first, second: log_index }),
            None => Ok(()),
        }
    }

    fn lead(&mut self, name: &SkillName, log_index: u64, target: SkillName, merged: bool) -> Option<u64> {
        let before = self.leads.insert(name.clone(), Lead { log_index, target, merged });
        before.map(|lead| lead.log_index)
    }

    /// The names under which a release that is asked for as `expected` may have been spoken of.
    pub(super) fn of_release(&self, expected: &SkillName) -> Result<Names, TrustError> {
        if let Some((name, lead)) = self.leads.iter().find(|(_, lead)| lead.merged) {
            return Err(TrustError::NameMerged { name: name.clone(), target: lead.target.clone() });
        }
        self.resolve(expected)
    }

    /// Every lead is straight and ends at one name; every alias across owners has its consent;
    /// every claim and transfer is about that skill.
    fn resolve(&self, expected: &SkillName) -> Result<Names, TrustError> {
        for name in self.leads.keys() {
            self.check_straight(name)?;
        }
        let current = self.leads.get(expected).map_or(expected, |lead| &lead.target);
        let unrelated = |found: &SkillName| {
            let (expected, found) = (expected.clone(), found.clone());
            TrustError::NameUnrelated { kind: Kind::Name, expected, found }
        };
        if let Some((name, _)) = self.leads.iter().find(|(_, lead)| lead.target != *current) {
            return Err(unrelated(name));
        }
        let mut known: BTreeSet<SkillName> = self.leads.keys().chain([current]).cloned().collect();
        for (name, to) in &self.transfers {
            if !known.contains(name) {
                return Err(unrelated(name));
            }
            known.insert(SkillName::new(to.clone(), name.slug.clone()));
        }
        if let Some(name) = self.claims.keys().find(|name| !known.contains(*name)) {
            return Err(unrelated(name));
        }
        let unconsented = |name: &SkillName, lead: &Lead| {
            name.owner != current.owner && !lead.merged && !self.hands_over(&name.owner, &current.owner)
        };
        if let Some((name, _)) = self.leads.iter().find(|(name, lead)| unconsented(name, lead)) {
            return Err(TrustError::NameUnconsented { name: name.clone(), target: current.clone() });
        }
        let former = self.leads.iter().map(|(name, lead)| (name.clone(), lead.log_index)).collect();
        Ok(Names { current: current.clone(), former })
    }

    /// A name leads straight to where it leads: what it leads to leads nowhere.
    fn check_straight(&self, name: &SkillName) -> Result<(), TrustError> {
        let Some(via) = self.leads.get(name).map(|lead| &lead.target) else { return Ok(()) };
        let mut end = via;
        for _ in 0..=self.leads.len() {
            match self.leads.get(end) {
                Some(lead) => end = &lead.target,
                None if end == via => return Ok(()),
                None => return Err(TrustError::NameHops { name: name.clone(), via: via.clone() }),
            }
        }
        Err(TrustError::NameCycle { name: name.clone() })
    }

    /// Whether the transfers, in the order of the log, lead from one owner to the other: each
    /// gives away what it had got.
    fn hands_over(&self, from: &Owner, to: &Owner) -> bool {
        let mut held = BTreeSet::from([from]);
        for (name, to) in &self.transfers {
            if held.contains(&name.owner) {
                held.insert(to);
            }
        }
        held.contains(to)
    }
}
