use std::time::{Duration, Instant};

use serde::Serialize;
use similar::{ChangeTag, DiffOp, TextDiff};

/// Unchanged lines that stay around a change.
const AROUND: usize = 3;
/// Lines that one file may show.
const MOST: usize = 2_000;
/// After this long a comparison becomes coarser. It stays right.
const PATIENCE: Duration = Duration::from_millis(200);

/// Lines that stand together.
#[derive(Debug, Serialize)]
pub(super) struct Block {
    rows: Vec<Row>,
}

/// One row: one line of either side, or, side by side, one of each.
#[derive(Debug, Serialize)]
struct Row {
    left: Option<Line>,
    right: Option<Line>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Line {
    /// Its number in the older file, if it is there.
    old: Option<usize>,
    /// Its number in the newer file.
    new: Option<usize>,
    /// `added`, `removed` or `same`.
    kind: &'static str,
    /// The word for it, to be heard.
    word: &'static str,
    sign: &'static str,
    text: String,
}

/// The changes from one text to another with the lines around them, and whether there are more.
pub(super) fn blocks(old: &str, new: &str, side_by_side: bool) -> (Vec<Block>, bool) {
    // The deadline bounds work and decides nothing: no clock of the registry is asked.
    let diff = TextDiff::configure().deadline(Instant::now() + PATIENCE).diff_lines(old, new);
    let mut left = MOST;
    let mut blocks = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let mut rows = Vec::new();
        for op in &group {
            let lines: Vec<Line> = diff.iter_changes(op).take(left).map(|change| line(&change)).collect();
            left -= lines.len();
            if side_by_side {
                rows.extend(beside(op, lines));
            } else {
                rows.extend(lines.into_iter().map(|line| Row { left: Some(line), right: None }));
            }
        }
        blocks.push(Block { rows });
        if left == 0 {
            return (blocks, true);
        }
    }
    (blocks, false)
}

fn line(change: &similar::Change<&str>) -> Line {
    let (kind, word, sign) = match change.tag() {
        ChangeTag::Insert => ("added", "added", "+"),
        ChangeTag::Delete => ("removed", "removed", "−"),
        ChangeTag::Equal => ("same", "", " "),
    };
    Line {
        old: change.old_index().map(|index| index + 1),
        new: change.new_index().map(|index| index + 1),
        kind,
        word,
        sign,
        text: change.value().trim_end_matches(['\r', '\n']).to_owned(),
    }
}

/// The lines of one operation as rows of two: what was replaced beside what replaced it.
fn beside(op: &DiffOp, lines: Vec<Line>) -> Vec<Row> {
    if matches!(op, DiffOp::Equal { .. }) {
        return lines.into_iter().map(|line| Row { left: Some(line.clone()), right: Some(line) }).collect();
    }
    let (old, new): (Vec<Line>, Vec<Line>) = lines.into_iter().partition(|line| line.kind == "removed");
    let rows = old.len().max(new.len());
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    (0..rows).map(|_| Row { left: old.next(), right: new.next() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: Option<&Line>) -> String {
        line.map(|line| format!("{}{}", line.sign, line.text)).unwrap_or_default()
    }

    #[test]
    fn a_change_stands_between_its_neighbours() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let (blocks, cut) = blocks(old, &old.replace('5', "five"), false);
        let lines: Vec<String> =
            blocks.iter().flat_map(|block| &block.rows).map(|row| shown(row.left.as_ref())).collect();
        assert_eq!(lines, [" 2", " 3", " 4", "−5", "+five", " 6", " 7", " 8"]);
        assert!(!cut);
    }

    #[test]
    fn side_by_side_what_replaces_stands_beside_what_was() {
        let (blocks, _) = blocks("a\nb\nc\n", "a\nB\nx\nc\n", true);
        let rows: Vec<String> = blocks
            .iter()
            .flat_map(|block| &block.rows)
            .map(|row| format!("{}|{}", shown(row.left.as_ref()), shown(row.right.as_ref())))
            .collect();
        assert_eq!(rows, [" a| a", "−b|+B", "|+x", " c| c"]);
    }

    #[test]
    fn what_is_shown_is_bounded() {
        let (blocks, cut) = blocks("", &"x\n".repeat(MOST * 2), false);
        assert_eq!(blocks.iter().map(|block| block.rows.len()).sum::<usize>(), MOST);
        assert!(cut);
    }
}
