use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::{ParseError, Url};

/// Characters of a path that stay as they are in an address.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// Where a text stands: what its links are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    /// Address of the files of the release, with a query to add `&path=` to.
    pub files_page: &'a str,
    /// The paths in the bundle.
    pub files: &'a [String],
}

/// Where a link of the text leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// To the web or to a mailbox.
    Outside(String),
    /// To a page of this registry.
    Inside(String),
    /// Nowhere: another scheme, an address of the registry itself, a file that is not there.
    Nowhere,
}

/// An address of a path for a query.
pub(crate) fn in_query(path: &str) -> String {
    utf8_percent_encode(path, PLAIN).to_string()
}

impl Place<'_> {
    pub(super) fn target(&self, address: &str) -> Target {
        if let Some(fragment) = address.strip_prefix('#') {
            let fragment = percent_decode_str(fragment).decode_utf8_lossy();
            return Target::Inside(format!("#{}", anchor(&fragment)));
        }
        match Url::parse(address) {
            // Read as browsers read it: what hides a scheme from the eye does not hide it from them.
            Ok(url) if matches!(url.scheme(), "http" | "https" | "mailto") => Target::Outside(url.into()),
            Err(ParseError::RelativeUrlWithoutBase) => self.file(address),
            _ => Target::Nowhere,
        }
    }

    fn file(&self, address: &str) -> Target {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let path = percent_decode_str(path).decode_utf8_lossy();
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Target::Nowhere;
                    }
                }
                _ => parts.push(part),
            }
        }
        let path = parts.join("/");
        if self.files.contains(&path) {
            return Target::Inside(format!("{}&path={}", self.files_page, in_query(&path)));
        }
        Target::Nowhere
    }
}

/// The anchor of a heading, spelled as GitHub spells it, with a beginning that none of the page's own has.
pub(super) fn anchor(heading: &str) -> String {
    let mut anchor = String::from("md-");
    for character in heading.trim().chars().take(100) {
        if character.is_alphanumeric() || matches!(character, '-' | '_') {
            anchor.extend(character.to_lowercase());
        } else if character.is_whitespace() {
            anchor.push('-');
        }
    }
    anchor
}
