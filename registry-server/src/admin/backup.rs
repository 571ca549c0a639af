use std::path::PathBuf;

use serde_json::json;

use super::place::Place;
use super::{Env, Failure};
use crate::backup::{BackupError, Made, MakingError, back_up};
use crate::blob::BlobStore;
use crate::clock::Clock;
use crate::config::Flags;
use crate::data::Folder;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder of the backup: a new one, or an earlier backup of this registry,
    /// which it replaces
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let config = args.place.settings(env, Flags::default())?;
    let folder = Folder::at(&config.data);
    let db = args.place.database(env).await?;
    let blobs = BlobStore::folder(&folder.blobs()).map_err(|error| Failure::of(&error))?;
    let made = back_up(&db, &folder, &blobs, &args.to, Clock::System.now()).await;
    db.close().await;
    let Made { manifest, rows, archives, copied } = made?;
    if args.json {
        let document = json!({
            "registryId": manifest.registry_id, "event": manifest.event, "leaves": manifest.leaves,
            "madeAt": manifest.made_at, "rows": rows, "archives": archives, "copied": copied,
        });
        return Ok(format!("{document:#}\n"));
    }
    let to = args.to.display();
    Ok(format!(
        "backed up  {rows} rows, {archives} archives ({copied} copied)\n           event {}, {} leaves, in {to}\n\
         it holds the keys of the registry: keep it as you keep them\n",
        manifest.event, manifest.leaves
    ))
}

impl From<MakingError> for Failure {
    fn from(error: MakingError) -> Self {
        let failure = Self::of(&error);
        match error {
            MakingError::InTheWay { folder } => failure
                .because("it is made there, and what is there was not made by this program")
                .hint(format!("move {} away, or name another folder", folder.display())),
            _ => failure,
        }
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let error = match error {
            BackupError::Making(error) => return error.into(),
            error => error,
        };
        let failure = Self::of(&error);
        match error {
            BackupError::NoBackup { .. } | BackupError::OtherRegistry { .. } => {
                failure.because("nothing was changed").hint("name another folder")
            }
            BackupError::Archive { .. } | BackupError::ArchiveDiffers { .. } => failure
                .because("what was there before still is")
                .hint("`skill-registry fsck` says which releases need it; publishing the same files again mends it"),
            _ => failure,
        }
    }
}
