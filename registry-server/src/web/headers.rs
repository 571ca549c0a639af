use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, X_FRAME_OPTIONS};
use http::{HeaderName, HeaderValue};

use super::assets;
use crate::app::App;

const HEADERS: [(HeaderName, &str); 4] = [
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Where the browser that asks finds this registry: what it calls it, which a proxy in front may not pass on, and
/// what the registry calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origins(Vec<String>);

impl Origins {
    /// Those of one request.
    pub(super) fn of(app: &App, request: &Request) -> Self {
        let headed = request.headers().get(HOST).and_then(|host| host.to_str().ok());
        let asked = request.uri().authority().map(http::uri::Authority::as_str).or(headed);
        Self::named(app.base_url(), asked)
    }

    fn named(base: String, asked: Option<&str>) -> Self {
        let mut origins = vec![base];
        origins.extend(asked.map(str::to_owned));
        Self(origins)
    }

    /// The policy: a page loads the one stylesheet, the one script and the one icon that it brings, and its script
    /// asks the search. Each is named by its path, because files of skills have addresses of the same origin. No
    /// inline script or style, no frame in either direction, forms only to here.
    fn policy(&self) -> String {
        let files = assets::addresses();
        format!(
            "default-src 'none'; style-src {}; img-src {}; script-src {}; connect-src {}; form-action 'self'; \
             base-uri 'none'; frame-ancestors 'none'",
            self.at(&files.style),
            self.at(&files.icon),
            self.at(&files.script),
            self.at("/api/v1/search"),
        )
    }

    /// A path as a policy names it. The grammar of a policy has no addresses of IPv6 (CSP 3, 2.3.1): where a page is
    /// reached under one, the origin as a whole has to do.
    fn at(&self, path: &str) -> String {
        if !self.0.iter().all(|origin| can_be_named(origin)) {
            return "'self'".to_owned();
        }
        self.0.iter().map(|origin| format!("{origin}{path}")).collect::<Vec<_>>().join(" ")
    }
}

fn can_be_named(origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or(origin.strip_prefix("http://")).unwrap_or(origin);
    !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte))
}

/// The layer around every page, error pages and static files among them.
pub(super) async fn harden(State(app): State<App>, request: Request, next: Next) -> Response {
    let origins = Origins::of(&app, &request);
    hardened(&origins, next.run(request).await)
}

/// An answer with the headers of a page.
pub(super) fn hardened(origins: &Origins, mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        // What other pages may show says so itself.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    let policy = HeaderValue::from_str(&origins.policy());
    headers.insert(CONTENT_SECURITY_POLICY, policy.unwrap_or(HeaderValue::from_static("default-src 'none'")));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn icon(base: &str, asked: Option<&str>) -> String {
        let policy = Origins::named(base.to_owned(), asked).policy();
        let directive = policy.split("; ").find_map(|one| one.strip_prefix("img-src ")).unwrap();
        directive.replace(&assets::addresses().icon, "/icon")
    }

    #[test]
    fn files_are_named_where_the_browser_finds_them() {
        let base = "https://skills.example";
        assert_eq!(icon(base, None), "https://skills.example/icon");
        assert_eq!(icon(base, Some("10.0.0.1:8787")), "https://skills.example/icon 10.0.0.1:8787/icon");
    }

    #[test]
    fn what_a_policy_cannot_name_is_not_written_into_it() {
        for host in ["[::1]:8787", "a; script-src *", "a b", "a/b", "a,b", "é.example", ""] {
            assert_eq!(icon("https://skills.example", Some(host)), "'self'", "{host}");
        }
        assert_eq!(icon("http://[::1]:8787", None), "'self'");
    }
}
