use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use super::frame_of;
use crate::accounts::{self, Chooser, NewPassword, SignInError};
use crate::app::App;
use crate::auth::{Act, LONGEST, Permit, SHORTEST};
use crate::problem::ApiError;
use crate::remote::Remote;
use crate::web::account::told;
use crate::web::form::Form;
use crate::web::page::page;

#[derive(Debug, Serialize)]
struct View {
    name: String,
    form: String,
    /// Whether there is one, which has to be shown.
    has: bool,
    shortest: usize,
    longest: usize,
    told: String,
    done: bool,
}

/// `/settings/password`: where a password is chosen.
pub(in crate::web) async fn password(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    shown(&app, &permit, StatusCode::OK, String::new(), false).await
}

/// The form of that page.
pub(in crate::web) async fn choose_password(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    remote: Option<Extension<Remote>>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let (after, again) = (form.text("after"), form.text("again"));
    if after != again {
        let told = "The new password was not typed twice alike.".to_owned();
        return shown(&app, &permit, StatusCode::UNPROCESSABLE_ENTITY, told, false).await;
    }
    let at = remote.and_then(|Extension(remote)| remote.address);
    let new = NewPassword { before: form.text("before"), after, at };
    let Err(error) = accounts::choose_password(&app, &permit, new).await else {
        return shown(&app, &permit, StatusCode::OK, String::new(), true).await;
    };
    let told = match &error {
        SignInError::Choice(choice) => Some(format!("Not taken: {choice}.")),
        SignInError::Wrong => Some("The present password does not match.".to_owned()),
        other => told(other, app.clock().now()),
    };
    match told {
        Some(told) => shown(&app, &permit, ApiError::from(error).status(), told, false).await,
        None => app.disk().noted(Err(ApiError::from(error))),
    }
}

async fn shown(
    app: &App,
    permit: &Permit,
    status: StatusCode,
    told: String,
    done: bool,
) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::ChoosePassword])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let chooser = accounts::may_choose(app, permit, session).await?;
    let view = View {
        name: identity.user.name.to_string(),
        form: app.web_key().form_field(session),
        has: chooser == Chooser::Has,
        shortest: SHORTEST,
        longest: LONGEST,
        told,
        done,
    };
    page(app, status, "settings-password.html", &frame_of("password", "Password"), &view)
}
