//! The keys of a query that each route reads. A handler sees no others, so that an answer is kept under these alone
//! and nobody gets it made anew by a key that nobody reads.

use axum::extract::MatchedPath;
use http::Extensions;

use crate::web;

/// Of the routes of the API; those of the pages stand in the table of [`web`].
const API: &[(&str, &[&str])] = &[
    ("/api/registry/v1/audit", &["action", "actor", "after", "limit", "since", "subject", "until"]),
    ("/api/registry/v1/moderation/cases/{owner}/{slug}", &["cursor", "limit"]),
    ("/api/registry/v1/moderation/proposals", &["cursor", "limit"]),
    ("/api/registry/v1/moderation/queue", &["cursor", "kind", "limit"]),
    ("/api/registry/v1/invitations", &["cursor", "limit"]),
    ("/api/registry/v1/publishers/{owner}/invitations", &["cursor", "limit"]),
    ("/api/registry/v1/publishers/{owner}/members", &["cursor", "limit"]),
    ("/api/registry/v1/skills/{owner}/{slug}/downloads", &["days"]),
    ("/api/registry/v1/tokens", &["cursor", "limit"]),
    ("/api/v1/download", &["owner", "ownerHandle", "slug", "tag", "version"]),
    ("/api/v1/resolve", &["hash", "owner", "ownerHandle", "slug"]),
    ("/api/v1/search", &["limit", "mode", "nonSuspicious", "nonSuspiciousOnly", "q"]),
    ("/api/v1/skills", &["cursor", "limit", "nonSuspicious", "nonSuspiciousOnly", "prefix", "sort"]),
    ("/api/v1/skills/-/reports", &["cursor", "limit", "status"]),
    ("/api/v1/skills/{slug}", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/file", &["owner", "ownerHandle", "path", "preview", "tag", "version"]),
    ("/api/v1/skills/{slug}/moderation", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/report", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/tags/{tag}", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/undelete", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/versions", &["cursor", "limit", "owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/versions/{version}", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/versions/{version}/envelope", &["owner", "ownerHandle"]),
    ("/api/v1/skills/{slug}/versions/{version}/restore", &["owner", "ownerHandle"]),
    ("/api/v1/stars/{slug}", &["owner", "ownerHandle"]),
];

/// The keys of the route that a request goes to; none before it was found, and none of a route without a query.
pub(super) fn of(request: &Extensions) -> &'static [&'static str] {
    let route = request.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let found = API.iter().copied().chain(web::keys()).find(|(path, _)| *path == route);
    found.map_or(&[], |(_, keys)| keys)
}
