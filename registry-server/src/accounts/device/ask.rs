use std::net::IpAddr;
use std::time::Duration;

use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::DeviceError;
use crate::app::App;
use crate::auth::{Scopes, UserCode};
use crate::network::of_one_customer;
use crate::problem::ApiError;
use crate::store::StoreError;
use crate::store::device_codes::{self, DeviceRow};

/// How long a person has.
const LIFE: Duration = Duration::from_mins(15);
/// Between two polls, until one comes too early.
const EVERY: Duration = Duration::from_secs(5);
/// Requests from one address that wait for a person.
const WAITING: u64 = 10;
/// The most bytes of a label.
const LABEL_BYTES: usize = 120;

/// A request about to be made.
#[derive(Debug, Clone)]
pub struct NewAsk {
    /// What the program says it is.
    pub label: String,
    /// What it asks for.
    pub scopes: Scopes,
    /// Where it is.
    pub address: Option<IpAddr>,
}

/// What the program is given.
#[derive(Debug, Clone)]
pub struct AskedCodes {
    /// For the program, to poll with.
    pub device_code: String,
    /// For the person, to type.
    pub user_code: UserCode,
    /// How long both are good.
    pub life: Duration,
    /// How long to wait between two polls.
    pub every: Duration,
}

/// Takes down that a program asks for a token.
pub async fn ask(app: &App, new: NewAsk) -> Result<AskedCodes, DeviceError> {
    if app.cookie().is_none() {
        return Err(DeviceError::Insecure);
    }
    if new.label.len() > LABEL_BYTES {
        return Err(DeviceError::Request { why: format!("the label has more than {LABEL_BYTES} bytes") });
    }
    let mut tx = app.db().quiet().await?;
    let now = tx.now();
    device_codes::tidy(tx.conn(), now).await?;
    let address = new.address.map(network).unwrap_or_default();
    // Whoever asks through a proxy on this machine, or from nowhere, shares a count with nobody.
    if new.address.is_some_and(|address| !address.is_loopback()) {
        let waiting = device_codes::waiting(tx.conn(), &address).await?;
        if waiting >= WAITING {
            return Err(DeviceError::Many { waiting });
        }
    }
    let secret = app.entropy().bytes().map_err(StoreError::from)?;
    let device_code = Sha256::from_bytes(secret).to_hex();
    let user_code = UserCode::make(app.entropy()).map_err(StoreError::from)?;
    let device = DeviceRow {
        sha256: Sha256::of(&device_code),
        user_code: app.web_key().of_user_code(user_code.letters()),
        label: new.label,
        scopes: new.scopes,
        address,
        created_at: now,
        expires_at: later(now, LIFE)?,
        every: EVERY,
        next_poll: later(now, EVERY)?,
        user_id: None,
        decision: None,
        taken_at: None,
        made_from: None,
    };
    device_codes::insert(tx.conn(), &device).await?;
    tx.commit().await?;
    Ok(AskedCodes { device_code, user_code, life: LIFE, every: EVERY })
}

pub(super) fn later(from: Timestamp, length: Duration) -> Result<Timestamp, ApiError> {
    from.checked_add(length).map_err(ApiError::internal)
}

/// An address as it is counted and shown.
fn network(address: IpAddr) -> String {
    match of_one_customer(address) {
        _ if address.is_loopback() => address.to_canonical().to_string(),
        v4 @ IpAddr::V4(_) => v4.to_string(),
        v6 @ IpAddr::V6(_) => format!("{v6}/64"),
    }
}
