//! The files of `web/static`, in the program. Each is asked for under the digest of its content, so that it can be
//! kept for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use serde::Serialize;
use skill_core::digest::Sha256;

use crate::problem::ApiError;

/// One file as it was built in.
struct Asset {
    /// Its name without the digest: `style.css`.
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $kind:literal) => {
        Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../../web/static/", $name)) }
    };
}

const STYLE: Asset = asset!("style.css", "text/css; charset=utf-8");
const SCRIPT: Asset = asset!("page.js", "text/javascript; charset=utf-8");
const ICON: Asset = asset!("icon.svg", "image/svg+xml");
/// Drawn by `web/card/draw.py`.
const CARD: Asset = asset!("card.png", "image/png");

/// Where the pages find them.
#[derive(Debug, Serialize)]
pub(super) struct Addresses {
    pub(super) style: String,
    pub(super) script: String,
    pub(super) icon: String,
    /// The picture of a shared link.
    card: String,
}

static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses {
    style: STYLE.address(),
    script: SCRIPT.address(),
    icon: ICON.address(),
    card: CARD.address(),
});

/// The addresses of this build.
pub(super) fn addresses() -> &'static Addresses {
    &ADDRESSES
}

impl Asset {
    /// `/static/style-0123456789abcdef.css`.
    fn address(&self) -> String {
        let (stem, extension) = self.name.split_once('.').unwrap_or((self.name, ""));
        format!("/static/{stem}-{}.{extension}", &Sha256::of(self.bytes).to_hex()[..16])
    }
}

/// Gives one of them. A digest of another build is not found: its content is not here.
pub(super) async fn asset(file: Result<Path<String>, PathRejection>) -> Result<Response, ApiError> {
    let Path(file) = file.map_err(|_| ApiError::RouteNotFound)?;
    let address = format!("/static/{file}");
    let found = [STYLE, SCRIPT, ICON, CARD].into_iter().find(|asset| asset.address() == address);
    let asset = found.ok_or(ApiError::RouteNotFound)?;
    let mut response = asset.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::try_from(format!("\"{file}\"")).map_err(ApiError::internal)?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    Ok(response)
}
