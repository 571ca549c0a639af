use skill_core::digest::RegistryId;
use skill_core::policy::{Facts, Origin, SkillFacts, Source};

/// What is to be judged: one skill, as far as its bytes are known.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What sentences call it: `octo/deploy 0.9.1`, or the local name.
    pub title: String,
    /// Its local name, which a person types to acknowledge a warning.
    pub local: String,
    /// The words that `skill policy explain` takes.
    pub reference: Vec<String>,
    /// What rules ask for.
    pub facts: Facts,
    /// The registry it is from.
    pub registry: Option<Registry>,
    /// The protocol's words for its source.
    pub source: Source,
    /// The protocol's origin.
    pub origin: Origin,
    /// What was asked for, in the protocol's words and without credentials.
    pub specifier: String,
    /// What the protocol carries of ours.
    pub skill: SkillFacts,
}

/// A registry, for the names that rules call it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    /// Which one.
    pub id: RegistryId,
    /// Where it was reached.
    pub url: String,
}
