use std::cmp::Reverse;

use serde_json::{Value, json};
use skill_core::digest::RegistryId;

use crate::client::Endpoint;
use crate::code::Code;
use crate::config::{self, Choice, Config, Edit, Entry, Layer};
use crate::connection::{self, Acquaintance};
use crate::context::Context;
use crate::failure::Failure;
use crate::registry::Pins;
use crate::report::{Block, Cell, Column, Report, Role, Table};
use crate::text::{number, quote};

/// Add, list or remove registries
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with registries.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Add a registry: fetch its id, pin it, give it a name
    Add {
        /// Where it is reached
        #[arg(value_name = "URL")]
        url: String,
        /// What to call it [default: the first label of its host]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// The id that it must have, from its operator
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// List the registries that are known, and the default one
    #[command(visible_alias = "ls")]
    List,
    /// Forget the name of a registry; its pin stays
    #[command(visible_alias = "rm")]
    Remove {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// Adds, lists or removes registries.
///
/// # Errors
/// What each verb says.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    match &args.verb {
        Verb::Add { url, name, id } => add(context, url, name.as_deref(), id.as_deref()).await,
        Verb::List => list(context),
        Verb::Remove { name } => remove(context, name),
    }
}

/// Meets a registry, pins it, writes it into the user's file and makes it the default if there is none.
async fn add(context: &Context, url: &str, name: Option<&str>, id: Option<&str>) -> Result<Report, Failure> {
    let endpoint = Endpoint::parse(url).map_err(|error| Failure::usage(error.to_string()))?;
    let id =
        id.map(str::parse::<RegistryId>).transpose().map_err(|error| Failure::usage(error.to_string()))?;
    let name = match name {
        Some(name) => checked_name(name)?,
        None => host_name(&endpoint)?,
    };
    let mut edit = Edit::open(context)?;
    check_free(&edit, &name, &endpoint)?;
    let choice = Choice { name: Some(name.clone()), endpoint: endpoint.clone(), id, layer: Layer::Flag };
    let met =
        connection::meet(context, &connection::client(context), &choice, None, Acquaintance::KEPT).await?;
    let becomes_default = edit.file().default.is_none();
    edit.set_registry(&name, &Entry { url: endpoint.to_string(), id: Some(met.id) });
    if becomes_default {
        edit.set_default(&name);
    }
    edit.save()?;
    let mut table = Table::new([Column::new(""), Column::new("").gap(3), Column::new("").whole()]);
    table.push([
        Cell::of(Role::Good, "added"),
        Cell::of(Role::Name, name.as_str()),
        Cell::from(endpoint.to_string()),
    ]);
    let document = json!({
        "name": name,
        "url": endpoint.to_string(),
        "id": met.id,
        "default": becomes_default,
        "custody": met.root.custody().as_str(),
        "rootVersion": met.root.version(),
    });
    let file = context.shown(&context.dirs.config);
    let closing = if becomes_default {
        format!("{name} is now your default registry; written to {file}")
    } else {
        format!("written to {file}; your default registry stays {}", edit_default(context)?)
    };
    Ok(Report::change(document, vec![table.into()]).closing(closing))
}

fn edit_default(context: &Context) -> Result<String, Failure> {
    Ok(Edit::open(context)?.file().default.clone().unwrap_or_else(|| "unset".to_owned()))
}

/// A name is what stands in front of a colon in policies and in a lock's table: the grammar of a slug.
fn checked_name(name: &str) -> Result<String, Failure> {
    match name.parse::<skill_core::name::Slug>() {
        Ok(name) => Ok(name.to_string()),
        Err(_) => {
            Err(Failure::usage(format!("{} does not read as the name of a registry", quote::path(name)))
                .because("a name is a-z, 0-9 and single hyphens between them"))
        }
    }
}

/// The first label of the host; of an address all of it.
fn host_name(endpoint: &Endpoint) -> Result<String, Failure> {
    let host = endpoint.origin().host();
    let is_address = host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok();
    let label = if is_address { host } else { host.split('.').next().unwrap_or(host) };
    skill_core::name::Slug::slugify(label)
        .map(|name| name.to_string())
        .ok_or_else(|| Failure::usage(format!("no name follows from {host}")).hint("add `--name NAME`"))
}

