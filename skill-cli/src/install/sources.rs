//! The registries that one install takes from, each met once.

use skill_core::digest::RegistryId;
use skill_trust::{RootChain, TrustedRoot};

use super::Desk;
use crate::client::{ClientError, Endpoint, Session};
use crate::code::Code;
use crate::config::{Choice, Layer};
use crate::connection;
use crate::credentials;
use crate::failure::Failure;
use crate::registry::{Expectation, read_chain};
use crate::text::quote;

/// A registry to take from.
#[derive(Clone)]
pub(super) struct Source {
    /// Which one.
    pub id: RegistryId,
    /// What the lock calls it.
    pub name: String,
    /// Where it is reached, as the lock keeps it.
    pub url: String,
    /// Its newest root.
    pub root: TrustedRoot,
    /// Its root chain, version 1 first.
    pub chain: Vec<Vec<u8>>,
    /// Calls to it; none with `--offline`.
    pub session: Option<Session>,
    /// Whether it is the one that references without a registry mean.
    pub is_default: bool,
}

impl Source {
    /// What sentences call it.
    pub(super) fn label(&self) -> String {
        format!("registry {}", self.name)
    }

    /// What skills.toml calls it; none for the default one, unless that is known by its URL only.
    pub(super) fn recorded(&self) -> Option<String> {
        (!self.is_default || self.name == self.id.default_name()).then(|| self.name.clone())
    }

    /// A call that failed, before anything was changed.
    pub(super) fn failure(&self, error: &ClientError) -> Failure {
        Failure::of_call(error, &self.label()).nothing_changed()
    }
}

/// The registries met so far.
#[derive(Default)]
pub(super) struct Sources {
    met: Vec<Source>,
}

impl Sources {
    pub(super) fn get(&self, index: usize) -> &Source {
        &self.met[index]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.met.iter()
    }

    /// The registry in which a reference resolves: the named one, or the default. `what` needs it.
    pub(super) async fn for_reference(
        &mut self,
        desk: &Desk<'_>,
        name: Option<&str>,
        what: &str,
    ) -> Result<usize, Failure> {
        let (choice, is_default) = match name {
            Some(name) => (named(desk, name)?, false),
            None => (default(desk, what)?, true),
        };
        let expected = locked_at(desk, &choice);
        self.open(desk, choice, expected, is_default).await
    }

    /// The registry that a lock entry is from.
    pub(super) async fn for_entry(&mut self, desk: &Desk<'_>, id: RegistryId) -> Result<usize, Failure> {
        if let Some(index) = self.met.iter().position(|source| source.id == id) {
            return Ok(index);
        }
        let choice = where_now(desk, id)?;
        let expected = Expectation { id, named_by: "skills.lock", since: None };
        self.open(desk, choice, Some(expected), false).await
    }

    async fn open(
        &mut self,
        desk: &Desk<'_>,
        choice: Choice,
        expected: Option<Expectation>,
        is_default: bool,
    ) -> Result<usize, Failure> {
        let url = choice.endpoint.to_string();
        if let Some(index) = self.met.iter().position(|source| source.url == url) {
            let source = &mut self.met[index];
            source.is_default |= is_default;
            if expected.is_none_or(|expected| expected.id == source.id) {
                return Ok(index);
            }
        }
        let (id, root, chain, session) = if desk.client.is_offline() {
            known(desk, &choice, expected)?
        } else {
            let may_pin = !desk.options.frozen;
            let token = credentials::token_for(desk.context, &choice)?;
            let met = connection::meet(desk.context, &desk.client, &choice, expected, may_pin).await?;
            (met.id, met.root, met.chain, Some(met.session.with_token(token)))
        };
        let name = choice
            .name
            .or_else(|| desk.lock.registry_name(id).map(str::to_owned))
            .unwrap_or_else(|| id.default_name());
        self.met.push(Source { id, name, url, root, chain, session, is_default });
        Ok(self.met.len() - 1)
    }
}

/// What the lock says about who is at a URL, or about who has a name.
fn locked_at(desk: &Desk<'_>, choice: &Choice) -> Option<Expectation> {
    let url = choice.endpoint.to_string();
    let same_url = desk.lock.registries.values().find(|registry| {
        Endpoint::parse(registry.url.as_str()).is_ok_and(|endpoint| endpoint.to_string() == url)
    });
    let same_name = choice.name.as_ref().and_then(|name| desk.lock.registries.get(name));
    same_url.or(same_name).map(|registry| Expectation {
        id: registry.id,
        named_by: "skills.lock",
        since: None,
    })
}

