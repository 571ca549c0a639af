//! The Atom syndication format (RFC 4287), as far as these feeds need it. All text is text: readers show no markup of it.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::web::text::escaped;

/// A feed.
#[derive(Debug)]
pub(super) struct Feed {
    /// An IRI that no other feed has.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) updated: Timestamp,
    /// Where it is, and the page that it is about: whole URLs.
    pub(super) here: String,
    pub(super) page: String,
    /// Who speaks.
    pub(super) author: String,
    pub(super) entries: Vec<Entry>,
}

/// Something that happened.
#[derive(Debug)]
pub(super) struct Entry {
    /// An IRI that no other entry has.
    pub(super) id: String,
    pub(super) title: String,
    pub(super) at: Timestamp,
    pub(super) author: String,
    /// The page that tells more, as a whole URL.
    pub(super) page: String,
    pub(super) summary: String,
}

impl Feed {
    pub(super) fn xml(&self) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n",
        );
        element(&mut xml, "id", &self.id);
        element(&mut xml, "title", &self.title);
        element(&mut xml, "updated", &self.updated.to_string());
        link(&mut xml, "self", "application/atom+xml", &self.here);
        link(&mut xml, "alternate", "text/html", &self.page);
        author(&mut xml, &self.author);
        for entry in &self.entries {
            entry.write(&mut xml);
        }
        xml.push_str("</feed>\n");
        xml
    }
}

impl Entry {
    fn write(&self, xml: &mut String) {
        xml.push_str("<entry>\n");
        element(xml, "id", &self.id);
        element(xml, "title", &self.title);
        // What is signed does not change.
        element(xml, "published", &self.at.to_string());
        element(xml, "updated", &self.at.to_string());
        author(xml, &self.author);
        link(xml, "alternate", "text/html", &self.page);
        element(xml, "summary", &self.summary);
        xml.push_str("</entry>\n");
    }
}

// Writing to a string cannot end in an error.

fn element(xml: &mut String, name: &str, text: &str) {
    let _ = writeln!(xml, "<{name}>{}</{name}>", text_of(text));
}

fn author(xml: &mut String, name: &str) {
    let _ = writeln!(xml, "<author><name>{}</name></author>", text_of(name));
}

fn link(xml: &mut String, rel: &str, kind: &str, href: &str) {
    let _ = writeln!(xml, "<link rel=\"{rel}\" type=\"{kind}\" href=\"{}\"/>", text_of(href));
}

/// Escaped, with what hides drawn; and without the two characters that pages may have and XML not (XML 1.0, 2.2).
fn text_of(text: &str) -> String {
    escaped(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
