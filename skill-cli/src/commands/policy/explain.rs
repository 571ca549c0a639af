use serde_json::{Value, json};
use skill_core::policy::{Decision, Outcome};
use skill_core::verdict::Finding;

use super::{probe, program, rows, status, written};
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::install::{self, Desk, Explained, Options, Request, Wish};
use crate::report::{Block, Cell, Line, Report, Role};
use crate::workdir::{self, Workdir};

/// What would be installed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What would be installed
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Branch, tag or commit of a git source
    #[arg(long = "ref", value_name = "REF")]
    pub git_ref: Option<String>,
    /// Folder inside the source
    #[arg(long, value_name = "PATH")]
    pub path: Option<String>,
}

/// Says everything that decides about a skill: the scan, each rule of each layer, each program. Nothing is
/// installed, and the answer of a question is no failure.
pub(super) async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let mut wish = Wish::parse(context, &args.reference)?;
    if args.git_ref.is_some() || args.path.is_some() {
        wish.place(args.git_ref.as_deref(), args.path.as_deref())?;
    }
    let real = workdir::locate(context)?;
    let folder = scratch(context)?;
    // What lies beside the user's own work directory lies in that folder, too.
    let workdir = Workdir::at(folder.path().join("work"), real.is_global());
    fs_err::create_dir(workdir.root())
        .map_err(|error| Failure::disk(&error, &context.shown(workdir.root())))?;
    let options = Options { instead_of: Some(real), ..Options::default() };
    let desk = Desk::open(context, &workdir, options)?;
    let explained = install::explain(&desk, Request::These(vec![wish])).await?;
    let blocks = explained.iter().flat_map(blocks).collect();
    Ok(Report::new(json!({ "skills": explained.iter().map(document).collect::<Vec<_>>() }), blocks))
}

/// A folder beside the user's cache that goes with the value.
pub(super) fn scratch(context: &Context) -> Result<tempfile::TempDir, Failure> {
    let cache = &context.dirs.cache;
    fs_err::create_dir_all(cache)
        .and_then(|()| tempfile::Builder::new().prefix("policy-").tempdir_in(cache))
        .map_err(|error| Failure::disk(&error, &context.shown(cache)))
}

/// What would come of an install: the first that refuses, or who has to be asked.
fn decision(explained: &Explained) -> (&'static str, String) {
    if let Err(failure) = &explained.verdict {
        return ("refuse", format!("{}: {}", failure.code, failure.message));
    }
    let rule = explained.rulings.iter().find(|held| matches!(held.ruling.outcome, Outcome::Refuse(_)));
    if let Some(held) = rule {
        return ("refuse", format!("{} in {}", held.ruling.line, held.file));
    }
    let blocks = explained.answers.iter().find(|(_, answer)| match answer {
        Ok(answer) => answer.decision == Decision::Block,
        Err(_) => true,
    });
    if let Some((at, answer)) = blocks {
        let code = if answer.is_ok() { Code::PolicyBlocked } else { Code::PolicyFailedClosed };
        return ("refuse", format!("{}: {}", code.as_str(), written(at)));
    }
    let warns = explained
        .answers
        .iter()
        .find(|(_, answer)| answer.as_ref().is_ok_and(|answer| answer.decision == Decision::Warn));
    match warns {
        Some((at, _)) => ("warn", format!("{} asks for an acknowledgement", written(at))),
        None => ("allow", "nothing keeps it out".to_owned()),
    }
}

fn blocks(explained: &Explained) -> Vec<Block> {
    let mut table = rows();
    let (word, what) = match &explained.verdict {
        Ok(()) => ("ok", explained.subject.facts.verdict.to_string()),
        Err(failure) => ("FAIL", failure.message.clone()),
    };
    let row = table.push([status(word), Cell::from("verdict"), Cell::from(what), Cell::from("-")]);
    row.under.extend(explained.findings.iter().map(found));
    let hints = explained.verdict.as_ref().err().map(|failure| failure.hints.iter());
    row.under.extend(hints.into_iter().flatten().map(|hint| format!("hint: {}", hint.text)));
    for held in &explained.rulings {
        let (word, what) = match &held.ruling.outcome {
            Outcome::Pass(why) => ("ok", why),
            Outcome::Refuse(why) => ("FAIL", why),
            Outcome::Apart(why) => ("skip", why),
        };
        let written = format!("{} in {}", held.ruling.line, held.file);
        let code = held.ruling.rule.code();
        table.push([status(word), Cell::from(code), Cell::from(what.as_str()), Cell::from(written)]);
    }
    for (at, answer) in &explained.answers {
        let (word, what) = match (probe::said(answer), answer) {
            ((_, what), Ok(answer)) if answer.decision == Decision::Block => ("FAIL", what),
            (said, _) => said,
        };
        let row =
            table.push([status(word), Cell::from("program"), Cell::from(what), Cell::from(written(at))]);
        let findings = answer.as_ref().map(|answer| answer.findings.as_slice()).unwrap_or_default();
        row.under.extend(findings.iter().map(ToString::to_string));
    }
    let (word, why) = decision(explained);
    vec![
        Block::Line(Line::new().role(Role::Name, explained.subject.title.clone())),
        Block::Table(table),
        Block::Line(format!("{word}: {why}").into()),
    ]
}

/// `warn setup.sh:2 shell-pipe-to-shell: what it is`
fn found(finding: &Finding) -> String {
    let Finding { severity, file, line, rule_id, message, .. } = finding;
    let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
    format!("{} {place} {rule_id}: {message}", severity.as_str())
}

fn document(explained: &Explained) -> Value {
    let rules = explained.rulings.iter().map(|held| {
        let (status, detail) = match &held.ruling.outcome {
            Outcome::Pass(why) => ("ok", why),
            Outcome::Refuse(why) => ("fail", why),
            Outcome::Apart(why) => ("skip", why),
        };
        json!({
            "rule": held.ruling.rule.code(),
            "line": held.ruling.line,
            "layer": held.layer.as_str(),
            "file": held.file,
            "status": status,
            "detail": detail,
        })
    });
    let programs = explained.answers.iter().map(|(at, answer)| program(at, probe::document(answer)));
    let (decision, by) = decision(explained);
    json!({
        "name": explained.subject.local,
        "title": explained.subject.title,
        "decision": decision,
        "decidedBy": by,
        "verdict": explained.subject.facts.verdict,
        "findings": explained.findings,
        "refused": explained.verdict.as_ref().err().map(|failure| failure.code.as_str()),
        "capabilities": explained.subject.facts.capabilities,
        "rules": rules.collect::<Vec<_>>(),
        "programs": programs.collect::<Vec<_>>(),
    })
}
