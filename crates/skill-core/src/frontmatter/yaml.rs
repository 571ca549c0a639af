//! The YAML parser, held to limits.

use std::collections::{HashMap, HashSet};

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};
use serde_json::Value;

use super::budget::Budget;
use super::node::{Kind, Node, Pair, Place};
use super::{reason, schema};

/// Why a text is no YAML map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// Line in the text, from 1.
    pub(super) line: u32,
    /// Column in characters, from 1.
    pub(super) column: u32,
    /// What is wrong there, as a fact.
    pub(super) reason: String,
    /// The limit that was passed, if one was: then nothing is tried again.
    pub(super) limit: Option<&'static str>,
}

/// Reads a text as one YAML 1.2 map; a text without any value is an empty one. Places are relative to the
/// text. What an alias stands for counts against the limits as if written out.
pub(super) fn parse_map(text: &str) -> Result<Vec<Pair>, Trouble> {
    Composer::new(text, None).map()
}

/// The same for a part of a text: an alias to an anchor that is defined elsewhere in it is kept as the text
/// `*name`.
pub(super) fn parse_part(text: &str, elsewhere: &HashSet<&str>) -> Result<Vec<Pair>, Trouble> {
    Composer::new(text, Some(elsewhere)).map()
}

/// The names that a text defines as anchors, and more: an anchor begins a word, or stands right behind the
/// colon of a key in quotes, and goes on up to the word's end.
pub(super) fn anchors(text: &str) -> HashSet<&str> {
    text.split([' ', '\t', '\r', '\n', ',', '[', ']', '{', '}'])
        .filter_map(|word| word.strip_prefix('&').or_else(|| Some(word.split_once(":&")?.1)))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Makes values of the parser's events.
struct Composer<'a> {
    text: &'a str,
    parser: Parser<'a, StrInput<'a>>,
    budget: Budget,
    anchored: HashMap<usize, Node>,
    elsewhere: Option<&'a HashSet<&'a str>>,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str, elsewhere: Option<&'a HashSet<&'a str>>) -> Self {
        let mut options: Options = granit_parser::options! {
            emit_unresolved_aliases: elsewhere.is_some(),
            emit_anchor_events: true,
            flow_nesting_limit: Budget::DEPTH,
            block_nesting_limit: Budget::DEPTH,
        };
        options.set_emit_comments(false);
        let parser = Parser::new_from_str_with_options(text, options);
        Self { text, parser, budget: Budget::new(), anchored: HashMap::new(), elsewhere }
    }

    fn map(mut self) -> Result<Vec<Pair>, Trouble> {
        let mut pairs = Vec::new();
        let mut documents = 0;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(pairs),
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if documents == 1 => {
                    return Err(trouble(span, "a second YAML document begins"));
                }
                Event::DocumentStart(..) => documents += 1,
                event => {
                    let Node { kind, .. } = self.node(event, span, 0)?;
                    pairs = match kind {
                        Kind::Map(pairs) => pairs,
                        Kind::Scalar(Value::Null) if span.is_empty() => Vec::new(),
                        _ => return Err(trouble(span, "no `key: value` found")),
                    };
                }
            }
        }
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), Trouble> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => Err(scanned(&error)),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    /// The value that an event begins.
    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Trouble> {
        self.budget.value(depth).map_err(|limit| limited(span, limit))?;
        let at = self.place(span);
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.budget.bytes(text.len()).map_err(|limit| limited(span, limit))?;
                let mut node = self.scalar(&text, style, tag.as_deref(), span);
                if anchor != 0 {
                    node.cut = self.anchor()?.filter(|_| style == ScalarStyle::Plain).or(node.cut);
                }
                (anchor, node)
            }
            Event::SequenceStart(_, anchor, _) => {
                (anchor, Node::new(Kind::List(self.list(anchor, depth)?), at))
            }
            Event::MappingStart(_, anchor, _) => {
                (anchor, Node::new(Kind::Map(self.pairs(anchor, depth)?), at))
            }
            Event::Alias(id) => {
                let Some(target) = self.anchored.get(&id) else {
                    return Err(trouble(span, "an alias stands inside of its own anchor"));
                };
                self.budget.alias(target).map_err(|limit| limited(span, limit))?;
                return Ok(target.clone());
            }
            Event::UnresolvedAlias(name) => {
                if self.elsewhere.is_none_or(|names| !names.contains(&*name)) {
                    return Err(trouble(span, reason::UNKNOWN_ANCHOR));
                }
                return Ok(Node::new(Kind::Scalar(format!("*{name}").into()), at));
            }
            _ => return Err(trouble(span, "a value is missing")),
        };
        if anchor != 0 {
            self.budget.anchor(&node).map_err(|limit| limited(span, limit))?;
            self.anchored.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// Reads past the anchor of a value just begun; its place if nothing refers to it.
    fn anchor(&mut self) -> Result<Option<Place>, Trouble> {
        let (event, span) = self.next()?;
        let Event::Anchor(_, name) = event else { return Ok(None) };
        let used = self.elsewhere.is_some() || self.text.contains(&format!("*{name}"));
        Ok((!used).then(|| self.place(span)))
    }

    fn list(&mut self, anchor: usize, depth: usize) -> Result<Vec<Node>, Trouble> {
        if anchor != 0 {
            self.anchor()?;
        }
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn pairs(&mut self, anchor: usize, depth: usize) -> Result<Vec<Pair>, Trouble> {
        if anchor != 0 {
            self.anchor()?;
        }
        let mut pairs = Vec::new();
        let mut merges = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                break;
            }
            let merges_here = matches!(&event, Event::Scalar(key, ScalarStyle::Plain, ..) if key == "<<");
            let key = self.node(event, span, depth + 1)?;
            let (event, value_span) = self.next()?;
            let mut value = self.node(event, value_span, depth + 1)?;
            if value_span.is_empty() && matches!(value.kind, Kind::Scalar(Value::Null)) {
                value.cut = self.comment(span, ":");
            }
            if merges_here && is_merged(&value) {
                merges.push((pairs.len(), value));
            } else {
                pairs.push(Pair { at: key.at, key: key_text(&key), value });
            }
        }
        Ok(if merges.is_empty() { pairs } else { merge(pairs, merges) })
    }

    fn scalar(&self, text: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Node {
        let value = match tag.map(|tag| (tag.is_yaml_core_schema(), tag.suffix())) {
            None if style == ScalarStyle::Plain => schema::plain(text),
            Some((true, "null" | "bool" | "int" | "float")) => schema::plain(text),
            _ => text.into(),
        };
        // The parser gives `~` where nothing is written.
        let written = (!value.is_string()).then(|| if span.is_empty() { "".into() } else { text.into() });
        let tagged = tag.filter(|tag| !tag.is_yaml_core_schema()).and_then(|_| span.tag_span());
        let plain = style == ScalarStyle::Plain && value.is_string();
        let cut = plain.then(|| self.comment(span, "")).flatten();
        let cut = tagged.filter(|_| style == ScalarStyle::Plain).map(|span| self.place(span)).or(cut);
        Node { kind: Kind::Scalar(value), at: self.place(span), written, cut }
    }

    /// The comment that follows on the line on which a token ends, after `mark` and blanks.
    fn comment(&self, after: Span, mark: &str) -> Option<Place> {
        let rest = self.text.get(after.end.byte_offset()?..)?;
        let behind = rest.trim_start_matches([' ', '\t']).strip_prefix(mark)?;
        let comment = behind.trim_start_matches([' ', '\t']);
        let between = &rest[..rest.len() - comment.len()];
        if !comment.starts_with('#') || !between.ends_with([' ', '\t']) {
            return None;
        }
        let comment = &comment[..comment.find(['\n', '\r']).unwrap_or(comment.len())];
        Some(Place {
            line: narrow(after.end.line()),
            column: narrow(after.end.col() + between.chars().count() + 1),
            length: narrow(comment.trim_end().chars().count()),
        })
    }

    fn place(&self, span: Span) -> Place {
        let first = span.slice(self.text).and_then(|text| text.split(['\n', '\r']).next()).unwrap_or("");
        Place {
            line: narrow(span.start.line()).max(1),
            column: narrow(span.start.col() + 1),
            length: narrow(first.chars().count()),
        }
    }
}

