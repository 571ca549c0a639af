//! Mechanical changes to a file, as data.

use std::ops::Range;

/// Replaces a range of bytes of the file that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the original file; empty to insert.
    pub range: Range<usize>,
    /// What stands there afterwards, UTF-8.
    pub text: String,
}

/// Applies changes to the bytes they were made for; every range refers to the original.
///
/// Of two changes that overlap the one that begins first is made, of two replacements that begin
/// together the one given first. Insertions at one byte are all made, in the order given and before
/// what replaces that byte. A range outside the file is left out. Returns the new bytes and how
/// many changes were made.
pub fn apply_edits<'a>(original: &[u8], edits: impl IntoIterator<Item = &'a Edit>) -> (Vec<u8>, usize) {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.range.start, !edit.range.is_empty()));
    let (mut changed, mut done, mut at) = (Vec::with_capacity(original.len()), 0, 0);
    for edit in edits {
        let Range { start, end } = edit.range;
        let (Some(before), true) = (original.get(at..start), (start..=original.len()).contains(&end)) else {
            continue;
        };
        changed.extend_from_slice(before);
        changed.extend_from_slice(edit.text.as_bytes());
        (at, done) = (end, done + 1);
    }
    changed.extend_from_slice(&original[at..]);
    (changed, done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, text: &str) -> Edit {
        Edit { range, text: text.to_owned() }
    }

    #[test]
    fn ranges_mean_the_original() {
        let edits = [edit(4..5, "EE"), edit(0..1, ""), edit(2..2, "+")];
        assert_eq!(apply_edits(b"abcdef", &edits), (b"b+cdEEf".to_vec(), 3));
    }

    #[test]
    fn insertions_at_one_byte_are_all_made() {
        let edits = [edit(1..3, "x"), edit(1..1, "1"), edit(1..2, "y"), edit(1..1, "2"), edit(3..3, "3")];
        assert_eq!(apply_edits(b"abcd", &edits), (b"a12x3d".to_vec(), 4));
    }

    #[test]
    fn overlapping_or_outside_is_left_out() {
        let edits = [edit(1..4, "x"), edit(3..5, "y"), edit(9..10, "z"), edit(5..9, "w")];
        assert_eq!(apply_edits(b"abcdef", &edits), (b"axef".to_vec(), 1));
    }
}
