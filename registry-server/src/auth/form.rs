use http::HeaderMap;
use http::header::{ORIGIN, REFERER};
use url::Url;

/// Whether a form was sent from a page of this registry, as the browser says it (Fetch Metadata, 2.3). An old browser
/// says where the page is from instead; one that says neither is not believed.
pub(crate) fn is_own(headers: &HeaderMap, base_url: &str) -> bool {
    let said = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(site) = said("sec-fetch-site") {
        return site == "same-origin";
    }
    let Ok(base) = Url::parse(base_url) else { return false };
    let from = said(ORIGIN.as_str()).or_else(|| said(REFERER.as_str()));
    from.and_then(|from| Url::parse(from).ok()).is_some_and(|from| from.origin() == base.origin())
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn says(pairs: &[(&'static str, &str)]) -> bool {
        let headers = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::try_from(*value).unwrap()));
        is_own(&headers.collect(), "https://skills.example")
    }

    #[test]
    fn forms_of_this_registry_and_of_others() {
        for good in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "same-origin"), ("origin", "http://10.0.0.1")],
            &[("origin", "https://skills.example")],
            &[("referer", "https://skills.example/settings/sessions")],
        ] {
            assert!(says(good), "{good:?}");
        }
        for bad in [
            &[][..],
            &[("sec-fetch-site", "cross-site"), ("origin", "https://skills.example")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[("origin", "null")],
            &[("origin", "null"), ("referer", "https://skills.example/")],
            &[("origin", "http://skills.example")],
            &[("origin", "https://skills.example.evil.example")],
            &[("origin", "https://skills.example:8443")],
            &[("referer", "https://evil.example/?https://skills.example")],
        ] {
            assert!(!says(bad), "{bad:?}");
        }
    }
}
