use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::DeviceError;
use super::ask::later;
use crate::accounts::CreateTokenError;
use crate::accounts::token::{Reach, end, insert, room};
use crate::app::App;
use crate::auth::{Credential, Scopes, TokenText};
use crate::store::audit::{Actor, NewAudit};
use crate::store::device_codes::{self, Decision, DeviceRow};
use crate::store::sessions::SessionRow;
use crate::store::users::{self, User};
use crate::store::{QuietTx, sessions, tokens};

/// A poll adds so much to what there is to wait, when it comes too early (RFC 8628 3.5).
const SLOWER: std::time::Duration = std::time::Duration::from_secs(5);
/// What clocks and networks are apart.
const TOLERANCE: std::time::Duration = std::time::Duration::from_secs(1);

/// The token that a program gets.
#[derive(Debug, Clone)]
pub struct Given {
    /// Its text, which is nowhere else.
    pub token: TokenText,
    /// What it may be used for.
    pub scopes: Scopes,
}

/// Gives the program its token, once, or says why there is none now.
pub async fn take(app: &App, device_code: &str) -> Result<Given, DeviceError> {
    let mut tx = app.db().quiet().await?;
    let now = tx.now();
    let device = device_codes::lock(tx.conn(), Sha256::of(device_code)).await?;
    let device = device.filter(|device| device.expires_at > now && device.taken_at.is_none());
    let device = device.ok_or(DeviceError::Over)?;
    match device.decision {
        None => Err(wait(tx, &device, now).await?),
        Some(Decision::Denied) => Err(DeviceError::Denied),
        Some(Decision::Approved) => give(app, tx, device).await,
    }
}

/// Notes that it asked, and says how it is.
async fn wait(mut tx: QuietTx, device: &DeviceRow, now: Timestamp) -> Result<DeviceError, DeviceError> {
    let is_early = later(now, TOLERANCE)? < device.next_poll;
    let every = if is_early { device.every + SLOWER } else { device.every };
    device_codes::polled(tx.conn(), device.sha256, every, later(now, every)?).await?;
    tx.commit().await?;
    Ok(if is_early { DeviceError::Early { every } } else { DeviceError::Pending })
}

async fn give(app: &App, mut tx: QuietTx, device: DeviceRow) -> Result<Given, DeviceError> {
    let now = tx.now();
    let (user, session) = approver(&mut tx, &device).await?;
    room(&mut tx, &user.id).await.map_err(refused)?;
    device_codes::taken(tx.conn(), device.sha256, now).await?;
    let until = end(None, app.config().tokens.longest, session.made_until, now).map_err(refused)?;
    let reach = Reach { scopes: device.scopes, publisher: None, skill: None, expires_at: until };
    let by = Credential::Session(session.sha256.to_hex());
    let actor = Actor { name: user.name.to_string(), credential: Some(by.clone()) };
    let change = NewAudit::new(actor, "token.create", user.name.to_string());
    let made = insert(&mut tx, app.entropy(), &user, device.label, reach, Some(by), change).await;
    let (token, row) = made.map_err(refused)?;
    tx.commit().await?;
    Ok(Given { token, scopes: row.scopes })
}

/// Who approved it, in which session. Whoever ends that waits until this ends.
async fn approver(tx: &mut QuietTx, device: &DeviceRow) -> Result<(User, SessionRow), DeviceError> {
    let (Some(by), Some(user_id)) = (&device.made_from, &device.user_id) else {
        return Err(DeviceError::Denied);
    };
    let (true, Credential::Session(sha256)) = (tokens::hold(tx.conn(), by).await?, by) else {
        return Err(DeviceError::Denied);
    };
    let now = tx.now();
    let session = sessions::find(tx.conn(), sha256).await?.filter(|session| !session.is_over(now));
    let user = users::by_id(tx.conn(), user_id).await?;
    user.zip(session).ok_or(DeviceError::Denied)
}

/// What whoever approved it may not give any more is denied.
fn refused(error: CreateTokenError) -> DeviceError {
    match error {
        CreateTokenError::Store(error) => error.into(),
        CreateTokenError::Access(error) => error.into(),
        CreateTokenError::Many { most } => DeviceError::TokensMany { most },
        _ => DeviceError::Denied,
    }
}
