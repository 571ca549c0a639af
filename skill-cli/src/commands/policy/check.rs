use serde_json::json;

use super::{program, rows, status, written};
use crate::config::{self, Config};
use crate::context::Context;
use crate::failure::Failure;
use crate::policy::Gate;
use crate::report::{Block, Cell, Report};
use crate::text::number;

/// Looks at files, rules and programs; nothing is started.
pub(super) fn run(context: &Context) -> Result<Report, Failure> {
    let config = Config::load(context, config::project(context)?.as_ref())?;
    let gate = Gate::load(context, &config)?;
    let mut table = rows();
    let mut failures = Vec::new();
    let mut programs = Vec::new();
    for (at, checked) in gate.inspect() {
        let (word, what) = match &checked {
            Ok(_) => ("ok", "can be started".to_owned()),
            Err(why) => ("FAIL", why.to_string()),
        };
        table.push([status(word), Cell::from("program"), Cell::from(what), Cell::from(written(at))]);
        let why = checked.as_ref().err().map(ToString::to_string);
        programs.push(program(at, json!({ "ok": checked.is_ok(), "asked": true, "detail": why })));
        failures.extend(checked.err().map(|why| at.failed_closed(&why)));
    }
    for at in gate.silent() {
        let why = if at.program.enabled { "targets leaves skills out" } else { "not enabled" };
        table.push([status("skip"), Cell::from("program"), Cell::from(why), Cell::from(written(at))]);
        programs.push(program(at, json!({ "ok": true, "asked": false, "detail": why })));
    }
    let mut layers = Vec::new();
    for (layer, file, rules) in gate.layers() {
        let count = rules.keys().len();
        let what = format!("{}: {}", number::counted(count, "rule", "rules"), rules.keys().join(", "));
        table.push([status("ok"), Cell::from("rules"), Cell::from(what), Cell::from(file)]);
        layers.push(json!({ "layer": layer.as_str(), "file": file, "rules": rules.keys() }));
    }
    let document = json!({ "ok": failures.is_empty(), "programs": programs, "rules": layers });
    let blocks = if table.rows.is_empty() {
        vec![Block::Line("no install policy: no file names a program or a rule".into())]
    } else {
        vec![Block::Table(table)]
    };
    Ok(Report { failure: Failure::gravest(failures), ..Report::new(document, blocks) })
}
