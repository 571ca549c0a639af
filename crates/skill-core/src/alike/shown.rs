//! Names for people, which may be written in any script.

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    /// Cyrillic and Greek, whose letters are read for Latin ones.
    Lookalike,
}

/// The first word of a name that mixes Latin with Cyrillic or Greek letters: nobody writes so but to be read
/// for somebody else. Words in one script, and names that have words of several, are as people write.
pub fn mixed_word(name: &str) -> Option<&str> {
    name.split(|c: char| !c.is_alphanumeric()).find(|word| {
        let has = |script| word.chars().any(|c| script_of(c) == Some(script));
        has(Script::Latin) && has(Script::Lookalike)
    })
}

/// Whether two names read the same: after compatibility composition (NFKC) and full case folding, and
/// whatever stands between their words.
pub fn same_shown(one: &str, other: &str) -> bool {
    read(one) == read(other)
}

fn read(name: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(name);
    let folded = CaseMapper::new().fold_string(&composed).into_owned();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

const fn script_of(c: char) -> Option<Script> {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Some(Script::Latin),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Some(Script::Lookalike),
        '\u{400}'..='\u{52F}' | '\u{1C80}'..='\u{1C8F}' | '\u{A640}'..='\u{A69F}' => Some(Script::Lookalike),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_two_scripts() {
        assert_eq!(mixed_word("The G\u{456}tHub skill"), Some("G\u{456}tHub"));
        assert_eq!(mixed_word("P\u{3BF}stgres"), Some("P\u{3BF}stgres"));
        for as_written in ["GitHub", "Погода", "Погода Weather", "α-helix", "Übersetzer", "天气 Weather"]
        {
            assert_eq!(mixed_word(as_written), None, "{as_written}");
        }
    }

    #[test]
    fn names_that_read_the_same() {
        assert!(same_shown("GitHub", "ＧｉｔＨｕｂ"));
        assert!(same_shown("Straße  Finder", "STRASSE FINDER"));
        assert!(!same_shown("GitHub", "GitLab"));
    }
}
