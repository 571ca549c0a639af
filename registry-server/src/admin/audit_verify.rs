use std::fmt::Write as _;
use std::str::FromStr;

use serde_json::json;
use skill_core::digest::Sha256;

use super::place::Place;
use super::{Env, Failure};
use crate::store::audit::{self, BrokenChain};
use crate::store::{Conn, StoreError};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A row that was seen before, as the last line of this command names it
    #[arg(long, value_name = "NUMBER:SHA256")]
    seen: Option<Seen>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: Place,
}

/// A row as somebody outside remembers it. The chain alone shows that rows were changed; that all of it was written
/// anew shows only beside one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    seq: u64,
    sha256: Sha256,
}

impl FromStr for Seen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = text.split_once(':').and_then(|(seq, sha256)| {
            Some(Self {
                seq: seq.parse().ok().filter(|seq| *seq > 0)?,
                sha256: sha256.to_ascii_lowercase().parse().ok()?,
            })
        });
        read.ok_or("a row is its number, a colon and 64 hex digits")
    }
}

/// What holds of the log.
struct Checked {
    rows: u64,
    last: Option<String>,
    unchained: u64,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    let checked = async { check(&mut *db.read().await?, args.seen.as_ref()).await }.await;
    db.close().await;
    let Checked { rows, last, unchained } = checked.map_err(broken)?;
    if args.json {
        let document = json!({ "rows": rows, "sha256": last, "unchained": unchained });
        return Ok(format!("{document:#}\n"));
    }
    let mut text = format!("ok    {rows} {}\n", if rows == 1 { "row" } else { "rows" });
    if let Some(last) = last {
        let _ = writeln!(text, "last  {rows}:{last}");
    }
    if unchained > 0 {
        let _ = writeln!(text, "skip  {unchained} older than the chain");
    }
    Ok(text)
}

/// Why the log is not what was written, or not what was seen.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error(transparent)]
    Chain(#[from] BrokenChain),
    #[error("row {seq} of the audit log is not the one that was seen")]
    Other { seq: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

async fn check(conn: &mut Conn, seen: Option<&Seen>) -> Result<Checked, Broken> {
    let rows = audit::verify_chain(conn).await?;
    if let Some(Seen { seq, sha256 }) = seen {
        match audit::digest_at(conn, *seq).await? {
            Some(stored) if stored == sha256.to_hex() => {}
            Some(_) => return Err(Broken::Other { seq: *seq }),
            None => return Err(BrokenChain::Missing { seq: *seq }.into()),
        }
    }
    Ok(Checked { rows, last: audit::digest_at(conn, rows).await?, unchained: audit::unchained(conn).await? })
}

fn broken(error: Broken) -> Failure {
    match error {
        Broken::Store(error) | Broken::Chain(BrokenChain::Store(error)) => error.into(),
        Broken::Other { .. } => Failure::new(error.to_string())
            .because("its rows follow from each other: the log was written anew")
            .hint("hold it against an export that was made before"),
        Broken::Chain(_) => {
            Failure::new(error.to_string()).hint("hold it against an export that was made before")
        }
    }
}
