//! What the fixes change, line by line.

use super::draft::Draft;
use crate::report::{Block, Line, Role};

/// Number of a line, from 1, and its text without the end.
pub(super) type Changed = (usize, String);

/// Cells of a comparison at most; above it the whole middle counts as changed.
const CELLS: usize = 4 << 20;

/// The changes of every file as rows: its path, then what goes and what comes, in the order of the file.
pub(super) fn rows(draft: &Draft) -> Vec<Block> {
    let mut rows: Vec<Block> = Vec::new();
    for file in &draft.files {
        let (removed, added) = lines(&file.before, &file.after);
        if removed.is_empty() && added.is_empty() && !file.becomes_executable() {
            continue;
        }
        rows.push(Line::new().role(Role::Name, file.path.as_str()).into());
        if file.becomes_executable() {
            rows.push(Line::from("~ made executable").indent(2, 4).into());
        }
        rows.extend(marked(removed, added));
    }
    rows
}

/// Removed and added lines, next to each other where they belong together.
fn marked(removed: Vec<Changed>, added: Vec<Changed>) -> Vec<Block> {
    let line = |mark: &str, role, (number, text): Changed| -> Block {
        let text = if text.is_empty() { String::new() } else { format!(" {text}") };
        Line::new().role(role, mark).plain(format!(" {number} |{text}")).indent(2, 4).into()
    };
    let (mut rows, mut added) = (Vec::new(), added.into_iter().peekable());
    let mut shift = 0_isize;
    let mut removed = removed.into_iter().peekable();
    while removed.peek().is_some() || added.peek().is_some() {
        let old = removed.peek().map_or(usize::MAX, |(number, _)| number.saturating_add_signed(shift));
        let new = added.peek().map_or(usize::MAX, |(number, _)| *number);
        if old <= new {
            rows.extend(removed.next().map(|changed| line("-", Role::Error, changed)));
            shift -= 1;
        } else {
            rows.extend(added.next().map(|changed| line("+", Role::Good, changed)));
            shift += 1;
        }
    }
    rows
}

/// The lines that only the first text has, and those that only the second has.
pub(super) fn lines(before: &[u8], after: &[u8]) -> (Vec<Changed>, Vec<Changed>) {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let split = |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let (old, new) = (split(&before), split(&after));
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = (old.len() - head).min(new.len() - head);
    let tail = (0..rest).take_while(|back| old[old.len() - 1 - back] == new[new.len() - 1 - back]).count();
    let (middle_old, middle_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let kept = common(middle_old, middle_new);
    let changed = |lines: &[String], kept: &[usize]| -> Vec<Changed> {
        let gone = lines.iter().enumerate().filter(|(index, _)| kept.binary_search(index).is_err());
        gone.map(|(index, text)| (head + index + 1, text.trim_end_matches(['\n', '\r']).to_owned())).collect()
    };
    let (kept_old, kept_new): (Vec<usize>, Vec<usize>) = kept.into_iter().unzip();
    (changed(middle_old, &kept_old), changed(middle_new, &kept_new))
}

/// The longest common subsequence, as pairs of indices.
fn common(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > CELLS {
        return Vec::new();
    }
    let mut length = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i * width + j] = if old[i] == new[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_go_and_come() {
        let (removed, added) = lines(b"a\nb\nc\nd\n", b"a\nB\nc\nx\nd\n");
        assert_eq!(removed, [(2, "b".to_owned())]);
        assert_eq!(added, [(2, "B".to_owned()), (4, "x".to_owned())]);
        assert_eq!(lines(b"a\r\n", b"a\r\n"), (vec![], vec![]));
        assert_eq!(lines(b"", b"a"), (vec![], vec![(1, "a".to_owned())]));
        // Only the line's end is another.
        assert_eq!(lines(b"a", b"a\n"), (vec![(1, "a".to_owned())], vec![(1, "a".to_owned())]));
    }
}
