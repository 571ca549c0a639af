use std::fmt::Write as _;

use pulldown_cmark::{Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::Shown;
use super::bare;
use super::element::{Element, Side};
use super::footnotes::Footnotes;
use super::links::{Outside, Siblings, Target};
use super::outline::Outline;
use crate::web::text::{Html, escape, escaped};

/// Elements that stand inside each other; deeper ones leave their content and nothing else.
const DEEPEST: usize = 32;
/// What is written for one text.
const LONGEST: usize = 1 << 20;
/// Elements in it. A browser spends more on them than on bytes; a long manual has a third of these.
const ELEMENTS: usize = 10_000;
/// Characters of the language of a block of code.
const LANGUAGE: usize = 40;

/// Writes events as HTML. What it opens it closes, in order, and what is not its own it escapes.
pub(super) struct Writer<'a> {
    beside: &'a Siblings<'a>,
    outline: &'a Outline,
    out: String,
    /// One entry for each event that opened something: what it opened, the outermost first.
    open: Vec<Vec<Element>>,
    depth: usize,
    elements: usize,
    /// What is said behind each open link.
    behind: Vec<Behind>,
    /// The text of the outermost open link.
    link_text: String,
    headings: usize,
    footnotes: Footnotes,
    columns: Vec<Side>,
    column: usize,
    in_head: bool,
    in_code: bool,
    raw_html: bool,
    cut: bool,
}

/// What is said behind a link.
enum Behind {
    Nothing,
    /// The address that leads nowhere.
    Address(String),
    /// Where it leads, unless its own text says so.
    Host(Outside),
}

impl<'a> Writer<'a> {
    pub(super) fn new(beside: &'a Siblings<'a>, outline: &'a Outline) -> Self {
        Self {
            beside,
            outline,
            out: String::new(),
            open: Vec::new(),
            depth: 0,
            elements: 0,
            behind: Vec::new(),
            link_text: String::new(),
            headings: 0,
            footnotes: Footnotes::default(),
            columns: Vec::new(),
            column: 0,
            in_head: false,
            in_code: false,
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
            Event::Text(text) if self.in_code || !self.behind.is_empty() => self.text(&text),
            Event::Text(text) => self.text_with_addresses(&text),
            Event::Code(text) => {
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
            Event::FootnoteReference(label) => self.footnote_reference(&label),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
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
        Shown {
            html: Html::written(self.out),
            contents: self.outline.contents(self.headings),
            raw_html: self.raw_html,
            cut: self.cut,
        }
    }

    fn text(&mut self, text: &str) {
        if !self.behind.is_empty() {
            self.link_text.push_str(text);
        }
        // Writing to a string cannot end in an error.
        let _ = escape(&mut self.out, text);
    }

    fn text_with_addresses(&mut self, text: &str) {
        let mut from = 0;
        for (range, address) in bare::addresses(text) {
            let Some(outside) = Outside::read(&address) else { continue };
            self.text(&text[from..range.start]);
            from = range.end;
            self.link(Target::Outside(outside), address);
            self.text(&text[range]);
            self.end_link();
        }
        self.text(&text[from..]);
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
            Tag::Heading { level, .. } => self.push(&[Element::Heading(below(level))]),
            Tag::BlockQuote(None) => self.push(&[Element::Quote]),
            Tag::BlockQuote(Some(kind)) => {
                self.push(&[Element::Alert]);
                // Writing to a string cannot end in an error.
                let _ = writeln!(self.out, "<p><strong>{}</strong></p>", word(kind));
            }
            Tag::CodeBlock(kind) => self.code_block(&kind),
            Tag::HtmlBlock => self.push(&[Element::RawPre]),
            Tag::List(None) => self.push(&[Element::Bullets]),
            Tag::List(Some(first)) => self.push(&[Element::Numbers(first)]),
            Tag::Item => self.push(&[Element::Item]),
            Tag::Table(columns) => {
                self.columns = columns.into_iter().map(side).collect();
                self.push(&[Element::Region, Element::Table]);
            }
            Tag::TableHead => {
                self.in_head = true;
                self.column = 0;
                self.push(&[Element::Head, Element::Row]);
            }
            Tag::TableRow => {
                self.column = 0;
                self.push(&[Element::Row]);
            }
            Tag::TableCell => {
                let side = self.columns.get(self.column).copied().unwrap_or_default();
                self.column += 1;
                self.push(&[if self.in_head { Element::HeadCell(side) } else { Element::Cell(side) }]);
            }
            Tag::Emphasis => self.push(&[Element::Emphasis]),
            Tag::Strong => self.push(&[Element::Strong]),
            Tag::Strikethrough => self.push(&[Element::Deleted]),
            Tag::Link { link_type, dest_url, .. } => {
                let is_mailbox = link_type == LinkType::Email;
                let address = if is_mailbox { format!("mailto:{dest_url}") } else { dest_url.into_string() };
                self.link(self.beside.target(&address, self.outline), address);
            }
            Tag::Image { dest_url, .. } => {
                self.link(self.beside.target(&dest_url, self.outline), dest_url.into_string());
                self.text("Image: ");
            }
            Tag::FootnoteDefinition(label) => {
                let (number, is_first) = self.footnotes.write(&label);
                self.push(&[Element::Footnote(number, is_first)]);
            }
            Tag::DefinitionList
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
            TagEnd::CodeBlock => self.in_code = false,
            TagEnd::Link | TagEnd::Image => return self.end_link(),
            TagEnd::TableHead => {
                self.in_head = false;
                self.pop();
                // The rows stand in the body, which is open until the table ends.
                if let Some(table) = self.open.last_mut() {
                    table.push(Element::Body);
                    Element::Body.open(&mut self.out);
                    self.depth += 1;
                }
                return;
            }
            _ => {}
        }
        self.pop();
    }

    fn push(&mut self, elements: &[Element]) {
        let elements = if self.has_room_for(elements) { elements } else { &[] };
        for element in elements {
            element.open(&mut self.out);
        }
        self.depth += elements.len();
        self.open.push(elements.to_vec());
    }

    fn has_room_for(&self, elements: &[Element]) -> bool {
        self.depth < DEEPEST || !elements.iter().all(|element| element.nests())
    }

    fn pop(&mut self) -> bool {
        let Some(elements) = self.open.pop() else { return false };
        for element in elements.iter().rev() {
            self.out.push_str(element.end());
        }
        self.depth -= elements.len();
        true
    }

    /// A block of code, below the language that it is said to be in.
    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split([' ', '\t', ',', '{']).next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        if !language.is_empty() {
            let language: String = language.chars().take(LANGUAGE).collect();
            self.out.push_str("<p class=\"language\">");
            self.text(&language);
            self.out.push_str("</p>\n");
        }
        self.in_code = true;
        self.push(&[Element::Pre, Element::Code]);
    }

