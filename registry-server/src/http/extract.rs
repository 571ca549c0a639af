//! What a request names, read before the database is asked: a name that cannot exist is not found.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use futures_util::StreamExt as _;
use http::request::Parts;
use http::{Extensions, StatusCode, Uri};
use serde::de::DeserializeOwned;
use skill_core::name::{Owner, SkillName, Slug, Tag};
use skill_core::version::Version;

use super::keys;
use crate::app::App;
use crate::nul;
use crate::problem::ApiError;

/// `{owner}/{slug}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct SkillPath(pub SkillName);

/// `{owner}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct OwnerPath(pub Owner);

/// `{user}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct UserPath(pub Owner);

/// `{id}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct IdPath(pub String);

/// `{owner}/{slug}/versions/{version}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct ReleasePath {
    /// The skill.
    pub name: SkillName,
    /// The release.
    pub version: Version,
}

/// `{owner}/{slug}/tags/{tag}` in the path of one of our own routes.
#[derive(Debug, Clone)]
pub(crate) struct TagPath {
    /// The skill.
    pub name: SkillName,
    /// The tag.
    pub tag: Tag,
}

/// `{slug}` in a path of `/api/v1`, and the owner that the query names, if it does.
#[derive(Debug, Clone)]
pub(crate) struct SlugPath(pub Wanted);

/// A skill as `/api/v1` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Whose, if it was said (`ownerHandle`, `owner`).
    pub owner: Option<Owner>,
    /// Which.
    pub slug: Slug,
}

/// The contract's words for a skill that is not there. Clients look for them.
pub(crate) fn skill_not_found() -> ApiError {
    ApiError::Other {
        status: StatusCode::NOT_FOUND,
        code: "skill-not-found",
        title: "Skill not found".to_owned(),
    }
}

/// The contract's words for a version that is not there.
pub(crate) fn version_not_found() -> ApiError {
    ApiError::Other {
        status: StatusCode::NOT_FOUND,
        code: "version-not-found",
        title: "Version not found".to_owned(),
    }
}

/// The contract's words for a file that is not there.
pub(crate) fn file_not_found() -> ApiError {
    ApiError::Other {
        status: StatusCode::NOT_FOUND,
        code: "file-not-found",
        title: "File not found".to_owned(),
    }
}

impl Wanted {
    /// Reads a slug and a handle as clients send them: in any case, with or without `@`.
    pub(crate) fn read(slug: &str, owner: Option<&str>) -> Result<Self, ApiError> {
        let slug = slug.trim().to_lowercase().parse().map_err(|_| skill_not_found())?;
        let owner = owner.map(|owner| owner.trim().trim_start_matches('@').to_lowercase());
        let owner = owner.filter(|owner| !owner.is_empty()).map(|owner| owner.parse::<Owner>()).transpose();
        Ok(Self { owner: owner.map_err(|_| skill_not_found())?, slug })
    }
}

impl FromRequestParts<App> for SkillPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::of(parts, app).await?;
        let name = path.text("owner").parse().ok().zip(path.text("slug").parse().ok());
        let (owner, slug) = name.ok_or_else(skill_not_found)?;
        Ok(Self(SkillName::new(owner, slug)))
    }
}

impl FromRequestParts<App> for OwnerPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::of(parts, app).await?;
        path.text("owner").parse().map(Self).map_err(|_| ApiError::Other {
            status: StatusCode::NOT_FOUND,
            code: "owner-not-found",
            title: "there is no such publisher".to_owned(),
        })
    }
}

impl FromRequestParts<App> for UserPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::of(parts, app).await?;
        path.text("user").parse().map(Self).map_err(|_| ApiError::Other {
            status: StatusCode::NOT_FOUND,
            code: "user-not-found",
            title: "there is no such user".to_owned(),
        })
    }
}

impl FromRequestParts<App> for IdPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self(Path::of(parts, app).await?.text("id").to_owned()))
    }
}

impl FromRequestParts<App> for ReleasePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let SkillPath(name) = SkillPath::from_request_parts(parts, app).await?;
        let VersionPath(version) = VersionPath::from_request_parts(parts, app).await?;
        Ok(Self { name, version })
    }
}

/// `{version}` in a path.
#[derive(Debug, Clone)]
pub(crate) struct VersionPath(pub Version);

impl FromRequestParts<App> for VersionPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::of(parts, app).await?;
        path.text("version").parse().map(Self).map_err(|_| version_not_found())
    }
}

/// `{tag}` in a path.
#[derive(Debug, Clone)]
pub(crate) struct TagSegment(pub Tag);

impl FromRequestParts<App> for TagSegment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let path = Path::of(parts, app).await?;
        path.text("tag").parse().map(Self).map_err(|error: skill_core::name::NameError| ApiError::Other {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "tag-unreadable",
            title: error.to_string(),
        })
    }
}

impl FromRequestParts<App> for TagPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let SkillPath(name) = SkillPath::from_request_parts(parts, app).await?;
        let TagSegment(tag) = TagSegment::from_request_parts(parts, app).await?;
        Ok(Self { name, tag })
    }
}

impl FromRequestParts<App> for SlugPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let owner = Query::of(&parts.uri, &parts.extensions);
        let path = Path::of(parts, app).await?;
        Wanted::read(path.text("slug"), owner.text("ownerHandle").or_else(|| owner.text("owner"))).map(Self)
    }
}

/// The answer to a form that was not made for whoever sends it.
pub(crate) fn form_foreign() -> ApiError {
    ApiError::Other {
        status: StatusCode::FORBIDDEN,
        code: "form-foreign",
        title: "this form was not sent from a page of this registry that was made for this session"
            .to_owned(),
    }
}

