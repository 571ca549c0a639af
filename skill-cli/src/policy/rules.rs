//! The declarative rules of every layer, with the registries that they name.

use std::collections::BTreeMap;

use jiff::Timestamp;
use skill_core::digest::RegistryId;
use skill_core::policy::{Layer, Rules, Ruling};

use super::Subject;
use super::subject::Registry;
use crate::client::Endpoint;
use crate::code::Code;
use crate::config::{Config, Known};
use crate::failure::Failure;
use crate::registry::Pins;

/// The rules of one layer.
#[derive(Debug, Clone)]
pub(super) struct LayerRules {
    pub layer: Layer,
    /// The file, as text shows it.
    pub file: String,
    pub rules: Rules,
    /// The registries that the rules name, as this layer means them.
    names: BTreeMap<String, Named>,
}

/// A registry that a rule names.
#[derive(Debug, Clone)]
struct Named {
    id: Option<RegistryId>,
    url: String,
}

/// A ruling, and where it is written.
#[derive(Debug, Clone)]
pub struct Held {
    /// Whose file.
    pub layer: Layer,
    /// The file, as text shows it.
    pub file: String,
    /// What the rule says.
    pub ruling: Ruling,
}

impl LayerRules {
    /// Looks up the registries that the rules name. What a layer's rule calls `corp` is what that layer or
    /// a stronger one calls so: a project cannot give another meaning to a name of the system's rules.
    ///
    /// # Errors
    /// `policy-config` for a name that no such file knows: a rule that speaks of nobody binds nobody.
    pub(super) fn of(
        layer: Layer,
        file: String,
        rules: Rules,
        config: &Config,
        pins: &Pins,
    ) -> Result<Self, Failure> {
        let mut names = BTreeMap::new();
        for name in rules.registries() {
            let known = meant(config, layer, name).ok_or_else(|| {
                Failure::new(Code::PolicyConfig, format!("{file} has a rule about the registry {name}"))
                    .because(format!(
                        "no registry of that name is written in {file} or in a file that binds it"
                    ))
                    .nothing_changed()
                    .hint("add a table [registry.NAME] with its url and id to that file")
            })?;
            let pinned =
                Endpoint::parse(&known.entry.url).ok().map(|endpoint| pins.at(&endpoint)).transpose();
            let pinned = pinned.map_err(|error| Failure::of_pins(&error).nothing_changed().with_exit(5))?;
            let id = known.entry.id.or(pinned.flatten().map(|pin| pin.id));
            names.insert(name.to_owned(), Named { id, url: known.entry.url.clone() });
        }
        Ok(Self { layer, file, rules, names })
    }

    pub(super) fn judge(&self, subject: &Subject, now: Timestamp) -> impl Iterator<Item = Held> {
        let is_from = |name: &str| {
            subject
                .registry
                .as_ref()
                .is_some_and(|registry| self.names.get(name).is_some_and(|named| named.is(registry)))
        };
        let rulings = self.rules.judge(&subject.facts, now, &is_from);
        rulings.into_iter().map(|ruling| Held { layer: self.layer, file: self.file.clone(), ruling })
    }
}

impl Named {
    /// By id; by URL only where no id was ever learned.
    fn is(&self, registry: &Registry) -> bool {
        match self.id {
            Some(id) => id == registry.id,
            None => match (Endpoint::parse(&self.url), Endpoint::parse(&registry.url)) {
                (Ok(one), Ok(other)) => one == other,
                _ => false,
            },
        }
    }
}

fn meant<'c>(config: &'c Config, layer: Layer, name: &str) -> Option<Known<'c>> {
    let rank = |known: &Known<'_>| match known.layer {
        crate::config::Layer::System => Layer::System,
        crate::config::Layer::Project => Layer::Project,
        _ => Layer::User,
    };
    // A layer's own file first, then those that bind it.
    let mut known: Vec<_> =
        config.known().filter(|known| known.name == name && rank(known) <= layer).collect();
    known.sort_by_key(|known| std::cmp::Reverse(rank(known)));
    known.into_iter().next()
}
