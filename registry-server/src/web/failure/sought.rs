//! What an address that leads nowhere asked for, and the address that it should have been.

use http::Uri;
use percent_encoding::percent_decode_str;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

use crate::web::address::{Address, Pages};

/// The words tried are shown up to here.
const SHOWN_CHARACTERS: usize = 120;

/// What was looked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sought {
    /// As it is shown.
    pub tried: String,
    /// The slug that names like it are looked up for; empty where no skill is missing.
    pub slug: String,
    /// Where what there is can be found, and what that is called.
    pub instead: Option<(Address, &'static str)>,
}

impl Sought {
    /// Reads it from the address and from the code of what went wrong there.
    pub(super) fn of(code: &str, uri: &Uri) -> Self {
        let segments: Vec<&str> = uri.path().split('/').filter(|segment| !segment.is_empty()).collect();
        match (code, segments.as_slice()) {
            ("version-not-found", [owner, "skills", slug, rest @ ..]) => Self {
                tried: version(rest, uri),
                slug: String::new(),
                instead: pages(owner, slug).map(|pages| (pages.versions(), "The versions that there are")),
            },
            ("file-not-found", [owner, "skills", slug, ..]) => Self {
                tried: values(uri, &["path"]),
                slug: String::new(),
                instead: pages(owner, slug).map(|pages| (pages.files(), "The files that there are")),
            },
            (_, [owner, "skills", slug, ..]) => {
                let slug = readable(slug);
                Self { tried: format!("{}/{slug}", readable(owner)), slug, instead: None }
            }
            (_, [.., last]) => Self { tried: readable(last), slug: readable(last), instead: None },
            (_, []) => Self::default(),
        }
    }
}

/// The pages of the skill that two segments name in whatever letters. Each is read as what it has to be, so that nobody
/// is led out of the registry.
fn pages(owner: &str, slug: &str) -> Option<Pages> {
    let owner: Owner = owner.to_ascii_lowercase().parse().ok()?;
    Some(Pages::of(&owner, &slug.to_ascii_lowercase().parse::<Slug>().ok()?))
}

/// The version that the path names, else those that the query does.
fn version(rest: &[&str], uri: &Uri) -> String {
    match rest {
        ["versions", version] => readable(version),
        _ => values(uri, &["version", "from", "to"]),
    }
}

fn values(uri: &Uri, keys: &[&str]) -> String {
    let pairs = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let values: Vec<String> =
        pairs.filter(|(key, _)| keys.contains(&key.as_ref())).map(|(_, value)| value.into_owned()).collect();
    cut(&values.join(", "))
}

fn readable(segment: &str) -> String {
    cut(&percent_decode_str(segment).decode_utf8_lossy())
}

fn cut(text: &str) -> String {
    text.chars().take(SHOWN_CHARACTERS).collect()
}

/// The one address of a page that was asked for in capital letters or with a slash behind it, with its query as it came.
pub(super) fn canonical(uri: &Uri) -> Option<String> {
    let path = uri.path().trim_end_matches('/');
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let better = match segments.as_slice() {
        ["skills"] => Address::skills(),
        ["search"] => Address::search(),
        [name] => Address::publisher(&name.to_ascii_lowercase().parse().ok()?),
        [name, "skills", skill] => pages(name, skill)?.skill(),
        [name, "skills", skill, "versions"] => pages(name, skill)?.versions(),
        [name, "skills", skill, "files"] => pages(name, skill)?.files(),
        [name, "skills", skill, "diff"] => pages(name, skill)?.diff(),
        [name, "skills", skill, "security"] => pages(name, skill)?.security(),
        [name, "skills", skill, "versions", version] => {
            let version: Version = version.parse().ok()?;
            pages(name, skill)?.version(&version.to_string())
        }
        _ => return None,
    };
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    (better.as_str() != uri.path()).then(|| format!("{better}{query}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str, address: &str) -> Sought {
        Sought::of(code, &address.parse().unwrap())
    }

    #[test]
    fn what_is_missing_is_what_is_named() {
        let missing = of("version-not-found", "/ada/skills/tides/diff?from=9.9.9&view=side");
        assert_eq!((missing.tried.as_str(), missing.slug.as_str()), ("9.9.9", ""));
        assert_eq!(missing.instead.unwrap().0.as_str(), "/ada/skills/tides/versions");
        assert_eq!(of("version-not-found", "/ada/skills/tides/versions/2.0.0").tried, "2.0.0");
        assert_eq!(of("file-not-found", "/ada/skills/tides/files?path=a%2Fb").tried, "a/b");
        let missing = of("skill-not-found", "/ada/skills/tdies/diff");
        assert_eq!((missing.tried.as_str(), missing.slug.as_str()), ("ada/tdies", "tdies"));
        assert_eq!(of("route-not-found", "/no/such%20page").tried, "such page");
        assert_eq!(of("route-not-found", "/"), Sought::default());
    }

    #[test]
    fn every_page_has_one_address() {
        let of = |address: &str| canonical(&address.parse().unwrap());
        assert_eq!(of("/ACME/skills/Anch").as_deref(), Some("/acme/skills/anch"));
        assert_eq!(of("/acme/skills/anch/").as_deref(), Some("/acme/skills/anch"));
        assert_eq!(
            of("/acme/skills/anch/diff/?from=1.0.0").as_deref(),
            Some("/acme/skills/anch/diff?from=1.0.0")
        );
        assert_eq!(
            of("/acme/skills/A/versions/1.0.0-RC/").as_deref(),
            Some("/acme/skills/a/versions/1.0.0-RC")
        );
        assert_eq!([of("/Acme/"), of("/skills/")], [Some("/acme".to_owned()), Some("/skills".to_owned())]);
    }

    #[test]
    fn nobody_is_led_elsewhere() {
        for address in [
            "/acme/skills/anch",
            "/",
            "//evil.example/",
            "/evil.example/",
            "/a/b/c/",
            "//acme/skills/a/",
            "/%5cevil/",
        ] {
            assert_eq!(canonical(&address.parse().unwrap()), None, "{address}");
        }
    }
}
