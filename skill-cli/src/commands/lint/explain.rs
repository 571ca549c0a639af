//! What a code means.

use serde_json::json;
use skill_core::lint::rules;

use crate::args::nearest;
use crate::failure::Failure;
use crate::report::{Block, Line, Report, Role};

use super::show;

/// The page of a code.
///
/// # Errors
/// `usage` for a code that no finding has.
pub(super) fn report(code: &str) -> Result<Report, Failure> {
    let Some(rule) = rules().find(|rule| rule.code == code) else {
        let near = nearest(code, rules().map(|rule| rule.code));
        let failure = Failure::usage(format!("no finding of lint has the code `{code}`"));
        return Err(near
            .iter()
            .take(2)
            .fold(failure, |failure, near| failure.hint(format!("run `skill lint --explain {near}`"))));
    };
    let (weight, word) = show::label(rule.level);
    let head =
        Line::new().role(weight, format!("{word}[{}]:", rule.code)).plain(format!(" {}", rule.meaning));
    let mut rows: Vec<Block> = vec![head.indent(0, 2).into(), Block::Blank];
    for (title, text) in [("why", rule.why), ("fix", rule.fix), ("source", rule.source)] {
        rows.push(Line::new().role(Role::Dim, format!("{title:<8}")).plain(text).indent(0, 8).into());
    }
    let document = json!({
        "code": rule.code,
        "severity": rule.level,
        "meaning": rule.meaning,
        "why": rule.why,
        "fix": rule.fix,
        "source": rule.source,
    });
    Ok(Report::new(document, rows))
}
