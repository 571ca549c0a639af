//! What lint says of a release, beside its text.

use serde::Serialize;

use super::head::Head;
use crate::store::readings::Lint;
use crate::web::badge::Badge;
use crate::web::files::Location;
use crate::web::words::counted;

/// Findings that the page shows.
const SHOWN: usize = 50;

/// The block.
#[derive(Debug, Serialize)]
pub(super) struct Linted {
    /// How much was found, in a sentence.
    counts: String,
    rows: Vec<Row>,
    /// How many more there are.
    more: u64,
}

#[derive(Debug, Serialize)]
struct Row {
    badge: Badge,
    message: String,
    code: String,
    place: Location,
}

impl Linted {
    /// What was read; `None`: nothing was yet.
    pub(super) fn of(lint: Option<Lint>, head: &Head) -> Self {
        let Some(lint) = lint else {
            return Self { counts: "Not read yet.".to_owned(), rows: Vec::new(), more: 0 };
        };
        let total = lint.errors + lint.warnings + lint.notes;
        let rows: Vec<Row> = lint
            .advice
            .into_iter()
            .take(SHOWN)
            .map(|one| {
                let place = Location::of(head, &one.file, one.line);
                // As lint says it: a message may begin with a name, whose letters are its own.
                Row { badge: Badge::level(one.level), message: one.message, code: one.code, place }
            })
            .collect();
        Self {
            counts: sentence(lint.errors, lint.warnings, lint.notes),
            more: total.saturating_sub(rows.len() as u64),
            rows,
        }
    }
}

fn sentence(errors: u64, warnings: u64, notes: u64) -> String {
    let counts = [(errors, "error"), (warnings, "warning"), (notes, "note")];
    let parts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| counted(count, word))
        .collect();
    match parts.as_slice() {
        [] => "No rule has anything to say.".to_owned(),
        [one] => format!("{one}."),
        [first @ .., last] => format!("{} and {last}.", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_a_sentence() {
        assert_eq!(sentence(0, 0, 0), "No rule has anything to say.");
        assert_eq!(sentence(0, 1, 0), "1 warning.");
        assert_eq!(sentence(1, 2, 1_000), "1 error, 2 warnings and 1,000 notes.");
    }
}
