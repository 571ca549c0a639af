use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use skill_core::api::{NewTokenRequest, TokenLine, TokenMade, TokenPage, TokensRevoked};

use crate::accounts::{self, WantedToken};
use crate::app::App;
use crate::auth::{Act, Permit, Scope, Scopes};
use crate::http::cursor::Cursor;
use crate::http::extract::{IdPath, JsonBody, Query};
use crate::problem::ApiError;
use crate::store::tokens::{self, TokenRow};

const PAGE: usize = 50;
const MOST: usize = 200;

/// Lists the own tokens that are not revoked, newest first. Their texts are not among it.
#[utoipa::path(
    get,
    path = "/api/registry/v1/tokens",
    tag = "registry",
    security(("token" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 without it"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`tokens`, `nextCursor`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn tokens(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<TokenPage>, ApiError> {
    let user = &permit.person(&[Act::ListTokens])?.user;
    let limit = query.limit(PAGE, MOST);
    let after = query.cursor::<Cursor>()?.map(|Cursor { at, id }| (at, id));
    let mut conn = app.db().read().await?;
    let mut rows = tokens::of_user(&mut conn, &user.id, after, limit + 1).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|row| Cursor { at: row.created_at, id: row.id.clone() }.to_string());
    Ok(Json(TokenPage { tokens: rows.into_iter().map(line).collect(), next_cursor }))
}

/// Makes a token for oneself. Its text is in this answer and nowhere else.
///
/// It reaches no further than the token that asks for it, and is revoked with it.
#[utoipa::path(
    post,
    path = "/api/registry/v1/tokens",
    tag = "registry",
    security(("token" = [])),
    request_body(content_type = "application/json", description = "`label`, `scopes`, `publisher`, `skill`, `expires`"),
    responses(
        (status = 201, content_type = "application/json", description = "Made"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn make_token(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(request): JsonBody<NewTokenRequest>,
) -> Result<Response, ApiError> {
    let wanted = WantedToken {
        label: request.label,
        scopes: request.scopes.map_or_else(|| Ok(Scopes::default()), |words| scopes(&words))?,
        publisher: request.publisher,
        skill: request.skill,
        life: request.expires,
    };
    app.disk().room()?;
    let made = accounts::make_token(&app, &permit, wanted).await.map_err(ApiError::from);
    let (text, row) = app.disk().noted(made)?;
    let made = TokenMade { token: text.reveal().to_owned(), line: line(row) };
    let mut answer = (StatusCode::CREATED, Json(made)).into_response();
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(answer)
}

fn scopes(words: &[String]) -> Result<Scopes, ApiError> {
    words.join(",").parse().map_err(|error: skill_core::name::NameError| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "scope-unreadable",
        title: error.to_string(),
    })
}

/// Refuses an own token from now on, and every token that was made with it.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/tokens/{id}",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Its id, or the first 12 characters of its text")),
    responses(
        (status = 200, content_type = "application/json", description = "`id`, `prefix`, `revoked`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn revoke_token(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<TokensRevoked>, ApiError> {
    app.disk().room()?;
    let done = accounts::revoke_own_token(&app, &permit, &id).await.map_err(ApiError::from);
    let (token, revoked) = app.disk().noted(done)?;
    Ok(Json(TokensRevoked { id: token.id, prefix: token.prefix, revoked }))
}

fn line(row: TokenRow) -> TokenLine {
    TokenLine {
        id: row.id,
        prefix: row.prefix,
        label: row.label,
        scopes: row.scopes.iter().map(Scope::as_str).map(str::to_owned).collect(),
        publisher: row.publisher,
        skill: row.skill,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_at: row.last_used_at,
    }
}
