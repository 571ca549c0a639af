use std::fmt;

use skill_core::token::TokenText;

use super::Origin;

/// A token, the one origin that may see it, and where it was found.
#[derive(Clone)]
pub struct Token {
    text: TokenText,
    origin: Origin,
    found_in: String,
}

impl Token {
    /// `found_in` is a noun for messages: `SKILL_TOKEN`, `the credentials file`.
    pub const fn new(text: TokenText, origin: Origin, found_in: String) -> Self {
        Self { text, origin, found_in }
    }

    /// Where the token came from, for messages.
    pub fn found_in(&self) -> &str {
        &self.found_in
    }

    /// The origin that it belongs to.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text, if `origin` may see it: its own, and never over a line that can be read on the way.
    pub(super) fn for_origin(&self, origin: &Origin) -> Option<&str> {
        let safe_line = !origin.is_plain() || origin.is_loopback();
        (self.origin == *origin && safe_line).then(|| self.text.reveal())
    }
}

/// The secret is never shown.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token of {} from {}", self.origin, self.found_in)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Endpoint;
    use super::*;

    fn text() -> TokenText {
        TokenText::of_secret([7; 32])
    }

    fn origin(url: &str) -> Origin {
        Endpoint::parse(url).unwrap().origin().clone()
    }

    #[test]
    fn goes_to_its_origin_and_to_no_other() {
        let token = Token::new(text(), origin("https://h.example"), "SKILL_TOKEN".to_owned());
        assert_eq!(token.for_origin(&origin("https://h.example/below")), Some(text().reveal()));
        for other in
            ["https://h.example:8443", "http://h.example", "https://g.h.example", "https://h.example.org"]
        {
            assert_eq!(token.for_origin(&origin(other)), None, "{other}");
        }
        assert!(!format!("{token:?}").contains(text().reveal()));
    }

    #[test]
    fn never_over_plain_http_except_to_this_machine() {
        for (url, goes) in [("http://127.0.0.1:4873", true), ("http://h.example", false)] {
            let token = Token::new(text(), origin(url), String::new());
            assert_eq!(token.for_origin(&origin(url)).is_some(), goes, "{url}");
        }
    }
}
