//! Skills that are renamed and change hands, and what a registry signs about that.

use std::collections::BTreeMap;

use proptest::prelude::*;
use skill_core::name::SkillName;
use skill_trust::{LoggedStatement, Statement};

use crate::world::World;

/// What happens to a skill, one after the other.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// It publishes under its present name.
    Release,
    /// Its owner calls it otherwise; maybe as it was called before.
    Rename(u8),
    /// It changes hands; maybe back again.
    Transfer(u8),
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        2 => Just(Step::Release),
        3 => (0_u8..3).prop_map(Step::Rename),
        2 => (0_u8..3).prop_map(Step::Transfer),
    ];
    prop::collection::vec(step, 1..7)
}

const OWNERS: [&str; 3] = ["acme", "octo", "zed"];

/// One skill, from its first publish on.
pub struct History<'w> {
    world: &'w World,
    prefix: char,
    pub current: SkillName,
    /// Every name statement that was ever signed, superseded ones too.
    pub said: Vec<LoggedStatement>,
    /// The newest alias of each older name, and the leaf at which that name was given up.
    leads: BTreeMap<SkillName, (LoggedStatement, u64)>,
    /// Each transfer, and the name that it is about.
    transfers: Vec<(SkillName, LoggedStatement)>,
    /// The name of each release, and its statement.
    pub releases: Vec<(SkillName, LoggedStatement)>,
    next: u64,
}

impl<'w> History<'w> {
    /// The skills of two prefixes never have a name in common.
    pub fn of(world: &'w World, prefix: char, steps: &[Step]) -> Self {
        let current = format!("acme/{prefix}").parse().unwrap();
        let (said, leads, transfers, releases) = (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        let mut history = Self { world, prefix, current, said, leads, transfers, releases, next: 100 };
        history.say(&world.claim(&history.current.to_string()));
        history.release();
        for step in steps {
            match *step {
                Step::Release => history.release(),
                Step::Rename(to) => {
                    let slug = format!("{prefix}-{to}").parse().unwrap();
                    history.move_to(&SkillName { slug, ..history.current.clone() });
                }
                Step::Transfer(to) => {
                    let owner = OWNERS[usize::from(to)].parse().unwrap();
                    history.move_to(&SkillName { owner, ..history.current.clone() });
                }
            }
        }
        history
    }

    /// Every name that it ever had.
    pub fn names(&self) -> Vec<SkillName> {
        self.leads.keys().chain([&self.current]).cloned().collect()
    }

    fn say(&mut self, statement: &Statement) -> LoggedStatement {
        self.next += 1;
        let logged = self.world.sign(self.next, statement);
        if statement.kind() == skill_trust::Kind::Name {
            self.said.push(logged.clone());
        }
        logged
    }

    fn release(&mut self) {
        let SkillName { owner, slug } = self.current.clone();
        let release = skill_trust::predicate::ReleasePredicate {
            publisher: owner.clone(),
            owner,
            slug,
            requirements: BTreeMap::new(),
            ..self.world.release()
        };
        let logged = self.say(&Statement::release(self.world.content, release));
        self.releases.push((self.current.clone(), logged));
    }

    fn move_to(&mut self, name: &SkillName) {
        if *name == self.current {
            return;
        }
        let left = self.next;
        let from = std::mem::replace(&mut self.current, name.clone());
        if from.owner != name.owner {
            let transfer = self.world.transfer(&from.to_string(), name.owner.as_str());
            let transfer = self.say(&transfer);
            self.transfers.push((from.clone(), transfer));
        }
        self.say(&self.world.claim(&name.to_string()));
        self.leads.remove(name);
        let mut olds: Vec<_> = self.leads.iter().map(|(old, (_, left))| (old.clone(), *left)).collect();
        olds.push((from, left));
        for (old, left) in olds {
            let alias = self.say(&self.world.alias(&old.to_string(), &name.to_string()));
            self.leads.insert(old, (alias, left));
        }
    }

    /// The transfers that the owner of `name` and those after agreed to, since it was given up; none if
    /// it came home.
    pub fn consents(&self, name: &SkillName) -> Vec<&(SkillName, LoggedStatement)> {
        match self.leads.get(name) {
            Some((_, left)) if name.owner != self.current.owner => {
                self.transfers.iter().filter(|(_, said)| said.log_index > *left).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What an envelope holds, beside release and scan, for a release of `name` (docs/FORMAT.md, "Names of
    /// one skill").
    pub fn needed(&self, name: &SkillName) -> Vec<LoggedStatement> {
        let consents = self.consents(name);
        let spoken_of = consents.iter().map(|(about, _)| about).chain([name]);
        let aliases = spoken_of.filter_map(|name| self.leads.get(name)).map(|(alias, _)| alias.clone());
        sorted(aliases.chain(consents.iter().map(|(_, said)| said.clone())).collect())
    }

    /// The release and a scan of it.
    pub fn basic(&self, release: &(SkillName, LoggedStatement)) -> Vec<LoggedStatement> {
        let SkillName { owner, slug } = release.0.clone();
        let scan = skill_trust::predicate::ScanPredicate { owner, slug, ..self.world.scan() };
        let scan = Statement::scan(self.world.content, scan);
        // Logged with its release, before anything else can be.
        let mut scan = self.world.sign(0, &scan);
        scan.log_index = u64::from(self.prefix == 'b');
        vec![scan, release.1.clone()]
    }
}

/// In the order of the log, nothing twice.
pub fn sorted(mut statements: Vec<LoggedStatement>) -> Vec<LoggedStatement> {
    statements.sort_by_key(|logged| logged.log_index);
    statements.dedup_by_key(|logged| logged.log_index);
    statements
}
