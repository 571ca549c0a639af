//! Where a browser goes on after its user signed in.

use http::Uri;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Longer addresses are not gone back to.
const LONGEST: usize = 1000;

/// An address of this registry, and of nobody else, whoever wrote it into a form or a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Back(Option<String>);

impl Back {
    /// Reads one. What could be understood as an address elsewhere is none: browsers read `//host` and `/\host` as
    /// one, and leave out blanks and control characters before they look.
    pub(super) fn read(text: &str) -> Self {
        let mut letters = text.chars();
        let is_here = letters.next() == Some('/') && !matches!(letters.next(), Some('/' | '\\'));
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let is_way_in = text.starts_with("/sign-in") || text.starts_with("/sign-out");
        Self((is_here && is_plain && !is_way_in && text.len() <= LONGEST).then(|| text.to_owned()))
    }

    /// The page that was asked for.
    pub(super) fn to(uri: &Uri) -> Self {
        Self::read(uri.path_and_query().map_or("", |address| address.as_str()))
    }

    /// The address; empty if there is none.
    pub(super) fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// The address, or the front page.
    pub(super) fn or_front(&self) -> &str {
        self.0.as_deref().unwrap_or("/")
    }

    /// The page on which whoever is signed in shows again who they are.
    pub(super) fn again(&self) -> String {
        self.through("/sign-in/again")
    }

    /// The page on which somebody signs in.
    pub(super) fn sign_in(&self) -> String {
        self.through("/sign-in")
    }

    /// A page that goes on there.
    fn through(&self, page: &str) -> String {
        match &self.0 {
            Some(address) => format!("{page}?back={}", utf8_percent_encode(address, NON_ALPHANUMERIC)),
            None => page.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    #[test]
    fn what_is_elsewhere_or_no_address() {
        for bad in [
            "",
            "skills",
            "//evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "/\t/evil.example",
            "/ /evil.example",
            "\t//evil.example",
            "https://evil.example/",
            "https:evil.example",
            "javascript:alert(1)",
            "/a\\b",
            "/a\r\nset-cookie: x",
            "/é",
            "/sign-in",
            "/sign-in/again",
            "/sign-out",
            &format!("/{}", "a".repeat(LONGEST)),
        ] {
            assert_eq!(Back::read(bad), Back::default(), "{bad:?}");
        }
        for good in ["/", "/cli/device", "/search?q=a%20b&x=//y", "/a//b", "/@evil.example"] {
            assert_eq!(Back::read(good).or_front(), good);
        }
        assert_eq!(Back::read("/search?q=a&b").through("/sign-in"), "/sign-in?back=%2Fsearch%3Fq%3Da%26b");
        assert_eq!(Back::read("//x").through("/sign-in"), "/sign-in");
    }

    proptest! {
        /// As browsers read it (WHATWG URL), it is where the page is.
        #[test]
        fn leads_nowhere_else(text in "[/\\\\\t\n :@.a-zA-Z0-9?#%]{0,12}|/.*") {
            let base = Url::parse("https://skills.example/sign-in").unwrap();
            let led = base.join(Back::read(&text).or_front()).unwrap();
            prop_assert_eq!(led.origin(), base.origin());
        }
    }
}
