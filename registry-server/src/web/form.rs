//! What a form sends: the only way to read a body in a page.

use std::fmt;
use std::str::FromStr;

use axum::extract::{FromRequest, Request};
use http::StatusCode;
use http::header::CONTENT_TYPE;

use crate::app::App;
use crate::auth::Caller;
use crate::http::extract::{body_unreadable, form_foreign, short_body};
use crate::problem::ApiError;

/// The field that says for which session a form was made.
pub(super) const FIELD: &str = "form";

/// The fields of a form. Of a session it has the field that was made for that session; whether a page of this registry
/// sent it was decided before ([`gate`](crate::http::gate)).
#[derive(Debug, Clone, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// The first value of a field; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// Every value of a field, such as those of boxes that are ticked.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// A field without the blanks around it, read; `None` if it is empty.
    pub(super) fn read<T: FromStr<Err: fmt::Display>>(&self, name: &str) -> Result<Option<T>, ApiError> {
        match self.text(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(unreadable),
        }
    }
}

/// Of a field that holds something else than is asked for.
pub(super) fn unreadable(error: impl fmt::Display) -> ApiError {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    ApiError::Other { status, code: "field-unreadable", title: error.to_string() }
}

impl FromRequest<App> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        const KIND: &str = "application/x-www-form-urlencoded";
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_form = kind.is_some_and(|kind| kind.split(';').next().unwrap_or_default().trim() == KIND);
        let session = request.extensions().get::<Caller>().and_then(Caller::session).map(str::to_owned);
        let body = if is_form { short_body(request).await? } else { Vec::new() };
        let fields: Vec<(String, String)> = url::form_urlencoded::parse(&body).into_owned().collect();
        let form = Self(fields);
        if let Some(session) = session
            && !app.web_key().is_form_field(&session, form.text(FIELD))
        {
            return Err(form_foreign());
        }
        if !is_form {
            return Err(ApiError::Other {
                status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
                code: "form-unreadable",
                title: format!("a form is sent as {KIND}"),
            });
        }
        if form.0.iter().any(|(_, value)| value.contains('\0')) {
            return Err(body_unreadable("the form holds the character U+0000".to_owned()));
        }
        Ok(form)
    }
}
