//! The registries that one install takes from, each met once.

use std::sync::Arc;

use skill_core::digest::RegistryId;
use skill_trust::{RootChain, TrustedRoot};

use super::Desk;
use crate::client::{ClientError, Endpoint, Session};
use crate::code::Code;
use crate::config::{Choice, Layer};
use crate::connection::{self, Acquaintance};
use crate::credentials::{self, Withheld};
use crate::failure::Failure;
use crate::registry::{ContactError, Expectation, PinsError, read_chain};
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
    /// What stands in the way of a token.
    pub withheld: Withheld,
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
        self.withheld.explain(Failure::of_call(error, &self.label()), &self.url).nothing_changed()
    }
}

/// The registries met so far.
#[derive(Default)]
pub(super) struct Sources {
    met: Vec<Source>,
    /// Who answers where flag or environment point.
    answering: Option<RegistryId>,
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
        let choice = match self.given(desk, id).await? {
            Some(choice) => choice,
            None => as_locked(desk, id)?,
        };
        let expected = Expectation { id, named_by: "skills.lock", since: None };
        self.open(desk, choice, Some(expected), false).await
    }

    /// Where flag or environment say that the registry `id` is reached: they mean the one that answers there.
    /// If no entry of the lock is from that one they are taken at their word, so that it is told.
    async fn given(&mut self, desk: &Desk<'_>, id: RegistryId) -> Result<Option<Choice>, Failure> {
        if !is_given(desk) || desk.client.is_offline() {
            return Ok(None);
        }
        let choice = desk.config.choose(desk.context, "the lock").map_err(Failure::nothing_changed)?;
        let answering = if let Some(answering) = self.answering {
            answering
        } else {
            let asked = Session::new(Arc::clone(&desk.client), choice.endpoint.clone()).pinned();
            let refused = |error| connection::refused(&ContactError::Client(error), &choice.label());
            asked.well_known().await.map_err(|error| refused(error).nothing_changed())?.registry_id
        };
        self.answering = Some(answering);
        let other = answering != id && desk.lock.registry_name(answering).is_some();
        Ok((!other).then_some(choice))
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
            let options = &desk.options;
            let acquaintance = Acquaintance { may_begin: !options.frozen, is_kept: !options.dry_run };
            let token = credentials::token_for(desk.context, &choice)?;
            let met = connection::meet(desk.context, &desk.client, &choice, expected, acquaintance).await?;
            (met.id, met.root, met.chain, Some(met.session.with_token(token)))
        };
        let withheld = Withheld::of(desk.context, &choice);
        let name = choice
            .name
            .or_else(|| desk.lock.registry_name(id).map(str::to_owned))
            .filter(|name| !is_anothers(desk, name, id))
            .unwrap_or_else(|| id.default_name());
        self.met.push(Source { id, name, url, root, chain, session, is_default, withheld });
        Ok(self.met.len() - 1)
    }
}

/// What the registry is called in which a reference resolves, and its id as far as it is known without asking
/// anybody. None where nothing here says: flag and environment name a URL, whose id has to be the
/// lock's when it is met, and without any default the lock alone knows.
pub(super) fn meant(desk: &Desk<'_>, name: Option<&str>) -> Option<(String, Option<RegistryId>)> {
    let choice = match name {
        Some(name) => named(desk, name),
        None if is_given(desk) => return None,
        None => default(desk, ""),
    };
    let choice = match (choice, name) {
        (Ok(choice), _) => choice,
        (Err(_), Some(name)) => return Some((name.to_owned(), None)),
        (Err(failure), None) if failure.code == Code::RegistryNotSet => return None,
        (Err(_), None) => return Some(("the default registry".to_owned(), None)),
    };
    let pinned = || desk.pins.at(&choice.endpoint).ok().flatten().map(|pin| pin.id);
    let id = choice.id.or_else(|| locked_at(desk, &choice).map(|known| known.id)).or_else(pinned);
    Some((choice.name.unwrap_or_else(|| choice.endpoint.to_string()), id))
}

/// Whether flag or environment say which registry.
fn is_given(desk: &Desk<'_>) -> bool {
    desk.context.globals.registry.is_some() || desk.context.env().text("SKILL_REGISTRY").is_some()
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

/// Whether the user or the system means another registry by that name: a lock that came with a project
/// does not say otherwise.
fn is_anothers(desk: &Desk<'_>, name: &str, id: RegistryId) -> bool {
    let own = desk.config.named(name).filter(|known| known.layer.is_own());
    let pinned = |url: &str| desk.pins.at(&Endpoint::parse(url).ok()?).ok()?.map(|pin| pin.id);
    own.and_then(|known| known.entry.id.or_else(|| pinned(&known.entry.url))).is_some_and(|own| own != id)
}

/// Where a registry is reached as the lock has it.
fn as_locked(desk: &Desk<'_>, id: RegistryId) -> Result<Choice, Failure> {
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
    let broken = |error: PinsError| Failure::of_pins(&error).nothing_changed();
    let pinned = match expected {
        Some(_) => None,
        None => desk.pins.at(&choice.endpoint).map_err(broken)?,
    };
    let (own, claimed) = if choice.layer.is_own() { (choice.id, None) } else { (None, choice.id) };
    let pinned = pinned.map(|pin| pin.id);
    let id = expected.map(|expected| expected.id).or(own).or(pinned).or(claimed);
    let miss = || {
        Failure::new(Code::OfflineMiss, format!("{} was never met from here", choice.label()))
            .because("--offline opens no connection")
            .nothing_changed()
            .hint("run it once without `--offline`")
    };
    let id = id.ok_or_else(miss)?;
    let mut chain = match desk.pins.chain(id) {
        Err(_) if expected.is_some() => Vec::new(),
        chain => chain.map_err(broken)?,
    };
    if chain.is_empty() {
        let folder = desk.workdir.trust(id);
        chain = read_chain(&folder).map_err(|error| desk.disk(&error, &folder))?;
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
