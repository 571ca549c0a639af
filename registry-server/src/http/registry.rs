//! The registry's own routes; one file per route. Errors are `application/problem+json`.

pub(super) mod appeals;
pub(super) mod audit;
pub(super) mod deprecation;
pub(super) mod downloads;
pub(super) mod index;
pub(super) mod invitations;
pub(super) mod lifecycle;
pub(super) mod limits;
pub(super) mod members;
pub(super) mod moderation;
pub(super) mod plan;
pub(super) mod publish;
pub(super) mod publishers;
pub(super) mod reports;
pub(super) mod root;
pub(super) mod sign_in_links;
pub(super) mod star;
pub(super) mod status;
pub(super) mod tags;
pub(super) mod tokens;
pub(super) mod webhooks;
pub(super) mod well_known;
pub(super) mod whoami;
pub(super) mod yank;
