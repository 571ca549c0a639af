//! Installing: from what a person asked for to what lies on the disk.
//!
//! A chain of types, each made only by the one before it:
//!
//! | stage | what is known | what it cost |
//! |---|---|---|
//! | [`Resolved`] | which release or folder, and where it goes | the index |
//! | [`Fetched`] | its bytes, hashed while they came | archive and envelope |
//! | [`Verified`] | that they are what was signed, and what is in them | signatures, digests |
//! | [`Staged`] | that they can be written | files beside their place |
//! | [`Judged`] | that they may be installed, and are still the same | verdict, policy, a second hash |
//! | [`Committed`] | nothing more to do | renames, lock and skills.toml |
//!
//! Whatever ends before [`Committed`] leaves every byte of the work directory as it was. The plan
//! is a value made from [`Verified`]: the dry run, the screen and `--json` read the same one.

mod accept;
mod answer;
mod commit;
mod desk;
mod explain;
mod facts;
mod fetch;
mod frozen;
mod judge;
mod lookup;
mod marks;
mod missing;
mod occupied;
mod places;
mod plan;
mod policy;
mod present;
mod removal;
mod resolve;
mod restored;
mod restrictions;
mod select;
mod sources;
mod stage;
mod tally;
mod trust_files;
mod verified;
mod wish;

pub use accept::{Acceptance, AcceptanceError};
pub use commit::Committed;
pub use desk::{Desk, Options};
pub use explain::{Explained, explain};
pub use fetch::Fetched;
pub use judge::Judged;
pub use plan::{Action, Plan, Planned};
pub use removal::Removal;
pub use resolve::Resolved;
pub use stage::Staged;
pub use verified::Verified;
pub use wish::{Request, Wish};

pub(crate) use places::{of_agent as agent_target, places_of};

use crate::failure::Failure;
use crate::report::Report;

/// Installs what `request` asks for, or says what it would do.
///
/// # Errors
/// One failure for the whole request; nothing was changed then.
pub async fn install(desk: &Desk<'_>, request: Request) -> Result<Report, Failure> {
    let began = std::time::Instant::now();
    desk.gate()?;
    let resolved = Resolved::of(desk, request).await?;
    if !resolved.skills.is_empty() {
        desk.may_write()?;
    }
    desk.context.go_on()?;
    let fetched = resolved.fetch(desk).await?;
    let verified = fetched.verify(desk)?;
    let plan = verified.plan(desk);
    if desk.options.dry_run {
        verified.check(desk)?;
        return Ok(answer::dry_run(desk, &plan));
    }
    plan.show(desk);
    let mut transaction = desk.transaction();
    let staged = verified.stage(desk, &mut transaction)?;
    let judged = match staged.judge(desk).await {
        Ok(judged) => judged,
        Err(failure) => return Err(desk.refused(transaction, failure)),
    };
    let committed = judged.commit(desk, transaction)?;
    Ok(answer::done(desk, &plan, &committed, began.elapsed()))
}
