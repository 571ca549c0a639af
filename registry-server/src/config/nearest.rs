use strsim::osa_distance;

/// The candidate that `word` was probably meant to be: at most a third of its letters differ.
pub(super) fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .map(|candidate| (osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= 1 + word.len() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_and_strangers() {
        let keys = || ["listen", "public_url", "log.level"].into_iter();
        assert_eq!(nearest("lsiten", keys()), Some("listen"));
        assert_eq!(nearest("public-url", keys()), Some("public_url"));
        assert_eq!(nearest("loglevel", keys()), Some("log.level"));
        assert_eq!(nearest("cookies", keys()), None);
    }
}
