use std::collections::HashMap;
use std::fmt::Write as _;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::Shown;
use super::element::Element;
use super::links::{Place, Target, anchor};
use crate::web::text::{Html, escape, escaped};

/// Elements that stand inside each other; deeper ones leave their content and nothing else.
const DEEPEST: usize = 32;
/// What is written for one text.
const LONGEST: usize = 1 << 20;
/// Elements in it. A browser spends more on them than on bytes; a long manual has a third of these.
const ELEMENTS: usize = 10_000;

/// Writes events as HTML. What it opens it closes, in order, and what is not its own it escapes.
pub(super) struct Writer<'a> {
    place: &'a Place<'a>,
    out: String,
    /// One entry for each event that opened something: what it opened, the outermost first.
    open: Vec<Vec<Element>>,
    depth: usize,
    elements: usize,
    /// The address to be shown behind a link that leads nowhere.
    left_out: Vec<Option<String>>,
    links: usize,
    in_head: bool,
    heading: Option<String>,
    anchors: HashMap<String, u32>,
    raw_html: bool,
    cut: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(place: &'a Place<'a>) -> Self {
        Self {
            place,
            out: String::new(),
            open: Vec::new(),
            depth: 0,
            elements: 0,
            left_out: Vec::new(),
            links: 0,
            in_head: false,
            heading: None,
            anchors: HashMap::new(),
            raw_html: false,
            cut: false,
        }
    }

    /// Writes one event; `false` once nothing more is written.
    pub(super) fn write(&mut self, event: Event<'_>) -> bool {
        let from = self.out.len();
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => {
                if let Some(heading) = &mut self.heading {
                    heading.push_str(&text);
                }
                self.text(&text);
            }
            Event::Code(text) => {
                if let Some(heading) = &mut self.heading {
                    heading.push_str(&text);
                }
                self.out.push_str("<code>");
                self.text(&text);
                self.out.push_str("</code>");
            }
            Event::Html(html) => {
                self.raw_html = true;
                self.text(&html);
            }
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(done) => self.out.push_str(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
        }
        // Every `<` is a tag, for those of the text are escaped.
        let written = &self.out[from..];
        self.elements += written.matches('<').count() - written.matches("</").count();
        self.cut = self.out.len() > LONGEST || self.elements > ELEMENTS;
        !self.cut
    }

    /// Closes what is open.
    pub(super) fn finish(mut self) -> Shown {
        while self.pop() {}
        Shown { html: Html::written(self.out), raw_html: self.raw_html, cut: self.cut }
    }

    fn text(&mut self, text: &str) {
        // Writing to a string cannot end in an error.
        let _ = escape(&mut self.out, text);
    }

    fn inline_html(&mut self, html: &str) {
        if matches!(html.to_ascii_lowercase().as_str(), "<br>" | "<br/>" | "<br />") {
            self.out.push_str("<br>");
            return;
        }
        self.raw_html = true;
        self.raw(html);
    }

    fn raw(&mut self, text: &str) {
        self.out.push_str("<code class=\"raw\">");
        self.text(text);
        self.out.push_str("</code>");
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.push(&[Element::Paragraph]),
            Tag::Heading { level, .. } => {
                self.heading = Some(String::new());
                self.push(&[Element::Heading(below(level))]);
            }
            Tag::BlockQuote(_) => self.push(&[Element::Quote]),
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.push(&[Element::Pre, Element::Code]);
            }
            Tag::HtmlBlock => self.push(&[Element::RawPre]),
            Tag::List(None) => self.push(&[Element::Bullets]),
            Tag::List(Some(_)) => self.push(&[Element::Numbers]),
            Tag::Item => self.push(&[Element::Item]),
            Tag::Table(_) => self.push(&[Element::Region, Element::Table]),
            Tag::TableHead => {
                self.in_head = true;
                self.push(&[Element::Head, Element::Row]);
            }
            Tag::TableRow => self.push(&[Element::Row]),
            Tag::TableCell => {
                self.push(&[if self.in_head { Element::HeadCell } else { Element::Cell }]);
            }
            Tag::Emphasis => self.push(&[Element::Emphasis]),
            Tag::Strong => self.push(&[Element::Strong]),
            Tag::Strikethrough => self.push(&[Element::Deleted]),
            Tag::Link { dest_url, .. } => self.link(&dest_url, ""),
            Tag::Image { dest_url, .. } => self.link(&dest_url, "Image: "),
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.open.push(Vec::new()),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => self.name_heading(),
            TagEnd::Link | TagEnd::Image => {
                self.pop();
                self.links -= 1;
                if let Some(Some(address)) = self.left_out.pop() {
                    self.out.push(' ');
                    self.raw(&address);
                }
                return;
            }
            TagEnd::TableHead => {
                self.in_head = false;
                self.pop();
                // The rows stand in the body, which is open until the table ends.
                if let Some(table) = self.open.last_mut() {
                    table.push(Element::Body);
                    self.out.push_str(Element::Body.start());
                    self.depth += 1;
                }
                return;
            }
            _ => {}
        }
        self.pop();
    }

    fn push(&mut self, elements: &[Element]) {
        let too_deep = self.depth >= DEEPEST && elements.iter().all(|element| element.nests());
        let elements = if too_deep { &[] } else { elements };
        for element in elements {
            self.out.push_str(element.start());
        }
        self.depth += elements.len();
        self.open.push(elements.to_vec());
    }

    fn pop(&mut self) -> bool {
        let Some(elements) = self.open.pop() else { return false };
        for element in elements.iter().rev() {
            self.out.push_str(element.end());
        }
        self.depth -= elements.len();
        true
    }

    /// A link, or what stands for an image. No link stands inside another.
    fn link(&mut self, address: &str, what: &str) {
        let target = if self.links > 0 { None } else { Some(self.place.target(address)) };
        self.links += 1;
        self.left_out.push((target == Some(Target::Nowhere)).then(|| address.to_owned()));
        let href = match target {
            Some(Target::Outside(href)) => Some((" rel=\"nofollow ugc noopener\"", href)),
            Some(Target::Inside(href)) => Some(("", href)),
            Some(Target::Nowhere) | None => None,
        };
        if let Some((rel, href)) = href {
            // Writing to a string cannot end in an error.
            let _ = write!(self.out, "<a{rel} href=\"{}\">", escaped(&href));
            self.open.push(vec![Element::Link]);
        } else {
            self.out.push_str(Element::Span.start());
            self.open.push(vec![Element::Span]);
        }
        self.depth += 1;
        self.out.push_str(what);
    }

    /// An anchor at the end of a heading, when its text is known.
    fn name_heading(&mut self) {
        let Some(heading) = self.heading.take() else { return };
        let name = anchor(&heading);
        let times = self.anchors.entry(name.clone()).or_default();
        let name = if *times == 0 { name } else { format!("{name}-{times}") };
        *times += 1;
        // Writing to a string cannot end in an error.
        let _ = write!(self.out, "<span id=\"{}\"></span>", escaped(&name));
    }
}

/// The page has levels 1 and 2 for itself.
const fn below(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 3,
        HeadingLevel::H2 => 4,
        HeadingLevel::H3 => 5,
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => 6,
    }
}
