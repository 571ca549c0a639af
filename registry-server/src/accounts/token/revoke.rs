use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;

use crate::app::App;
use crate::auth::{Act, Credential, Permit, TokenText};
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::tokens::{self, TokenRow};
use crate::store::{Conn, Db, QuietTx, StoreError, sessions};
use crate::telemetry::without_secrets;

/// Why a token was not revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeTokenError {
    /// No id and no prefix like that.
    #[error("there is no token `{text}`")]
    Unknown {
        /// What was asked for.
        text: String,
    },
    /// Several tokens have this prefix.
    #[error("several tokens begin with {text}")]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// The tokens' ids.
        ids: Vec<String>,
    },
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Refuses a token from now on, as the operator, and every token that was made with it; beside it how many that are, 0 if
/// that was so before. Sessions that were signed in with it end.
pub async fn revoke_token(
    db: &Db,
    id_or_prefix: &str,
    actor: &str,
) -> Result<(TokenRow, u64), RevokeTokenError> {
    let mut tx = db.quiet().await?;
    let found = named(tx.conn(), id_or_prefix).await?;
    let token = only(found, id_or_prefix)?;
    let change = NewAudit::new(Actor::unshown(actor), "token.revoke", token.prefix.clone());
    revoke(tx, token, change).await
}

/// Refuses one of the own tokens of whoever asks, as [`revoke_token`] does. One of somebody else is not known. Every
/// token may be given up with itself; for another one it takes what making one takes.
pub async fn revoke_own_token(
    app: &App,
    permit: &Permit,
    id_or_prefix: &str,
) -> Result<(TokenRow, u64), RevokeTokenError> {
    let asks = permit.person(&[Act::RevokeToken])?;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let mut found = named(tx.conn(), id_or_prefix).await?;
    found.retain(|token| token.user_id == asks.user.id);
    let token = only(found, id_or_prefix)?;
    if asks.by != Credential::Token(token.id.clone()) {
        permit.also(Act::MakeToken)?;
    }
    let change = permit.audit("token.revoke", token.prefix.clone());
    revoke(tx, token, change).await
}

/// The tokens whose id, prefix or whole text this is: whoever finds one that leaked has its text alone.
async fn named(conn: &mut Conn, text: &str) -> Result<Vec<TokenRow>, StoreError> {
    match text.parse::<TokenText>() {
        Ok(token) => Ok(tokens::by_digest(conn, token.digest()).await?.into_iter().collect()),
        Err(_) => tokens::by_id_or_prefix(conn, text).await,
    }
}

fn only(mut found: Vec<TokenRow>, text: &str) -> Result<TokenRow, RevokeTokenError> {
    let text = without_secrets(text).into_owned();
    let Some(token) = found.pop() else { return Err(RevokeTokenError::Unknown { text }) };
    if found.is_empty() {
        return Ok(token);
    }
    let ids = found.into_iter().chain([token]).map(|token| token.id).collect();
    Err(RevokeTokenError::Ambiguous { text, ids })
}

async fn revoke(
    mut tx: QuietTx,
    token: TokenRow,
    change: NewAudit,
) -> Result<(TokenRow, u64), RevokeTokenError> {
    let now = tx.now();
    if !tokens::revoke(tx.conn(), &token.id, now).await? {
        return Ok((token, 0));
    }
    // Each one's row is locked before those made with it are looked for: none is made behind its back.
    let (mut makers, mut revoked) = (vec![Credential::Token(token.id.clone())], 1);
    let mut sessions_ended = 0;
    while let Some(maker) = makers.pop() {
        let made = tokens::revoke_made_from(tx.conn(), &token.user_id, &maker, now).await?;
        revoked += made.len() as u64;
        makers.extend(made.into_iter().map(Credential::Token));
        let ended = sessions::end_made_from(tx.conn(), &token.user_id, &maker).await?;
        sessions_ended += ended.len();
        makers.extend(ended.into_iter().map(Credential::Session));
    }
    let detail = json!({ "token": token.id, "revoked": revoked, "sessionsEnded": sessions_ended });
    tx.audit(change.with(detail));
    tx.commit().await?;
    Ok((token, revoked))
}

impl From<RevokeTokenError> for ApiError {
    fn from(error: RevokeTokenError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match &error {
            RevokeTokenError::Unknown { .. } => answer(StatusCode::NOT_FOUND, "token-not-found"),
            RevokeTokenError::Ambiguous { ids, .. } => {
                answer(StatusCode::CONFLICT, "token-ambiguous").with("matches", ids.clone())
            }
            RevokeTokenError::Access(_) | RevokeTokenError::Store(_) => {
                return match error {
                    RevokeTokenError::Access(error) => error,
                    RevokeTokenError::Store(error) => error.into(),
                    other => Self::internal(other),
                };
            }
        }))
    }
}
