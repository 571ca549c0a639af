//! What nobody may claim: words that are routes, roles or brands, now or soon.
//!
//! Checked when a publisher is made and at a slug's first publish, never at install. A site
//! administrator may grant a reserved name. The words are ClawHub's and our
//! own routes' (docs/FORMAT.md, "Names").

/// Handles that no publisher may have: first segments of our routes and ClawHub's reserved handles.
/// A test of the server compares the first part with its route table.
pub const RESERVED_OWNERS: &[&str] = &[
    // first segments of routes, now or announced
    "api",
    "index",
    "trust",
    "log",
    "skills",
    "search",
    "healthz",
    "readyz",
    "metrics",
    "static",
    "well-known",
    "sign-in",
    "sign-out",
    "dashboard",
    "moderation",
    "settings",
    "cli",
    "device",
    "oidc",
    "invitations",
    "feed",
    "badge",
    "audits",
    "stars",
    "import",
    "add",
    "publish",
    "management",
    "users",
    "user",
    "u",
    "p",
    "orgs",
    "robots",
    "sitemap",
    "favicon",
    "v1",
    // ClawHub's reserved handles
    "admin",
    "clawhub",
    "docs",
    "official",
    "plugins",
    "publishers",
    // who acts where no user does: restrictions and the audit log name them
    "registry",
    "operator",
    "moderator",
    "system",
];

/// Whether a publisher may not be called `handle`.
pub fn owner_is_reserved(handle: &str) -> bool {
    RESERVED_OWNERS.contains(&handle)
}

const WORDS: &[&str] = &[
    // routes
    "about",
    "admin",
    "cli",
    "dashboard",
    "import",
    "management",
    "orgs",
    "packages",
    "plugins",
    "official",
    "publisher",
    "publishers",
    "publish",
    "publish-skill",
    "publish-plugin",
    "search",
    "settings",
    "skills",
    "souls",
    "stars",
    "u",
    "upload",
    "users",
    // routes to come
    "api",
    "auth",
    "oauth",
    "login",
    "logout",
    "docs",
    "help",
    "status",
    "blog",
    "terms",
    "privacy",
    "home",
    "explore",
    "index",
    "trust",
    "log",
    "signup",
    "sign-in",
    "sign-up",
    "versions",
    "files",
    "diff",
    "security",
    // brands
    "openclaw",
    "clawhub",
    "clawd",
    "clawdbot",
    "onlycrabs",
    "soulhub",
    // roles
    "me",
    "self",
    "system",
    "root",
    "owner",
    "staff",
    "team",
    "mod",
    "moderator",
    // verbs and visibility
    "new",
    "edit",
    "delete",
    "create",
    "update",
    "remove",
    "public",
    "private",
    "internal",
    // literals
    "null",
    "undefined",
    "true",
    "false",
    "none",
    "latest",
    // device names, which are no folders on Windows
    "con",
    "prn",
    "aux",
    "nul",
];

const AFFIXES: &[&str] = &[
    "openclaw",
    "clawhub",
    "clawd",
    "clawdbot",
    "onlycrabs",
    "soulhub",
    "official",
    "verified",
    "staff",
    "admin",
    "moderator",
];

/// Whether a first publish may not claim `slug`: a reserved word, one with a protected affix
/// (`verified-…`, `…-official`), or `com` or `lpt` with a digit, which Windows keeps for itself.
pub fn slug_is_reserved(slug: &str) -> bool {
    WORDS.contains(&slug)
        || matches!(slug.as_bytes(), [b'c', b'o', b'm', b'1'..=b'9'] | [b'l', b'p', b't', b'1'..=b'9'])
        || AFFIXES.iter().any(|affix| {
            slug.strip_prefix(affix).is_some_and(|rest| rest.starts_with('-'))
                || slug.strip_suffix(affix).is_some_and(|rest| rest.ends_with('-'))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_affixes() {
        for kept in ["admin", "verified-github", "github-official", "new", "latest", "nul", "com1", "lpt9"] {
            assert!(slug_is_reserved(kept), "{kept}");
        }
        for free in ["github", "administrator", "unofficial", "openclawed", "verifier", "com", "com10"] {
            assert!(!slug_is_reserved(free), "{free}");
        }
    }
}
