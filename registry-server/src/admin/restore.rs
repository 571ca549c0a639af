use std::fmt::Write as _;
use std::path::PathBuf;

use super::fsck::shown;
use super::{Env, Failure};
use crate::backup::{RestoreError, Restored, restore};
use crate::blob::BlobStore;
use crate::clock::Clock;
use crate::config::{Config, Flags};
use crate::data::{self, Folder};
use crate::entropy::Entropy;
use crate::fsck;

/// Files outside of the backup that are named.
const NAMED: usize = 5;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder of the backup
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Data folder of the restored registry: one that is not there or is empty
    #[arg(long, value_name = "DIR")]
    data: String,
    /// Database of the restored registry, which holds nothing [default: a file in the data folder]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let flags =
        Flags::default().with("data", Some(args.data.clone())).with("database.url", args.database.clone());
    let config = Config::load(None, env, flags)?;
    let (clock, entropy) = (Clock::System, Entropy::System);
    let Restored { manifest, rows, ignored } = restore(&args.from, &config, &clock, &entropy).await?;

    let db = data::open_made(&config, &clock, &entropy).await?;
    let folder = Folder::at(&config.data);
    let blobs = BlobStore::folder(&folder.blobs()).map_err(|error| Failure::of(&error))?;
    let checked = fsck::check(&db, &folder, &blobs).await;
    db.close().await;
    let report = checked?;

    let archives = manifest.parts.keys().filter(|path| path.starts_with("blobs/")).count();
    let mut text = format!(
        "restored   {rows} rows, {archives} archives\n           event {}, {} leaves, as of {}\n",
        manifest.event, manifest.leaves, manifest.made_at
    );
    for file in ignored.iter().take(NAMED) {
        let _ = writeln!(text, "note  {file} does not belong to the backup");
    }
    if ignored.len() > NAMED {
        let _ = writeln!(text, "note  {} more files do not belong to it", ignored.len() - NAMED);
    }
    text.push_str(&shown(&report));
    let _ = writeln!(
        text,
        "settings and sessions are no part of a backup: write config.toml anew, people sign in again\n\
         what was published after the backup is not there: publish it again"
    );
    if report.findings.is_empty() { Ok(text) } else { Err(Failure::told(text)) }
}

impl From<RestoreError> for Failure {
    fn from(error: RestoreError) -> Self {
        let error = match error {
            RestoreError::Making(error) => return error.into(),
            RestoreError::Open(error) => return error.into(),
            error => error,
        };
        let failure = Self::of(&error);
        match error {
            RestoreError::NotEmpty { .. } => {
                failure.because("nothing is written over").hint("name another folder")
            }
            RestoreError::Differs { found, expected, .. } if found != expected => failure
                .because(format!("it has {found} bytes, it had {expected}"))
                .because("nothing was restored")
                .hint("take another copy of the backup"),
            RestoreError::Missing { .. } | RestoreError::Differs { .. } | RestoreError::Line { .. } => {
                failure.because("nothing was restored").hint("take another copy of the backup")
            }
            _ => failure.because("nothing was restored"),
        }
    }
}
