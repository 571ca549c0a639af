use std::time::Duration;

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName};
use skill_core::token::Life;

use super::create::{self, CreateTokenError};
use super::{Beyond, Reach};
use crate::app::App;
use crate::auth::{Act, Identity, Permit, Scopes, TokenText};
use crate::problem::ApiError;
use crate::store::tokens::{self, TokenRow};
use crate::store::{QuietTx, users};

/// The most bytes of a label.
const LABEL_BYTES: usize = 120;
/// As many tokens of a user are good at once.
const TOKENS: u64 = 200;
/// How long a token lives whose maker does not say.
const LIFE: Duration = Duration::from_hours(90 * 24);

/// A token that somebody wants.
#[derive(Debug, Clone)]
pub struct WantedToken {
    /// What it is for.
    pub label: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// The only publisher that it is good for.
    pub publisher: Option<Owner>,
    /// The only skill that it is good for.
    pub skill: Option<SkillName>,
    /// How long it is good for; `None`: 90 days, or less where less is allowed.
    pub life: Option<Life>,
}

/// Makes a token for whoever asks, within the reach of what they showed. Its text is in the answer and nowhere else.
pub async fn make_token(
    app: &App,
    permit: &Permit,
    wanted: WantedToken,
) -> Result<(TokenText, TokenRow), CreateTokenError> {
    let identity = permit.person(&[Act::MakeToken])?;
    let bytes = wanted.label.len();
    if bytes > LABEL_BYTES {
        return Err(CreateTokenError::LabelLong { bytes, most: LABEL_BYTES });
    }
    let maker = Reach::of(identity);
    let mut tx = app.db().quiet().await?;
    let expires_at = end(wanted.life, app.config().tokens.longest, maker.expires_at, tx.now())?;
    let reach = Reach { scopes: wanted.scopes, publisher: wanted.publisher, skill: wanted.skill, expires_at };
    if let Some(beyond) = reach.beyond(&maker) {
        return Err(CreateTokenError::AboveMaker { beyond });
    }
    // Whoever revokes what was shown waits until this ends, and then finds the new token too.
    if !tokens::hold(tx.conn(), &identity.by).await? {
        return Err(ApiError::TokenRejected.into());
    }
    room(&mut tx, &identity.user.id).await?;
    permit.confirm(&mut tx).await?;
    let change = permit.audit("token.create", identity.user.name.to_string());
    let by = Some(identity.by.clone());
    let made =
        create::insert(&mut tx, app.entropy(), &identity.user, wanted.label, reach, by, change).await?;
    tx.commit().await?;
    Ok(made)
}

/// When a token would end that is made now by whoever asks, refused if it would live longer than theirs may.
pub fn token_end(
    app: &App,
    identity: &Identity,
    life: Option<Life>,
) -> Result<Option<Timestamp>, CreateTokenError> {
    let maker = Reach::of(identity);
    let expires_at = end(life, app.config().tokens.longest, maker.expires_at, app.clock().now())?;
    match (Reach { expires_at, ..maker.clone() }).beyond(&maker) {
        Some(beyond) => Err(CreateTokenError::AboveMaker { beyond }),
        None => Ok(expires_at),
    }
}

/// Refuses a user who has as many tokens as there may be; none is made beside this one until the transaction ends.
pub(in crate::accounts) async fn room(tx: &mut QuietTx, user_id: &str) -> Result<(), CreateTokenError> {
    users::lock(tx.conn(), user_id).await?;
    let now = tx.now();
    if tokens::good_of_user(tx.conn(), user_id, now).await? >= TOKENS {
        return Err(CreateTokenError::Many { most: TOKENS });
    }
    Ok(())
}

/// When a token ends. What was not asked for fits; what was asked for does, or is refused.
pub(in crate::accounts) fn end(
    life: Option<Life>,
    longest: Option<Duration>,
    maker: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, CreateTokenError> {
    let after = |length| now.checked_add(length).map_err(|_| CreateTokenError::Lives);
    let lives_long = |longest| CreateTokenError::LivesLong { longest: Life::For(longest) };
    match (life, longest) {
        (None, _) => {
            let end = after(longest.map_or(LIFE, |longest| longest.min(LIFE)))?;
            Ok(Some(maker.map_or(end, |maker| maker.min(end))))
        }
        (Some(Life::Never), Some(longest)) => Err(lives_long(longest)),
        (Some(Life::Never), None) if maker.is_some() => {
            Err(CreateTokenError::AboveMaker { beyond: Beyond::End })
        }
        (Some(Life::Never), None) => Ok(None),
        (Some(Life::For(length)), Some(longest)) if length > longest => Err(lives_long(longest)),
        (Some(Life::For(length)), _) => after(length).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 60 * 60 * 1000;

    fn days(life: Option<&str>, longest: Option<u64>, maker: Option<u64>) -> String {
        let at = |days: u64| Timestamp::from_millisecond((days * DAY) as i64).unwrap();
        let longest = longest.map(|days| Duration::from_hours(days * 24));
        match end(life.map(|life| life.parse().unwrap()), longest, maker.map(at), at(0)) {
            Ok(None) => "never".to_owned(),
            Ok(Some(end)) => format!("{}", end.as_millisecond() as u64 / DAY),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn when_a_token_ends() {
        assert_eq!(days(None, None, None), "90");
        assert_eq!(days(None, Some(30), None), "30");
        assert_eq!(days(None, Some(365), None), "90");
        assert_eq!(days(None, Some(30), Some(7)), "7");
        assert_eq!(days(Some("365d"), None, None), "365");
        assert_eq!(days(Some("never"), None, None), "never");
        assert_eq!(days(Some("31d"), Some(30), None), "tokens of this registry live 30d at most");
        assert_eq!(days(Some("never"), Some(30), None), "tokens of this registry live 30d at most");
        assert_eq!(days(Some("never"), None, Some(90)), "the token that makes it lacks a longer life");
        assert_eq!(days(Some("9999999999d"), None, None), "a token cannot live that long");
    }
}
