//! Taking away what has served: archives that no release needs, and rows that are over.

use jiff::Timestamp;

use crate::blob::{BlobStore, sweep, unneeded};
use crate::downloads;
use crate::problem::ApiError;
use crate::store::Db;
use crate::store::leftovers::LEFTOVERS;

/// Whether it is taken away or counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Do {
    /// Take it away.
    Remove,
    /// Say how much there is.
    Count,
}

/// How much there was of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// What it is, one and several.
    pub what: [&'static str; 2],
    /// How many.
    pub count: u64,
}

/// Looks at every kind, and says how much there was of each; a server may run beside it.
pub async fn run(db: &Db, blobs: &BlobStore, now: Timestamp, what: Do) -> Result<Vec<Gone>, ApiError> {
    let mut gone = Vec::new();
    // Drafts first: their archives go with the others.
    for leftover in LEFTOVERS {
        let mut tx = db.quiet().await?;
        let count = match what {
            Do::Remove => leftover.remove(tx.conn(), now).await?,
            Do::Count => leftover.count(tx.conn(), now).await?,
        };
        tx.commit().await?;
        gone.push(Gone { what: leftover.what, count });
    }
    let clients = match what {
        Do::Remove => downloads::forget(db, now).await?,
        Do::Count => downloads::to_forget(db, now).await?,
    };
    gone.push(Gone { what: ["client that downloaded", "clients that downloaded"], count: clients });
    let archives = match what {
        Do::Remove => sweep(blobs, db, now).await?.removed.len(),
        Do::Count => unneeded(blobs, db, now).await?,
    };
    gone.push(Gone {
        what: ["archive that no release needs", "archives that no release needs"],
        count: archives as u64,
    });
    Ok(gone)
}
