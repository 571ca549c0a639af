//! The releases of a skill, as the registry's index lists them.

use skill_core::api::IndexLine;
use skill_core::name::SkillName;

use crate::client::Index;
use crate::code::Code;
use crate::connection::Connection;
use crate::failure::Failure;

/// Every release of `name`, lowest number first; `None` if there is no such skill.
///
/// # Errors
/// `registry-error` for an index that does not read, and what a call gives.
pub async fn all(connection: &Connection, name: &SkillName) -> Result<Option<Vec<IndexLine>>, Failure> {
    let index = connection.session.index(name, None).await.map_err(|error| connection.refused(&error))?;
    match index {
        Index::Body { body, .. } => read(&body).map(Some).map_err(|reason| {
            Failure::new(Code::RegistryError, format!("the index of {name} does not read")).because(reason)
        }),
        Index::Absent | Index::Fresh => Ok(None),
    }
}

/// The lines up to the empty one.
fn read(body: &[u8]) -> Result<Vec<IndexLine>, String> {
    let lines = body.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let parsed = lines.map(|line| serde_json::from_slice(line).map_err(|error| error.to_string()));
    let mut releases: Vec<IndexLine> = parsed.collect::<Result<_, _>>()?;
    releases.sort_by(|a, b| a.version.cmp(&b.version));
    Ok(releases)
}
