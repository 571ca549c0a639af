use skill_core::digest::Sha256;

use super::finding::{Family, Report};
use crate::store::audit::{BrokenChain, verify_chain};
use crate::store::log::{self, LoggedStatement};
use crate::store::{Conn, StoreError, head};

/// Leaves that are read at a time.
const PAGE: u32 = 500;

/// Every leaf names a statement of its kind whose bytes have that digest, and the audit log follows from itself.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    let end = head::get(conn).await?.leaf;
    let mut next = 0;
    while next < end {
        let page = log::leaves(conn, next, PAGE).await;
        let Some(leaves) = report.readable(Family::Log, "a leaf", page)? else { break };
        let Some(last) = leaves.last() else { break };
        next = last.index + 1;
        for leaf in &leaves {
            let at = format!("leaf {} ({})", leaf.index, leaf.kind);
            let Some(found) = report.readable(Family::Log, &at, log::find(conn, leaf.sha256).await)? else {
                continue;
            };
            if let Some(what) = mismatch(leaf, found.as_ref()) {
                report.wrong(Family::Log, format!("{at}: {what}"));
            }
        }
        report.saw(Family::Log, leaves.len() as u64);
    }
    audit(conn, report).await
}

fn mismatch(leaf: &log::Leaf, found: Option<&LoggedStatement>) -> Option<String> {
    match found {
        None => Some("its statement is not there".to_owned()),
        Some(found) if found.kind != leaf.kind => Some(format!("its statement is a {}", found.kind)),
        Some(found) if Sha256::of(&found.envelope) != leaf.sha256 => {
            Some(format!("its statement has other bytes than {}", leaf.sha256))
        }
        Some(_) => None,
    }
}

async fn audit(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    match verify_chain(conn).await {
        Ok(rows) => report.saw(Family::Audit, rows),
        Err(BrokenChain::Store(error)) => return Err(error),
        Err(broken) => report.wrong(Family::Audit, broken.to_string()),
    }
    Ok(())
}
