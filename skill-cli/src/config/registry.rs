use skill_core::digest::RegistryId;

use super::{Config, Entry, Layer};
use crate::client::Endpoint;
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::text::quote;

/// A registry that a file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What the file says of it.
    pub entry: &'a Entry,
    /// Which file.
    pub layer: Layer,
}

/// The registry that a command talks to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What it is called; `None` if only its URL is known.
    pub name: Option<String>,
    /// Where it is reached.
    pub endpoint: Endpoint,
    /// The id that configuration says it has.
    pub id: Option<RegistryId>,
    /// Where its URL is written.
    pub layer: Layer,
}

impl Choice {
    /// What sentences call it: `registry corp`, or its URL.
    pub fn label(&self) -> String {
        self.name.as_ref().map_or_else(|| self.endpoint.to_string(), |name| format!("registry {name}"))
    }
}

impl Config {
    /// Every registry that a file names, the strongest file first; a name may come twice.
    pub fn known(&self) -> impl Iterator<Item = Known<'_>> {
        self.layers.iter().flat_map(|(layer, file)| {
            file.registries.iter().map(|(name, entry)| Known { name, entry, layer: *layer })
        })
    }

    /// The registry called `name`: the user's or the system's, else the project's.
    pub fn named(&self, name: &str) -> Option<Known<'_>> {
        self.known().filter(|known| known.name == name).min_by_key(|known| !known.layer.is_own())
    }

    /// The name of the default registry, and the file that says so.
    pub fn default_name(&self) -> Option<(&str, Layer)> {
        self.layers.iter().find_map(|(layer, file)| Some((file.default.as_deref()?, *layer)))
    }

    /// The registry for this command: `--registry`, SKILL_REGISTRY, else the default one. `what`
    /// needs it, for the message; it may be the name of a folder.
    ///
    /// # Errors
    /// `registry-not-set`, `registry-unknown`, and `usage` for what does not read as a URL.
    pub fn choose(&self, context: &Context, what: &str) -> Result<Choice, Failure> {
        if let Some(text) = &context.globals.registry {
            return self.given(text, Layer::Flag);
        }
        if let Some(text) = context.env().text("SKILL_REGISTRY") {
            return self.given(&text, Layer::Env);
        }
        match self.default_name() {
            Some((name, layer)) => match self.named(name) {
                Some(known) => choice(known),
                None => Err(unknown(name).because(format!("default = \"{name}\" in {layer}"))),
            },
            None => Err(not_set(context, what)),
        }
    }

    fn given(&self, text: &str, layer: Layer) -> Result<Choice, Failure> {
        if !text.contains("://") {
            let known = self.named(text).ok_or_else(|| unknown(text))?;
            return choice(known);
        }
        let endpoint = Endpoint::parse(text).map_err(|error| {
            Failure::usage(error.to_string())
                .hint(format!("give {layer} a URL such as `https://skills.example`"))
        })?;
        let same = |known: &Known<'_>| Endpoint::parse(&known.entry.url).is_ok_and(|other| other == endpoint);
        let known = self.known().filter(same).min_by_key(|known| !known.layer.is_own());
        Ok(Choice {
            name: known.map(|known| known.name.to_owned()),
            // What a project says of a URL that the user gave binds nobody.
            id: known.filter(|known| known.layer.is_own()).and_then(|known| known.entry.id),
            endpoint,
            layer,
        })
    }
}

fn choice(known: Known<'_>) -> Result<Choice, Failure> {
    let endpoint = Endpoint::parse(&known.entry.url).map_err(|error| {
        Failure::new(Code::ConfigUnreadable, format!("registry {}: {error}", known.name))
            .because(format!("its url is written in {}", known.layer))
    })?;
    Ok(Choice { name: Some(known.name.to_owned()), endpoint, id: known.entry.id, layer: known.layer })
}

fn unknown(name: &str) -> Failure {
    Failure::new(Code::RegistryUnknown, format!("no registry named {} is known", quote::path(name)))
        .hint("run `skill registry list` to see the names")
        .hint("run `skill registry add URL`")
}

fn not_set(context: &Context, what: &str) -> Failure {
    let failure = Failure::new(
        Code::RegistryNotSet,
        format!("{} needs a registry and none is configured", quote::path(what)),
    )
    .hint("run `skill registry add URL`");
    if !what.is_empty() && context.world.cwd.join(what).is_dir() {
        let command = quote::command(["skill", "install", &format!("./{what}")]);
        return failure.hint(format!("for a folder of that name run `{command}`"));
    }
    failure
}