/// The default registry. Without one in any configuration a lock that knows exactly one says it.
fn default(desk: &Desk<'_>, what: &str) -> Result<Choice, Failure> {
    let chosen = desk.config.choose(desk.context, what);
    let mut locked = desk.lock.registries.iter();
    match (&chosen, locked.next(), locked.next()) {
        (Err(failure), Some((name, _)), None) if failure.code == Code::RegistryNotSet => named(desk, name),
        _ => chosen.map_err(Failure::nothing_changed),
    }
}

/// A registry by its name: as configured, else as the lock has it.
fn named(desk: &Desk<'_>, name: &str) -> Result<Choice, Failure> {
    if let Some(known) = desk.config.named(name) {
        let endpoint = endpoint(&known.entry.url)?;
        return Ok(Choice { name: Some(name.to_owned()), endpoint, id: known.entry.id, layer: known.layer });
    }
    match desk.lock.registries.get(name) {
        Some(locked) => choice_at(desk, name, locked.url.as_str(), locked.id),
        None => Err(Failure::new(
            Code::RegistryUnknown,
            format!("no registry named {} is known", quote::path(name)),
        )
        .nothing_changed()
        .hint("run `skill registry list` to see the names")
        .hint("run `skill registry add URL`")),
    }
}

/// Where a locked registry is reached: flag and environment say the URL, its id stays the lock's.
fn where_now(desk: &Desk<'_>, id: RegistryId) -> Result<Choice, Failure> {
    let given =
        desk.context.globals.registry.is_some() || desk.context.env().text("SKILL_REGISTRY").is_some();
    if given {
        return desk.config.choose(desk.context, "the lock").map_err(Failure::nothing_changed);
    }
    let locked = desk.lock.registries.iter().find(|(_, registry)| registry.id == id);
    let (name, locked) = locked.ok_or_else(|| {
        Failure::new(
            Code::LockUnreadable,
            format!("skills.lock has no [registry] with the id {}", id.short()),
        )
        .nothing_changed()
        .hint("restore it from version control")
    })?;
    choice_at(desk, name, locked.url.as_str(), id)
}

/// A URL that the lock names. It came with the project, so that SKILL_TOKEN goes there only if the
/// user's or the system's file names the same URL.
fn choice_at(desk: &Desk<'_>, name: &str, url: &str, id: RegistryId) -> Result<Choice, Failure> {
    let endpoint = endpoint(url)?;
    let own = desk.config.known().find(|known| {
        known.layer.is_own() && Endpoint::parse(&known.entry.url).is_ok_and(|other| other == endpoint)
    });
    let layer = own.map_or(Layer::Project, |known| known.layer);
    Ok(Choice { name: Some(name.to_owned()), endpoint, id: Some(id), layer })
}

fn endpoint(url: &str) -> Result<Endpoint, Failure> {
    Endpoint::parse(url).map_err(|error| {
        Failure::new(Code::LockUnreadable, error.to_string())
            .because(format!("read {}", quote::path(url)))
            .nothing_changed()
    })
}

type Met = (RegistryId, TrustedRoot, Vec<Vec<u8>>, Option<Session>);

/// A registry as it was seen last, without asking it.
fn known(desk: &Desk<'_>, choice: &Choice, expected: Option<Expectation>) -> Result<Met, Failure> {
    let broken =
        |error: std::io::Error| Failure::disk(&error, "the pins of known registries").nothing_changed();
    let pinned = desk.pins.at(&choice.endpoint).map_err(broken)?;
    let id = expected.map(|expected| expected.id).or(choice.id).or(pinned.map(|pin| pin.id));
    let miss = || {
        Failure::new(Code::OfflineMiss, format!("{} was never met from here", choice.label()))
            .because("--offline opens no connection")
            .nothing_changed()
            .hint("run it once without `--offline`")
    };
    let id = id.ok_or_else(miss)?;
    let mut chain = desk.pins.chain(id).map_err(broken)?;
    if chain.is_empty() {
        chain = read_chain(&desk.workdir.trust(id)).map_err(broken)?;
    }
    if chain.is_empty() {
        return Err(miss());
    }
    let root = RootChain::verify(&chain, id).map_err(|error| {
        Failure::new(Code::named(error.code()).unwrap_or(Code::RootChainBroken), error.to_string())
            .nothing_changed()
            .hint("ask the operator")
    })?;
    Ok((id, root, chain, None))
}
