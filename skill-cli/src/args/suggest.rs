//! The nearest word for one that is not known.

/// The candidates nearest to `word`, in the order given; several if they are equally near, none if
/// all are far. A transposition counts as one step.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 3);
    let mut best = most;
    let mut found = Vec::new();
    for candidate in candidates {
        let steps = distance(word, candidate);
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

/// Optimal string alignment: insert, delete, replace and swap of neighbours count one each.
fn distance(one: &str, other: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut steps = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                steps = steps.min(before[j - 2] + 1);
            }
            row.push(steps);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERBS: [&str; 8] = ["install", "add", "init", "info", "list", "ls", "yank", "unyank"];

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(distance("isntall", "install"), 1);
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
