use super::paint::{Ink, Surface};
use super::table;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Block, Detail, Hint, Label, Line, Message, Role};
use crate::text::{excerpt, width, wrap};

/// Blanks before the lists of a message.
const LIST: usize = 5;
/// Blanks before a line under a note, an error or a hint.
const UNDER: usize = 6;

/// The bytes of some blocks.
pub(super) fn blocks(blocks: &[Block], surface: Surface) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Blank => text.push('\n'),
            Block::Line(line) => push_line(&mut text, line, surface),
            Block::Table(table) => table::push(&mut text, table, surface),
            Block::Excerpt(marked) => {
                let room = surface.prose().unwrap_or(usize::MAX);
                for line in excerpt::cropped(marked, room, surface.ellipsis()) {
                    push_line(&mut text, &line, surface);
                }
            }
            Block::Verbatim(page) => text.push_str(page),
        }
    }
    text
}

/// Appends a line, wrapped where the surface is a terminal.
pub(super) fn push_line(text: &mut String, line: &Line, surface: Surface) {
    let ink = Ink::of(&line.spans, surface);
    let room = |indent: usize| surface.prose().map_or(usize::MAX, |columns| columns.saturating_sub(indent));
    let ranges = wrap::ranges(&ink.text, room(line.indent), room(line.hang));
    for (index, range) in ranges.into_iter().enumerate() {
        if !range.is_empty() {
            text.push_str(&width::blanks(if index == 0 { line.indent } else { line.hang }));
            text.push_str(&ink.painted(range, surface));
        }
        text.push('\n');
    }
}

/// A message as blocks.
pub(super) fn message(message: &Message, with_hints: bool) -> Vec<Block> {
    let label = message.label;
    let mut blocks = vec![head(label, message.code.map(Code::as_str), &message.text)];
    blocks.extend(details(&message.details, label));
    if with_hints {
        blocks.extend(hints(&message.hints));
    }
    blocks
}

/// A failure as blocks.
pub(super) fn failure(failure: &Failure, with_hints: bool) -> Vec<Block> {
    let mut blocks = vec![head(Label::Error, Some(failure.code.as_str()), &failure.message)];
    blocks.extend(details(&failure.details, Label::Error));
    if with_hints {
        blocks.extend(hints(&failure.hints));
    }
    blocks
}

/// Hints as blocks.
pub(super) fn hints(hints: &[Hint]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for hint in hints {
        let line = Line::new().role(Role::Note, "hint:").plain(" ").plain(&hint.text);
        blocks.push(line.indent(0, UNDER).into());
        blocks.extend(hint.lines.iter().map(|line| Line::from(line).indent(UNDER, UNDER).into()));
    }
    blocks
}

fn head(label: Label, code: Option<&str>, text: &str) -> Block {
    let role = match label {
        Label::Error => Role::Error,
        Label::Warning => Role::Warning,
        Label::Note => Role::Note,
    };
    let word = label.as_str();
    let label = code.map_or_else(|| format!("{word}:"), |code| format!("{word}[{code}]:"));
    Line::new().role(role, label).plain(" ").plain(text).indent(0, word.len() + 2).into()
}

fn details(details: &[Detail], label: Label) -> Vec<Block> {
    let under = if label == Label::Warning { "warning: ".len() } else { UNDER };
    let block = |detail: &Detail| match detail {
        Detail::Because(fact) | Detail::BecauseInText(fact) => {
            let line = Line::new().plain("").role(Role::Note, "because:").plain(" ").plain(fact);
            line.indent(2, 2 + "because: ".len()).into()
        }
        Detail::Line(text) => Line::from(text).indent(under, under).into(),
        Detail::List(table) => table.clone().indent(LIST).into(),
        Detail::Block(block) => block.clone(),
    };
    details.iter().map(block).collect()
}
