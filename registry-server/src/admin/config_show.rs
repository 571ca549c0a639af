use serde_json::{Map, Value, json};

use super::place::Place;
use super::table::table;
use super::{Env, Failure};
use crate::config::{Flags, Shown, Source};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, env: &Env) -> Result<String, Failure> {
    let config = args.place.settings(env, Flags::default())?;
    if args.json {
        let settings: Map<String, Value> =
            config.shown().iter().map(|shown| (shown.key.to_owned(), document(shown))).collect();
        return Ok(format!("{:#}\n", json!({ "settings": settings, "unknownEnv": config.unknown_env })));
    }
    let rows: Vec<[String; 3]> = config
        .shown()
        .iter()
        .map(|shown| {
            let value = shown.value.clone().unwrap_or_else(|| "-".to_owned());
            [shown.key.to_owned(), value, shown.source.to_string()]
        })
        .collect();
    Ok(table(["setting", "value", "from"], &rows))
}

fn document(shown: &Shown) -> Value {
    let from = match &shown.source {
        Source::Default => json!({ "kind": "default" }),
        Source::File { path, line } => json!({ "kind": "file", "path": path, "line": line }),
        Source::Env { name } => json!({ "kind": "env", "name": name }),
        Source::Flag { name } => json!({ "kind": "flag", "name": name }),
    };
    json!({ "value": shown.value, "from": from })
}
