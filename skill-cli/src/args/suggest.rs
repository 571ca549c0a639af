//! The nearest word for one that is not known.

use strsim::osa_distance;

/// The candidates nearest to `word`, in the order given; several if they are equally near, none if
/// all are far. A transposition counts as one step.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 3);
    let mut best = most;
    let mut found = Vec::new();
    for candidate in candidates {
        let steps = osa_distance(word, candidate);
        if steps < best {
            best = steps;
            found.clear();
        }
        if steps == best && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERBS: [&str; 8] = ["install", "add", "init", "info", "list", "ls", "yank", "unyank"];

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(nearest("isntall", VERBS), ["install"]);
        assert_eq!(nearest("instal", VERBS), ["install"]);
    }

    #[test]
    fn a_tie_shows_both() {
        assert_eq!(nearest("inio", VERBS), ["init", "info"]);
    }

    #[test]
    fn far_words_suggest_nothing() {
        assert!(nearest("frobnicate", VERBS).is_empty());
        assert!(nearest("x", VERBS).is_empty());
    }
}
