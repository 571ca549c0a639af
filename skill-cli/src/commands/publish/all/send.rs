use bytes::Bytes;
use skill_core::api::{PublishMeta, Published};

use super::super::{answer, send, zipped};
use super::concerns_all;
use super::found::Found;
use super::plan::{Planned, Step};
use crate::code::Code;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::screen::Progress;

/// What has become of a skill.
#[derive(Debug)]
pub(super) struct Done {
    pub planned: Planned,
    pub end: End,
}

/// How it ended.
#[derive(Debug)]
pub(super) enum End {
    /// The registry has taken it.
    Taken(Box<Published>),
    /// It was there already.
    Left,
    /// It was refused, or is kept closed.
    Refused(Failure),
    /// It was not tried, as what ended another one concerns all.
    NotTried,
}

/// Publishes one after the other. A refused one keeps no other from being published; what concerns all ends it.
pub(super) async fn all(context: &Context, connection: &Connection, planned: Vec<Planned>) -> Vec<Done> {
    let total = planned.iter().filter(|planned| matches!(planned.step, Step::Send(..))).count();
    let (mut done, mut sent, mut is_over) = (Vec::with_capacity(planned.len()), 0, false);
    for Planned { found, step } in planned {
        let (step, end) = match step {
            Step::Refuse(failure) => (Step::Refuse(failure.clone()), End::Refused(failure)),
            Step::Leave(plan) => (Step::Leave(plan), End::Left),
            step if is_over => (step, End::NotTried),
            Step::Send(meta, plan) => {
                let at = meta.slug.as_str();
                context.screen.progress(&Progress { verb: "Publishing", done: sent, total, bytes: None, at });
                sent += 1;
                let end = one(context, connection, &found, &meta).await;
                is_over = matches!(&end, End::Refused(failure) if concerns_all(failure));
                (Step::Send(meta, plan), end)
            }
        };
        done.push(Done { planned: Planned { found, step }, end });
    }
    done
}

async fn one(context: &Context, connection: &Connection, found: &Found, meta: &PublishMeta) -> End {
    match sent(context, connection, found, meta).await {
        Ok(published) => match answer::closed(&published) {
            Some(failure) => End::Refused(failure),
            None => End::Taken(Box::new(published)),
        },
        Err(failure) => End::Refused(failure),
    }
}

async fn sent(
    context: &Context,
    connection: &Connection,
    found: &Found,
    meta: &PublishMeta,
) -> Result<Published, Failure> {
    let packing = found.pack(context)?;
    if meta.tree_digest != Some(packing.tree.digest()) {
        return Err(Failure::new(
            Code::BundleChanged,
            format!("{} was changed since it was read", found.shown),
        )
        .hint("run it again"));
    }
    let archive = Bytes::from(zipped(&packing)?);
    Ok(send(connection, &packing, meta, archive).await?.published)
}
