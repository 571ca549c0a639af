use std::path::Path;

use skill_core::digest::RegistryId;
use skill_trust::dsse::Envelope;
use skill_trust::verify::open_statement;
use skill_trust::{LoggedStatement, RootChain, TrustedRoot};

use super::finding::{Family, Report};
use crate::data::{Folder, Keys};
use crate::store::{Conn, StoreError, head, log, meta, roots};

const PAGE: u32 = 500;

/// The root metadata is the chain of this registry and lies in the folder, the keys are those that it names, and every
/// statement is signed by the role that its kind is the word of.
pub(super) async fn check(conn: &mut Conn, folder: &Folder, report: &mut Report) -> Result<(), StoreError> {
    let Some(root) = root(conn, folder, report).await? else { return Ok(()) };
    match Keys::of(folder, &root) {
        Ok(_) => {}
        Err(error) => report.wrong(Family::Signatures, error.to_string()),
    }
    let end = head::get(conn).await?.leaf;
    let mut next = 0;
    while next < end {
        let page = log::leaves(conn, next, PAGE).await;
        let Some(leaves) = report.readable(Family::Signatures, "a leaf", page)? else { break };
        let Some(last) = leaves.last() else { break };
        next = last.index + 1;
        for leaf in &leaves {
            // What is missing is told with the log.
            let Ok(Some(statement)) = log::find(conn, leaf.sha256).await else { continue };
            if let Err(error) = opened(&statement, &root) {
                report.wrong(Family::Signatures, format!("leaf {} ({}): {error}", leaf.index, leaf.kind));
            }
        }
        report.saw(Family::Signatures, leaves.len() as u64);
    }
    Ok(())
}

async fn root(
    conn: &mut Conn,
    folder: &Folder,
    report: &mut Report,
) -> Result<Option<TrustedRoot>, StoreError> {
    let id = meta::get(conn, meta::REGISTRY_ID).await?.unwrap_or_default();
    let Ok(id) = id.parse::<RegistryId>() else {
        report.wrong(Family::Signatures, format!("`{id}` is no id of a registry"));
        return Ok(None);
    };
    let chain = roots::chain(conn).await?;
    for (version, text) in (1..).zip(&chain) {
        if let Some(wrong) = elsewhere(&folder.root(version), text) {
            report.wrong(Family::Signatures, wrong);
        }
    }
    let files: Vec<Vec<u8>> = chain.into_iter().map(String::into_bytes).collect();
    match RootChain::verify(&files, id) {
        Ok(root) => Ok(Some(root)),
        Err(error) => {
            report.wrong(Family::Signatures, format!("root metadata: {error}"));
            Ok(None)
        }
    }
}

/// What is wrong with the copy of the root metadata in the folder.
fn elsewhere(path: &Path, text: &str) -> Option<String> {
    match fs_err::read_to_string(path) {
        Ok(found) if found == text => None,
        Ok(_) => Some(format!("{} is not what the database has", path.display())),
        Err(error) => Some(error.to_string()),
    }
}

/// Checks a statement by itself: its signatures, their role, and its content.
fn opened(logged: &log::LoggedStatement, root: &TrustedRoot) -> Result<(), String> {
    let kind = logged.kind.parse().map_err(|error| format!("{error}"))?;
    let dsse = Envelope::parse(logged.envelope.as_bytes()).map_err(|error| error.to_string())?;
    let logged = LoggedStatement { kind, log_index: logged.log_index, dsse };
    let statement = open_statement(&logged, root).map_err(|error| error.to_string())?;
    let registry = statement.target().registry;
    if registry == root.registry() { Ok(()) } else { Err(format!("it is of the registry {registry}")) }
}
