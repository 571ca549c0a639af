//! The YAML parser, held to limits.

use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Error, Options};

use super::node::{Kind, Node, Pair};

/// Why a text is no YAML map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    /// Line in the text, from 1.
    pub(super) line: u32,
    /// Column in characters, from 1.
    pub(super) column: u32,
    /// What the parser says.
    pub(super) reason: String,
    /// The limit that was passed, if one was: then nothing is tried again.
    pub(super) limit: Option<&'static str>,
}

/// Reads a text as one YAML 1.2 map. Places are relative to the text.
///
/// The limits stop alias bombs and deep nesting; replayed aliases count as if written out.
pub(super) fn parse_map(text: &str) -> Result<Vec<Pair>, Trouble> {
    match serde_saphyr::from_str_with_options::<Node>(text, options()) {
        Ok(Node { kind: Kind::Map(pairs), .. }) => Ok(pairs),
        Ok(Node { at, .. }) => Err(Trouble {
            line: at.line.max(1),
            column: at.column.max(1),
            reason: "no `key: value` found".to_owned(),
            limit: None,
        }),
        Err(error) => Err(trouble(error.without_snippet())),
    }
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 10_000,
            max_nodes: 4_000,
            max_depth: 32,
            max_aliases: 200,
            max_anchors: 200,
            max_recorded_anchor_events: 20_000,
            max_recorded_anchor_bytes: 1 << 20,
            max_documents: 2,
            max_total_scalar_bytes: 1 << 20,
            max_merge_keys: 100,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 3_000,
            max_replay_stack_depth: 16,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        strict_booleans: true,
        null_as_string: true,
        with_snippet: false,
    }
}

fn trouble(error: &Error) -> Trouble {
    let at = error.location();
    let limit = match at_the_root(error) {
        Error::Budget { breach, .. } => Some(name_of(breach)),
        Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. } => Some("aliases"),
        _ => None,
    };
    let said = error.to_string();
    // The parser's own guard against brackets without end has no variant to match.
    let limit = limit.or_else(|| said.starts_with("recursion limit").then_some("depth of nesting"));
    let reason = limit.unwrap_or_else(|| said.rfind(" at line ").map_or(&*said, |end| &said[..end]));
    Trouble {
        line: at.map_or(1, |at| at.line() as u32).max(1),
        column: at.map_or(1, |at| at.column() as u32).max(1),
        reason: reason.to_owned(),
        limit,
    }
}

/// The error itself, where it happened while an alias was replayed.
fn at_the_root(error: &Error) -> &Error {
    match error {
        Error::AliasError { error, .. } => at_the_root(error),
        other => other,
    }
}

fn name_of(breach: &BudgetBreach) -> &'static str {
    match breach {
        BudgetBreach::Aliases { .. } | BudgetBreach::AliasAnchorRatio { .. } => "aliases",
        BudgetBreach::Anchors { .. } => "anchors",
        BudgetBreach::Depth { .. } => "depth of nesting",
        BudgetBreach::ScalarBytes { .. } => "bytes of text",
        BudgetBreach::MergeKeys { .. } => "merge keys",
        _ => "number of values",
    }
}