    /// Opens a link, or what stands for an image. No link stands inside another: there the text alone is left.
    fn link(&mut self, target: Target, address: String) {
        if !self.behind.is_empty() {
            self.behind.push(Behind::Nothing);
            self.open.push(Vec::new());
            return;
        }
        self.link_text.clear();
        let (rel, href, behind) = match target {
            Target::Outside(outside) => {
                (" rel=\"nofollow ugc noopener\"", outside.href.clone(), Behind::Host(outside))
            }
            Target::Inside(href) => ("", href, Behind::Nothing),
            Target::Nowhere => {
                self.behind.push(Behind::Address(address));
                return self.push(&[Element::Span]);
            }
        };
        self.behind.push(behind);
        if !self.has_room_for(&[Element::Link]) {
            return self.open.push(Vec::new());
        }
        // Writing to a string cannot end in an error.
        let _ = write!(self.out, "<a{rel} href=\"{}\">", escaped(&href));
        self.open.push(vec![Element::Link]);
        self.depth += 1;
    }

    /// Closes a link, and says where it leads: who reads on paper, on a phone or by ear has nothing to point at it with.
    fn end_link(&mut self) {
        self.pop();
        match self.behind.pop() {
            Some(Behind::Address(address)) => {
                self.out.push(' ');
                self.raw(&address);
            }
            Some(Behind::Host(outside)) if !outside.is_named_by(&self.link_text) => {
                self.out.push_str(" <span class=\"host\">(");
                self.text(&outside.host);
                self.out.push_str(")</span>");
            }
            _ => {}
        }
    }

    fn footnote_reference(&mut self, label: &str) {
        let number = self.footnotes.refer(label);
        // Writing to a string cannot end in an error.
        let _ = if self.behind.is_empty() {
            write!(self.out, "<sup><a href=\"#fn-{number}\">{number}</a></sup>")
        } else {
            write!(self.out, "<sup>{number}</sup>")
        };
    }

    /// An anchor at the end of a heading.
    fn name_heading(&mut self) {
        let name = self.outline.name(self.headings);
        self.headings += 1;
        // Writing to a string cannot end in an error.
        let _ = write!(self.out, "<span id=\"{}\"></span>", escaped(name));
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

const fn side(alignment: Alignment) -> Side {
    match alignment {
        Alignment::None | Alignment::Left => Side::Start,
        Alignment::Center => Side::Middle,
        Alignment::Right => Side::End,
    }
}

const fn word(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "Note",
        BlockQuoteKind::Tip => "Tip",
        BlockQuoteKind::Important => "Important",
        BlockQuoteKind::Warning => "Warning",
        BlockQuoteKind::Caution => "Caution",
    }
}
