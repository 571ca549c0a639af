//! Signing statements with the key of the role that may.

pub(crate) mod envelope;

use skill_trust::{Role, Statement};

use crate::app::App;
use crate::problem::ApiError;

/// Signs a statement; answers with the exact text of the DSSE envelope.
pub(crate) fn sign(app: &App, role: Role, statement: &Statement) -> Result<String, ApiError> {
    let envelope = statement.sign([app.key(role)?]).map_err(ApiError::internal)?;
    String::from_utf8(envelope.to_json()).map_err(ApiError::internal)
}
