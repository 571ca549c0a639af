//! Display columns: the one measure for padding, cutting, wrapping and carets.
//!
//! East Asian wide and fullwidth characters take two columns, combining marks none, an emoji
//! sequence two. `str::len` and `{:<20}` are never used for layout.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// How many columns `text` takes.
pub fn of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(of_cluster).sum() }
}

/// How many columns one grapheme cluster takes: two at most.
pub fn of_cluster(cluster: &str) -> usize {
    cluster.width().min(2)
}

/// `text` with blanks to `columns`; longer text stays as it is.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", blanks(columns.saturating_sub(of(text))))
}

/// `columns` blanks.
pub fn blanks(columns: usize) -> String {
    " ".repeat(columns)
}

/// Cuts `text` to `columns` with an ellipsis. Takes whole clusters: where the next one needs two
/// columns and one is left, a blank fills it, so that the edge stays straight.
pub fn cut(text: &str, columns: usize, ellipsis: &str) -> String {
    if of(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(of(ellipsis));
    let (mut kept, mut used) = (String::new(), 0);
    for cluster in text.graphemes(true) {
        let width = of_cluster(cluster);
        if used + width > room {
            break;
        }
        kept.push_str(cluster);
        used += width;
    }
    kept.push_str(&blanks(room - used));
    kept.push_str(ellipsis);
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns() {
        for (text, columns) in
            [("", 0), ("abc", 3), ("天气", 4), ("e\u{301}", 1), ("👩\u{200d}💻", 2), ("ｱ", 1), ("Ａ", 2)]
        {
            assert_eq!(of(text), columns, "{text}");
        }
    }

    #[test]
    fn cutting_keeps_the_edge_straight() {
        assert_eq!(cut("天气预报", 8, "…"), "天气预报");
        assert_eq!(cut("天气预报", 6, "…"), "天气 …");
        assert_eq!(cut("天气预报", 5, "…"), "天气…");
        assert_eq!(cut("weather", 5, "..."), "we...");
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in "[a-z天气👩 ]{0,40}", columns in 3_usize..40) {
            let cut = cut(&text, columns, "…");
            prop_assert!(of(&cut) <= columns);
            prop_assert!(of(&text) <= columns || of(&cut) == columns);
        }
    }
}