/// A body of JSON; no body at all stands for the default.
#[derive(Debug, Clone)]
pub(crate) struct JsonBody<T>(pub T);

/// More than this is not read.
const BODY_BYTES: usize = 64 * 1024;
/// It has to be there by then.
const BODY_TIME: Duration = Duration::from_secs(30);

pub(crate) fn body_unreadable(title: String) -> ApiError {
    ApiError::Other { status: StatusCode::BAD_REQUEST, code: "body-unreadable", title }
}

/// A body that is short and comes in time.
pub(crate) async fn short_body(request: Request) -> Result<Vec<u8>, ApiError> {
    let body = tokio::time::timeout(BODY_TIME, collected(request.into_body())).await;
    body.map_err(|_| ApiError::Other {
        status: StatusCode::REQUEST_TIMEOUT,
        code: "body-slow",
        title: "the body did not come in time".to_owned(),
    })?
}

async fn collected(body: Body) -> Result<Vec<u8>, ApiError> {
    let mut pieces = body.into_data_stream();
    let mut read = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| body_unreadable(format!("the body cannot be read: {error}")))?;
        if read.len() + piece.len() > BODY_BYTES {
            return Err(ApiError::Other {
                status: StatusCode::PAYLOAD_TOO_LARGE,
                code: "body-long",
                title: format!("the body is longer than {BODY_BYTES} bytes"),
            });
        }
        read.extend_from_slice(&piece);
    }
    Ok(read)
}

impl<T: DeserializeOwned + Default> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<Self, ApiError> {
        let unreadable =
            |why: &str| body_unreadable(format!("the body is not the JSON that is expected: {why}"));
        let body = short_body(request).await?;
        if body.is_empty() {
            return Ok(Self(T::default()));
        }
        // Else a list would be taken for the keys in their order.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(unreadable("it is a list, and should be an object"));
        }
        let read = serde_json::from_slice(&body).map_err(|error| unreadable(&error.to_string()))?;
        if nul::is_in_json(&body) {
            return Err(unreadable("it holds the character U+0000"));
        }
        Ok(Self(read))
    }
}

struct Path(RawPathParams);

impl Path {
    async fn of(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        RawPathParams::from_request_parts(parts, app).await.map(Self).map_err(|_| ApiError::RouteNotFound)
    }

    fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }
}

/// The query of a request: the keys that its route reads (`keys.rs`), in one order; of a key that stands twice the
/// first counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(uri: &Uri, request: &Extensions) -> Self {
        Self::read(uri, keys::of(request))
    }

    fn read(uri: &Uri, keys: &[&str]) -> Self {
        let query = uri.query().unwrap_or_default();
        let mut pairs: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .filter(|(key, _)| keys.contains(&key.as_str()))
            .collect();
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        pairs.dedup_by(|(later, _), (first, _)| later == first);
        Self(pairs)
    }

    /// One text for all queries that mean the same.
    pub(super) fn canonical(&self) -> String {
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }

    /// The value of a key as it was sent, if it is there and not blank.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(name, _)| name == key)?;
        Some(value.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// The value of a key of one of our own routes, read by `read`, if it is there.
    pub(crate) fn read_as<T>(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        let unreadable = || ApiError::Other {
            status: StatusCode::BAD_REQUEST,
            code: "usage",
            title: format!("`{key}` does not read as what it should be"),
        };
        self.text(key).map(|text| read(text).ok_or_else(unreadable)).transpose()
    }

    /// `cursor` as the page before gave it, if it is there.
    pub(crate) fn cursor<T: std::str::FromStr>(&self) -> Result<Option<T>, ApiError> {
        self.read_as("cursor", |text| text.parse().ok())
    }

    /// Whether a key says yes: `1` or `true`.
    pub(crate) fn flag(&self, key: &str) -> bool {
        matches!(self.text(key), Some("1" | "true"))
    }

    /// `limit`, brought into `1..=most`.
    pub(crate) fn limit(&self, without: usize, most: usize) -> usize {
        let limit = self.text("limit").and_then(|text| text.parse::<i64>().ok());
        limit.map_or(without, |limit| usize::try_from(limit).unwrap_or(1).clamp(1, most))
    }
}

impl FromRequestParts<App> for Query {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.uri, &parts.extensions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_as_clients_name_them() {
        let wanted = |slug, owner| {
            Wanted::read(slug, owner).ok().map(|wanted| {
                format!("{}/{}", wanted.owner.map_or_else(|| "-".to_owned(), |o| o.to_string()), wanted.slug)
            })
        };
        assert_eq!(wanted("GitHub", Some("@Acme")).as_deref(), Some("acme/github"));
        assert_eq!(wanted("github", Some("")).as_deref(), Some("-/github"));
        assert_eq!(wanted("demo@1.0.0", None), None);
        assert_eq!(wanted("../etc", None), None);
        assert_eq!(wanted("a", Some("not.a.handle")), None);
    }

    #[test]
    fn queries_that_mean_the_same_are_one() {
        let canonical =
            |text: &str| Query::read(&format!("/x?{text}").parse().unwrap(), &["limit", "sort"]).canonical();
        let same = canonical("limit=3&sort=name");
        assert_eq!(same, "limit=3&sort=name");
        for other in ["sort=name&limit=3", "limit=3&sort=name&_=1&utm=x", "limit=3&limit=4&sort=%6Eame"] {
            assert_eq!(canonical(other), same, "{other}");
        }
        assert_ne!(canonical("limit=3"), same);
    }

    #[test]
    fn limits_are_brought_into_range() {
        let query = |text: &str| Query(vec![("limit".to_owned(), text.to_owned())]).limit(25, 200);
        assert_eq!([query("0"), query("-4"), query("7"), query("9999"), query("x")], [1, 1, 7, 200, 25]);
    }
}
