use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::ApproveError;
use crate::app::App;
use crate::auth::{Act, Identity, Permit, Scope, Scopes, UserCode};
use crate::problem::ApiError;
use crate::store::device_codes::{self, Decision, DeviceRow};
use crate::store::{QuietTx, guesses};

/// Wrong codes of one user within [`WINDOW`].
const GUESSES: u64 = 5;
const WINDOW: Duration = Duration::from_hours(1);

/// A request as it is shown to whoever typed its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// What the program says it is.
    pub label: String,
    /// Where it asks from; empty if that is not known.
    pub address: String,
    /// When it asked.
    pub at: Timestamp,
    /// What it would get.
    pub scopes: Vec<Scope>,
    /// What it asks for beyond that: whoever is signed in may not give it.
    pub left_out: Vec<Scope>,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The program gets its token.
    Approved,
    /// It gets none.
    Denied,
}

/// What waits under a code that somebody typed.
pub async fn look(app: &App, permit: &Permit, typed: &str) -> Result<Asked, ApproveError> {
    let identity = permit.person(&[Act::MakeToken])?;
    let (tx, device) = typed_right(app, permit, typed).await?;
    tx.commit().await?;
    let (scopes, left_out) = divided(&device.scopes, identity);
    Ok(Asked { label: device.label, address: device.address, at: device.created_at, scopes, left_out })
}

/// Approves or denies it. The program gets what was asked for and whoever approves may give.
pub async fn decide(app: &App, permit: &Permit, typed: &str, outcome: Outcome) -> Result<(), ApproveError> {
    let identity = permit.person(&[Act::MakeToken])?;
    let (mut tx, mut device) = typed_right(app, permit, typed).await?;
    let (scopes, _) = divided(&device.scopes, identity);
    if !scopes.is_empty() {
        device.scopes = Scopes::of(scopes.iter().copied());
    }
    let (decision, action) = match outcome {
        Outcome::Approved if scopes.is_empty() => {
            return Err(nothing_to_give(&device.scopes, identity).into());
        }
        Outcome::Approved => (Decision::Approved, "device.approve"),
        Outcome::Denied => (Decision::Denied, "device.deny"),
    };
    let (by, now) = ((identity.user.id.as_str(), &identity.by), tx.now());
    if !device_codes::decide(tx.conn(), &device, by, decision, now).await? {
        return Err(ApproveError::CodeUnknown);
    }
    let detail =
        json!({ "label": device.label, "scopes": device.scopes.to_string(), "address": device.address });
    tx.audit(permit.audit(action, identity.user.name.to_string()).with(detail));
    tx.commit().await?;
    Ok(())
}

/// The request that waits under a code. Wrong ones are counted, by whom, before it is looked for.
async fn typed_right(app: &App, permit: &Permit, typed: &str) -> Result<(QuietTx, DeviceRow), ApproveError> {
    let key = app.web_key().of_guesser("device", &permit.identity().user.id);
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let now = tx.now();
    let (guessed, until) = guesses::count(tx.conn(), &key, now, WINDOW).await?;
    if guessed > GUESSES {
        return Err(ApproveError::Guesses { until });
    }
    let found = match UserCode::read(typed) {
        Some(code) => {
            let digest = app.web_key().of_user_code(code.letters());
            device_codes::undecided(tx.conn(), &digest, now).await?
        }
        None => None,
    };
    let Some(device) = found else {
        tx.commit().await?;
        return Err(ApproveError::CodeUnknown);
    };
    guesses::right(tx.conn(), &key).await?;
    Ok((tx, device))
}

/// What of the scopes that are asked for whoever is signed in may give, and what not.
fn divided(asked: &Scopes, identity: &Identity) -> (Vec<Scope>, Vec<Scope>) {
    let of_role = Scopes::of_role(identity.user.role);
    asked.iter().partition(|scope| identity.needs(*scope).is_ok() && of_role.has(*scope))
}

fn nothing_to_give(asked: &Scopes, identity: &Identity) -> ApiError {
    let needs = asked.iter().next().unwrap_or(Scope::Read);
    ApiError::ScopeMissing { needs, has: identity.scopes.clone() }
}