fn key_text(key: &Node) -> String {
    key.text().map_or_else(
        || key.written.as_deref().map_or_else(|| key.to_value().to_string(), str::to_owned),
        Into::into,
    )
}

/// Whether a value can be merged: a map, or a list of maps.
fn is_merged(value: &Node) -> bool {
    match &value.kind {
        Kind::Map(_) => true,
        Kind::List(items) => items.iter().all(|item| matches!(item.kind, Kind::Map(_))),
        Kind::Scalar(_) => false,
    }
}

/// `<<: *base`: the keys of other maps that this one does not have, in the merge's place; of several maps the
/// first counts.
fn merge(pairs: Vec<Pair>, merges: Vec<(usize, Node)>) -> Vec<Pair> {
    let mut taken: HashSet<String> = pairs.iter().map(|pair| pair.key.clone()).collect();
    let mut merges = merges.into_iter().peekable();
    let mut all = Vec::with_capacity(pairs.len());
    let mut pairs = pairs.into_iter();
    for index in 0..=pairs.len() {
        while let Some((_, value)) = merges.next_if(|(at, _)| *at == index) {
            let maps = match value.kind {
                Kind::Map(pairs) => vec![pairs],
                Kind::List(items) => items.into_iter().map(Node::into_pairs).collect(),
                Kind::Scalar(_) => Vec::new(),
            };
            for map in maps {
                // Of keys that stand twice in one map the last counts.
                let new: Vec<Pair> =
                    map.into_iter().rev().filter(|pair| taken.insert(pair.key.clone())).collect();
                all.extend(new.into_iter().rev());
            }
        }
        all.extend(pairs.next());
    }
    all
}

fn scanned(error: &ScanError) -> Trouble {
    let (reason, limit) = reason::of(error.kind());
    let at = error.marker();
    Trouble { line: narrow(at.line()).max(1), column: narrow(at.col() + 1), reason, limit }
}

fn trouble(span: Span, reason: &str) -> Trouble {
    let (line, column) = (narrow(span.start.line()).max(1), narrow(span.start.col() + 1));
    Trouble { line, column, reason: reason.to_owned(), limit: None }
}

fn limited(span: Span, limit: &'static str) -> Trouble {
    Trouble { limit: Some(limit), ..trouble(span, limit) }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
