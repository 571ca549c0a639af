use std::fmt::Write as _;

use serde_json::json;

use super::place::Place;
use super::{Env, Failure};
use crate::blob::BlobStore;
use crate::clock::Clock;
use crate::config::Flags;
use crate::data::Folder;
use crate::gc::{self, Do};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Say what would go, and take nothing away
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let config = args.place.settings(env, Flags::default())?;
    let db = args.place.database(env).await?;
    let blobs = BlobStore::folder(&Folder::at(&config.data).blobs()).map_err(|error| Failure::of(&error))?;
    let what = if args.dry_run { Do::Count } else { Do::Remove };
    let gone = gc::run(&db, &blobs, Clock::System.now(), what).await;
    db.close().await;
    let gone = gone.map_err(|error| Failure::new(error.to_string()))?;
    if args.json {
        let kinds: serde_json::Map<_, _> =
            gone.iter().map(|gone| (gone.what[1].to_owned(), json!(gone.count))).collect();
        return Ok(format!("{:#}\n", json!({ "dryRun": args.dry_run, "removed": kinds })));
    }
    let mut text = String::new();
    let word = if args.dry_run { "would go" } else { "removed " };
    for gone in gone.iter().filter(|gone| gone.count > 0) {
        let [one, several] = gone.what;
        let _ = writeln!(text, "{word}  {} {}", gone.count, if gone.count == 1 { one } else { several });
    }
    if text.is_empty() {
        text.push_str("nothing is left over\n");
    }
    Ok(text)
}
