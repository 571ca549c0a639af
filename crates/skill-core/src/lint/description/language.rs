//! Whether a text is in a language whose phrases the rules know: English and Chinese.

use crate::lint::words;

/// Words that stand in nearly every sentence of other languages in Latin script, and hardly in English.
const FOREIGN: [&str; 32] = [
    "der", "die", "das", "und", "für", "mit", "eine", "einer", "wenn", "el", "los", "las", "una", "para",
    "con", "cuando", "de", "le", "les", "des", "une", "pour", "avec", "et", "il", "che", "della", "quando",
    "os", "uma", "em", "het",
];
/// How many different ones make a foreign text; one may be part of a name.
const ENOUGH: usize = 2;

/// Whether the phrases of the rules can be looked for in a description, in lower case. What is quoted does not count.
pub(super) fn is_known(description: &str) -> bool {
    let bare = words::without_quotes(description);
    let foreign = bare.chars().filter(|&c| c.is_alphabetic() && is_other_script(c)).count();
    let known = bare.chars().filter(|&c| c.is_alphabetic() && !is_other_script(c)).count();
    let words = FOREIGN.iter().filter(|word| words::find(&bare, word).is_some()).count();
    // Japanese is half in the characters of Chinese.
    foreign * 4 < known && words < ENOUGH
}

/// A letter that is neither Latin nor a character of Chinese: kana, hangul, Cyrillic, Arabic and so on.
fn is_other_script(c: char) -> bool {
    let is_latin = matches!(c as u32, 0x41..=0x24F | 0x1E00..=0x1EFF);
    let is_kana_or_hangul = matches!(c as u32, 0x3040..=0x30FF | 0xAC00..=0xD7AF);
    !is_latin && (is_kana_or_hangul || !words::is_cjk(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_whose_phrases_are_known() {
        for known in [
            "Tells the weather of a city",
            "查询天气并给出穿衣建议",
            "Draws α and β of a portfolio",
            "Answers in the café de Paris, when the user says \"für die und das\"",
            "lists files",
        ] {
            assert!(is_known(&known.to_lowercase()), "{known}");
        }
        for other in [
            "Zeigt das Wetter einer Stadt und gibt Rat",
            "Muestra el tiempo de una ciudad",
            "Affiche la météo et les conseils pour une ville",
            "天気予報を調べて服装を提案します",
            "Показывает погоду",
            "يعرض الطقس",
            "날씨를 알려 줍니다",
        ] {
            assert!(!is_known(&other.to_lowercase()), "{other}");
        }
    }
}
