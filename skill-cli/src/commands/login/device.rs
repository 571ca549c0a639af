use std::time::Duration;

use skill_core::token::TokenText;

use crate::client::{DeviceCodes, DeviceRequest, Polled};
use crate::code::Code;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Line, Role};

/// A poll that came too early adds so much where the registry does not say (RFC 8628 3.5).
const SLOWER: Duration = Duration::from_secs(5);
/// Whatever a registry says, it is asked neither all the time nor hardly ever.
const EVERY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(1));

/// Asks for a token that a person approves in a browser, on whichever machine, and waits until they do.
///
/// # Errors
/// `login-denied`, `login-expired`, and what the registry answers.
pub(super) async fn token(
    context: &Context,
    connection: &Connection,
    request: &DeviceRequest,
) -> Result<TokenText, Failure> {
    let session = &connection.session;
    let codes = session.ask_for_codes(request).await.map_err(|error| connection.refused(&error))?;
    context.screen.call(&[
        Line::new().plain("open  ").role(Role::Name, codes.verification_uri.as_str()).into(),
        Line::new().plain("type  ").role(Role::Name, codes.user_code.as_str()).into(),
    ]);
    poll(connection, &codes).await
}

async fn poll(connection: &Connection, codes: &DeviceCodes) -> Result<TokenText, Failure> {
    let mut every = Duration::from_secs(codes.interval).clamp(EVERY.0, EVERY.1);
    let mut left = Duration::from_secs(codes.expires_in).min(Duration::from_hours(1));
    while left >= every {
        tokio::time::sleep(every).await;
        left = left.saturating_sub(every);
        let polled = match connection.session.poll_for_token(&codes.device_code).await {
            // A person is on the way to a browser meanwhile (RFC 8628 3.5).
            Err(error) if error.may_pass() => continue,
            polled => polled.map_err(|error| connection.refused(&error))?,
        };
        match polled {
            Polled::Given(token) => return Ok(token),
            Polled::Pending => {}
            Polled::SlowDown(longer) => every = longer.unwrap_or(every + SLOWER).clamp(EVERY.0, EVERY.1),
            Polled::Denied => {
                return Err(Failure::new(Code::LoginDenied, "the login was denied in the browser")
                    .because_in_text("nothing was stored"));
            }
            Polled::Expired => break,
        }
    }
    Err(Failure::new(Code::LoginExpired, "nobody approved the login in time")
        .because_in_text("nothing was stored")
        .hint("run `skill login` again"))
}
