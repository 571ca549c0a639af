//! Reads a page more strictly than any browser does, and holds it against lists of what may stand in it.
//!
//! A page that passes has no text that any reader of HTML could take for a tag: every `<` begins one of the
//! elements listed, every attribute is listed and quoted, everything is closed in order, and no element is one whose
//! content is read by other rules (`style`, `textarea`, `noscript`, MathML; `svg` only as the icons that this program
//! writes). So there is nothing for two readers to disagree about, and the lists say what happens.

use std::collections::BTreeMap;

/// Elements without content.
const VOID: &[&str] = &["meta", "link", "input", "br", "hr", "path", "circle", "rect", "use", "wbr"];

/// Every element of the pages, and its attributes beside those of [`ANYWHERE`].
const ELEMENTS: &[(&str, &[&str])] = &[
    ("html", &[]),
    ("head", &[]),
    ("meta", &["charset", "name", "content", "property"]),
    ("title", &[]),
    ("link", &["rel", "type", "href"]),
    ("script", &["src", "defer"]),
    ("body", &[]),
    ("svg", &["viewBox", "preserveAspectRatio"]),
    ("symbol", &["viewBox"]),
    ("path", &["d"]),
    ("circle", &["cx", "cy", "r", "stroke-dasharray"]),
    ("rect", &["x", "y", "width", "height", "rx"]),
    ("use", &["href"]),
    ("a", &["href", "rel", "download"]),
    ("header", &[]),
    ("nav", &[]),
    ("main", &[]),
    ("footer", &[]),
    ("aside", &[]),
    ("section", &[]),
    ("article", &[]),
    ("div", &[]),
    ("form", &["action", "method"]),
    ("fieldset", &[]),
    ("legend", &[]),
    ("label", &["for"]),
    (
        "input",
        &[
            "type",
            "name",
            "value",
            "placeholder",
            "autocomplete",
            "spellcheck",
            "autocapitalize",
            "checked",
            "required",
            "readonly",
            "minlength",
            "maxlength",
            "required",
            "data-suggest",
        ],
    ),
    ("select", &["name"]),
    ("option", &["value", "selected"]),
    ("button", &["type", "data-copy"]),
    ("h1", &[]),
    ("h2", &[]),
    ("h3", &[]),
    ("h4", &[]),
    ("h5", &[]),
    ("h6", &[]),
    ("p", &[]),
    ("ul", &[]),
    ("ol", &["start"]),
    ("li", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("dd", &[]),
    ("details", &["open"]),
    ("summary", &[]),
    ("table", &[]),
    ("thead", &[]),
    ("tbody", &[]),
    ("tr", &[]),
    ("th", &["scope"]),
    ("td", &[]),
    ("pre", &[]),
    ("code", &[]),
    ("span", &[]),
    ("strong", &[]),
    ("sup", &[]),
    ("em", &[]),
    ("del", &[]),
    ("ins", &[]),
    ("s", &[]),
    ("q", &[]),
    ("bdi", &[]),
    ("mark", &[]),
    ("time", &["datetime"]),
    ("blockquote", &[]),
    ("br", &[]),
    ("hr", &[]),
    ("wbr", &[]),
];

const ANYWHERE: &[&str] = &[
    "id",
    "class",
    "dir",
    "lang",
    "hidden",
    "role",
    "tabindex",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "data-keys",
    "aria-current",
];

/// What the text of a skill may become, inside `article class="doc"`.
const IN_TEXT: &[&str] = &[
    "p",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "ul",
    "ol",
    "li",
    "pre",
    "code",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "em",
    "strong",
    "del",
    "sup",
    "a",
    "span",
    "br",
    "hr",
    // The table of contents, which the page writes.
    "details",
    "summary",
];

/// One element as it opens.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// A page that was read.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) elements: Vec<Element>,
    /// How many elements stand inside each other where most do.
    pub(crate) deepest: usize,
    /// What a person reads, without the frame of the site.
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn get(&self, attribute: &str) -> &str {
        self.attributes.get(attribute).map_or("", String::as_str)
    }
}

impl Page {
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements.iter().filter(move |element| element.name == name)
    }
}

