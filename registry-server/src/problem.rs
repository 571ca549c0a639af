//! What goes wrong, as the caller sees it.
//!
//! [`ApiError`] is the one list of reasons. Handlers return it; a layer around all routes renders it as the
//! route's face wants it (`render.rs`): `application/problem+json` with a stable code, or, on ClawHub's
//! `/api/v1`, the contract's plain text. What happened inside is logged under the request's id and
//! never sent.

mod api_error;
mod from;
mod headers;
mod render;

pub use api_error::ApiError;
pub(crate) use render::taken;
pub use render::{Face, render};
