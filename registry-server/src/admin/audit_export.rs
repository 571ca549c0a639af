use std::io::{self, BufWriter, ErrorKind, Write as _};

use jiff::Timestamp;

use super::place::Place;
use super::{Env, Failure};
use crate::store::audit::{self, Entry, Filter};
use crate::store::{Db, StoreError};

/// How many rows are read at a time.
const PAGE: u32 = 1000;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only from this time on: 2026-11-30 (UTC) or 2026-11-30T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Timestamp>,
    /// Only before this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Timestamp>,
    #[command(flatten)]
    place: Place,
}

/// Writes to stdout as it reads: a log may be longer than memory.
pub(super) async fn run(args: Args, env: &Env) -> Result<(), Failure> {
    let db = args.place.database(env).await?;
    let filter = Filter { since: args.since, until: args.until, ..Filter::default() };
    let written = write(&db, &filter).await;
    db.close().await;
    written
}

async fn write(db: &Db, filter: &Filter) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout());
    let mut after = 0;
    loop {
        let entries = async { audit::page(&mut *db.read().await?, filter, after, PAGE).await }
            .await
            .map_err(|error: StoreError| Failure::from(error))?;
        let Some(last) = entries.last() else { break };
        after = last.seq;
        match entries.iter().try_for_each(|entry: &Entry| out.write_all(entry.line().as_bytes())) {
            Ok(()) => {}
            // Whoever reads has enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(unwritten(&error)),
        }
    }
    match out.flush() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unwritten(&error)),
        _ => Ok(()),
    }
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::new(format!("cannot write to stdout: {error}"))
}

fn time(text: &str) -> Result<Timestamp, String> {
    let day = text.len() == "2026-11-30".len();
    let begin = if day { format!("{text}T00:00:00Z") } else { text.to_owned() };
    begin.parse().map_err(|_| "a time is a day (2026-11-30) or RFC 3339 (2026-11-30T12:00:00Z)".to_owned())
}
