use fs_err as fs;
use serde_json::{Value, json};
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::policy::{
    Answer, Authority, Decision, Facts, Kind, Mode, Origin, SkillFacts, Source, SourceKind,
};
use skill_core::verdict::Verdict;

use super::{program, rows, status, written};
use crate::config::{self, Config};
use crate::context::Context;
use crate::failure::Failure;
use crate::policy::{Gate, Subject, Unanswered};
use crate::report::{Block, Cell, Report};

/// The name that a program can know a probe by (OpenClaw contract 1.2).
const NAME: &str = "doctor-install-policy-probe";
const SKILL_MD: &str = "---\nname: doctor-install-policy-probe\ndescription: A probe of the install policy; nothing is installed.\n---\n";

/// Asks every program about a skill that does not exist. Any valid answer is a good one.
pub(super) async fn run(context: &Context) -> Result<Report, Failure> {
    let config = Config::load(context, config::project(context)?.as_ref())?;
    let gate = Gate::load(context, &config)?;
    let folder = super::explain::scratch(context)?;
    let staged = folder.path().join(NAME);
    let write = fs::create_dir(&staged).and_then(|()| fs::write(staged.join("SKILL.md"), SKILL_MD));
    write.map_err(|error| Failure::disk(&error, &context.shown(&staged)))?;
    let subject = subject();
    let mut table = rows();
    let (mut documents, mut failures) = (Vec::new(), Vec::new());
    for at in gate.programs() {
        let answer = gate.ask(at, &subject, &staged, Mode::Install).await;
        let (word, what) = said(&answer);
        table.push([status(word), Cell::from("program"), Cell::from(what), Cell::from(written(at))]);
        documents.push(program(at, document(&answer)));
        failures.extend(answer.err().map(|why| at.failed_closed(&why)));
    }
    let blocks = if table.rows.is_empty() {
        vec![Block::Line("no program is asked about skills".into())]
    } else {
        vec![Block::Table(table)]
    };
    let document = json!({ "ok": failures.is_empty(), "programs": documents });
    Ok(Report { failure: Failure::gravest(failures), ..Report::new(document, blocks) })
}

fn subject() -> Subject {
    let verdict = Verdict::Clean;
    Subject {
        title: NAME.to_owned(),
        local: NAME.to_owned(),
        reference: vec![".".to_owned()],
        registry: None,
        facts: Facts {
            source: SourceKind::Path,
            network: false,
            owner: None,
            publisher: None,
            signed: false,
            logged: false,
            verdict,
            published_at: None,
            licence: None,
            capabilities: std::collections::BTreeSet::new(),
        },
        source: Source { kind: Kind::LocalPath, authority: Authority::User, mutable: true, network: false },
        origin: Origin::Doctor,
        specifier: "doctor:install-policy-probe".to_owned(),
        skill: SkillFacts {
            install_id: "path",
            tree_digest: TreeDigest::new(Sha256::of(SKILL_MD)),
            archive_sha256: None,
            verdict,
            publisher: None,
            signed: false,
            log_index: None,
        },
    }
}

/// The status word and the sentence for an answer.
pub(super) fn said(answer: &Result<Answer, Unanswered>) -> (&'static str, String) {
    match answer {
        Ok(answer) => match answer.decision {
            Decision::Allow => ("ok", "answers allow".to_owned()),
            Decision::Warn => ("warn", format!("answers warn: \"{}\"", answer.reason)),
            Decision::Block => ("ok", format!("answers block: \"{}\"", answer.reason)),
        },
        Err(why) => ("FAIL", why.to_string()),
    }
}

/// An answer as the documents hold it.
pub(super) fn document(answer: &Result<Answer, Unanswered>) -> Value {
    match answer {
        Ok(answer) => json!({
            "ok": true,
            "decision": answer.decision.as_str(),
            "reason": answer.reason,
            "findings": answer.findings,
        }),
        Err(why) => json!({ "ok": false, "decision": null, "detail": why.to_string() }),
    }
}