fn check_free(edit: &Edit, name: &str, endpoint: &Endpoint) -> Result<(), Failure> {
    match edit.file().registries.get(name) {
        Some(entry) if Endpoint::parse(&entry.url).ok().as_ref() != Some(endpoint) => {
            let url = &entry.url;
            let command =
                quote::command(["skill", "registry", "add", &endpoint.to_string(), "--name", "NAME"]);
            Err(Failure::new(Code::NameTaken, format!("registry {name} is {url}"))
                .nothing_changed()
                .hint(format!("run `{command}` with another name, or `skill registry remove {name}` first")))
        }
        _ => Ok(()),
    }
}

fn list(context: &Context) -> Result<Report, Failure> {
    let wanted = config::project(context)?;
    let config = Config::load(context, wanted.as_ref())?;
    let pins = Pins::below(&context.dirs.state);
    let default = config.default_name().map(|(name, _)| name.to_owned());
    // A project may repeat what the user calls a registry; that is one registry.
    let own = |name: &str| config.known().any(|known| known.layer.is_own() && known.name == name);
    let mut known: Vec<_> = config.known().filter(|known| known.layer.is_own() || !own(known.name)).collect();
    known.sort_by_key(|known| (known.name, Reverse(known.layer)));
    let mut table = Table::new([
        Column::new("name").whole(),
        Column::new("id").dropped(2),
        Column::new("from").dropped(1),
        Column::new("url").whole(),
    ]);
    let mut documents: Vec<Value> = Vec::new();
    for known in known {
        let endpoint = Endpoint::parse(&known.entry.url).ok();
        let pin = endpoint.as_ref().map(|endpoint| pins.at(endpoint)).transpose();
        let pin = pin.map_err(|error| Failure::of_pins(&error))?.flatten();
        let id = known.entry.id.or_else(|| pin.map(|pin| pin.id));
        let is_default = default.as_deref() == Some(known.name);
        let shown =
            id.map_or_else(String::new, |id| number::digest(&id.to_string(), context.screen.is_verbose()));
        let name = if is_default { format!("{} (default)", known.name) } else { known.name.to_owned() };
        table.push([
            Cell::of(Role::Name, name),
            Cell::of(Role::Dim, shown),
            Cell::from(layer_word(known.layer)),
            Cell::from(known.entry.url.as_str()),
        ]);
        documents.push(json!({
            "name": known.name,
            "url": known.entry.url,
            "id": id,
            "default": is_default,
            "from": layer_word(known.layer),
        }));
    }
    let is_empty = documents.is_empty();
    let mut report =
        Report::new(json!({ "registries": documents, "default": default }), vec![Block::Table(table)]);
    report.notes = config.warnings(context);
    if is_empty {
        report = report.closing("no registries are known").hint("run `skill registry add URL`");
    }
    Ok(report)
}

const fn layer_word(layer: Layer) -> &'static str {
    match layer {
        Layer::Project => "project",
        Layer::System => "system",
        _ => "user",
    }
}

fn remove(context: &Context, name: &str) -> Result<Report, Failure> {
    let mut edit = Edit::open(context)?;
    let was_default = edit.file().default.as_deref() == Some(name);
    if !edit.remove_registry(name) {
        let file = context.shown(&context.dirs.config);
        return Err(Failure::new(
            Code::RegistryUnknown,
            format!("{file} names no registry {}", quote::path(name)),
        )
        .nothing_changed()
        .hint("run `skill registry list` to see the names and where they come from"));
    }
    edit.save()?;
    let mut table = Table::new([Column::new(""), Column::new("").whole()]);
    table.push([Cell::of(Role::Good, "removed"), Cell::of(Role::Name, name)]);
    let report = Report::change(json!({ "name": name, "wasDefault": was_default }), vec![table.into()]);
    Ok(if was_default { report.closing("no registry is your default now") } else { report })
}
