use serde_json::{Value, json};
use skill_core::lint::rules;

use crate::args;
use crate::code::{Code, EXITS};
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Line, Report, Role, Table};

/// Show a page of help; `skill help codes` lists every code
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A command, or `codes`
    #[arg(value_name = "COMMAND")]
    pub topic: Vec<String>,
}

/// Prints the page.
///
/// # Errors
/// `usage` for a topic that is neither a command nor `codes`.
pub fn run(_context: &Context, args: &Args) -> Result<Report, Failure> {
    if let [topic] = args.topic.as_slice()
        && topic == "codes"
    {
        return Ok(codes());
    }
    let root = args::command();
    let page = args::topic(&root, &args.topic)?;
    Ok(Report::new(json!({ "text": page }), vec![Block::Verbatim(page)]))
}

/// The exit codes in the order in which their codes are listed: warnings last.
pub(crate) fn by_exit() -> impl Iterator<Item = &'static (u8, &'static str)> {
    EXITS.iter().filter(|(exit, _)| *exit != 0).chain(EXITS.iter().filter(|(exit, _)| *exit == 0))
}

fn codes() -> Report {
    let mut rows: Vec<Block> = Vec::new();
    for (exit, word) in by_exit() {
        let entries: Vec<_> = Code::TABLE.iter().filter(|entry| entry.exit == *exit).collect();
        if entries.is_empty() {
            continue;
        }
        let title =
            if *exit == 0 { "warnings (exit unchanged)".to_owned() } else { format!("exit {exit}: {word}") };
        if !rows.is_empty() {
            rows.push(Block::Blank);
        }
        rows.push(Line::from(title).into());
        let mut table = Table::new([Column::new("").whole(), Column::new("").wrapped()]).indent(2);
        for entry in entries {
            table.push([Cell::of(Role::Name, entry.name), Cell::from(entry.meaning)]);
        }
        rows.push(table.into());
    }
    rows.extend([Block::Blank, Line::from("findings of lint (`skill lint --explain CODE`)").into()]);
    let mut table = Table::new([Column::new("").whole(), Column::new("").wrapped()]).indent(2);
    let of_lint = rules().filter(|rule| Code::named(rule.code).is_none());
    for rule in of_lint {
        table.push([Cell::of(Role::Name, rule.code), Cell::from(rule.meaning)]);
    }
    rows.push(table.into());
    let list = Code::TABLE.iter().map(|entry| {
        json!({ "code": entry.name, "exit": entry.exit, "meaning": entry.meaning, "hint": entry.hint })
    });
    Report::new(json!({ "codes": list.collect::<Value>() }), rows)
}