/// Reads a page, or says what is wrong with it and where.
pub(crate) fn read(html: &str) -> Result<Page, String> {
    let mut page = Page::default();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.strip_prefix("<!doctype html>\n").ok_or("no doctype")?;
    let mut text_of_skill = None;
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        let (text, tail) = rest.split_at(at);
        check_text(text)?;
        if open.iter().any(|name| name == "main") {
            page.text.push_str(text);
        }
        let Some(tail) = tail.strip_prefix('<') else { break };
        let end = tail.find('>').ok_or_else(|| format!("a tag without an end: {}", head(tail)))?;
        let (tag, after) = (&tail[..end], &tail[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let expected = open.pop();
            if expected.as_deref() != Some(name) {
                return Err(format!("</{name}> where {expected:?} is open, before {}", head(after)));
            }
            if text_of_skill.is_some_and(|depth| open.len() < depth) {
                text_of_skill = None;
            }
            continue;
        }
        let element = read_tag(tag)?;
        if text_of_skill.is_some()
            && !IN_TEXT.contains(&element.name.as_str())
            && element.get("class") != "doc-name"
        {
            return Err(format!("<{tag}> in the text of a skill"));
        }
        if element.name == "script" && !after.starts_with("</script>") {
            return Err("a script with content".to_owned());
        }
        let is_void = VOID.contains(&element.name.as_str());
        if is_void != tag.ends_with('/')
            && !matches!(element.name.as_str(), "meta" | "link" | "input" | "br" | "hr" | "wbr")
        {
            return Err(format!("<{tag}> is closed as it should not be"));
        }
        if !is_void {
            open.push(element.name.clone());
            page.deepest = page.deepest.max(open.len());
        }
        if element.get("class") == "doc flow" {
            text_of_skill = Some(open.len());
        }
        page.elements.push(element);
    }
    if !open.is_empty() {
        return Err(format!("still open: {open:?}"));
    }
    unique_ids(&page)?;
    Ok(page)
}

fn head(text: &str) -> String {
    text.chars().take(60).collect()
}

fn check_text(text: &str) -> Result<(), String> {
    if text.contains('>') {
        return Err(format!("a bare > in {}", head(text)));
    }
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if !known.iter().any(|entity| text[at..].starts_with(entity)) {
            return Err(format!("a bare & at {}", head(&text[at..])));
        }
    }
    // Whatever the rules of writing say: nothing in a page turns or ends a line, and no tag stands outside of a flag.
    let never = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\0'..='\u{8}' | '\u{e0000}'..='\u{e001f}');
    match skill_core::hidden::seen(text).find(|seen| seen.hides || never(seen.character)) {
        Some(hidden) => Err(format!("U+{:04X} in {}", hidden.character as u32, head(text))),
        None => Ok(()),
    }
}

fn read_tag(tag: &str) -> Result<Element, String> {
    let tag = tag.strip_suffix('/').unwrap_or(tag);
    let wrong = |why: &str| Err(format!("<{}>: {why}", head(tag)));
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let Some((_, own)) = ELEMENTS.iter().find(|(known, _)| *known == name) else {
        return wrong("no such element");
    };
    let mut attributes = BTreeMap::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let key = &rest[..end];
        let value = match rest[end..].strip_prefix("=\"") {
            Some(quoted) => {
                let Some((value, tail)) = quoted.split_once('"') else {
                    return wrong("a quote that does not end");
                };
                rest = tail;
                value
            }
            None if rest[end..].starts_with('=') => return wrong("a value without quotes"),
            None => {
                rest = &rest[end..];
                ""
            }
        };
        if !own.contains(&key) && !ANYWHERE.contains(&key) {
            return wrong(&format!("attribute {key}"));
        }
        check_text(value)?;
        if matches!(key, "href" | "src" | "action") && !leads_somewhere(name, value) {
            return wrong(&format!("{key} leads to {value}"));
        }
        if attributes.insert(key.to_owned(), value.to_owned()).is_some() {
            return wrong("the same attribute twice");
        }
    }
    let element = Element { name: name.to_owned(), attributes };
    let is_outside = name == "a" && !element.get("href").starts_with(['/', '#']);
    if is_outside && element.get("rel") != "nofollow ugc noopener" {
        return wrong("a link to elsewhere without its rel");
    }
    Ok(element)
}

/// What an element may load or lead to.
fn leads_somewhere(name: &str, address: &str) -> bool {
    let here = address.starts_with('/') && !address.starts_with("//") && !address.starts_with("/\\");
    match name {
        "script" => address.starts_with("/static/page-"),
        "link" => here || address.starts_with("http://127.0.0.1:8787/"),
        "use" => address.starts_with("#i-"),
        "form" => here,
        _ => {
            here || address.starts_with('#')
                || ["https://", "http://", "mailto:"].iter().any(|s| address.starts_with(s))
        }
    }
}

fn unique_ids(page: &Page) -> Result<(), String> {
    let mut seen = std::collections::BTreeSet::new();
    for element in &page.elements {
        let id = element.get("id");
        if !id.is_empty() && !seen.insert(id) {
            return Err(format!("id {id} twice"));
        }
    }
    Ok(())
}

#[test]
fn what_is_not_on_the_lists_is_refused() {
    let page = |body: &str| read(&format!("<!doctype html>\n<html><body>{body}</body></html>"));
    page("<p class=\"a\">x &amp; y<br>z</p><a href=\"/x\">x</a>").unwrap();
    for wrong in [
        "<script>1</script>",
        "<p onclick=\"1\">x</p>",
        "<p style=\"x\">x</p>",
        "<p class=a>x</p>",
        "<b>x</b>",
        "<p>x",
        "<p><span></p></span>",
        "a > b",
        "a & b",
        "a\u{200b}b",
        "<a href=\"javascript:x\">x</a>",
        "<a href=\"//evil.example\">x</a>",
        "<a href=\"https://evil.example\">x</a>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<!-- x -->",
        "<p title=\"x\">x</p>",
    ] {
        assert!(page(wrong).is_err(), "{wrong}");
    }
}
