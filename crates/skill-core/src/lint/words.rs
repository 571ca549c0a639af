//! Words in running text, in Latin script and in CJK.

use std::ops::Range;

/// Whether a character is written without blanks between words: CJK, kana, hangul.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The byte at which `phrase` stands in `text` as words of its own. Both in lower case. An end of the phrase that
/// is no letter or digit, or is CJK, needs no boundary.
pub(super) fn find(text: &str, phrase: &str) -> Option<usize> {
    all(text, phrase).next()
}

/// Every byte at which `phrase` stands in `text` as `find` looks for it.
pub(super) fn all<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    let inside = |c: Option<char>| c.is_some_and(|c| (c.is_alphanumeric() || c == '_') && !is_cjk(c));
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    text.match_indices(phrase).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !(inside(first) && inside(before) || inside(last) && inside(after))
    })
}

/// The first of the phrases that stands in the text, and where.
pub(super) fn find_any<'p>(text: &str, phrases: &[&'p str]) -> Option<(usize, &'p str)> {
    let found = phrases.iter().filter_map(|phrase| Some((find(text, phrase)?, *phrase)));
    found.min_by_key(|(at, phrase)| (*at, std::cmp::Reverse(phrase.len())))
}

/// Whether any of the phrases stands in the text.
pub(super) fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| find(text, phrase).is_some())
}

/// Words, where two CJK characters count as one.
pub(super) fn count(text: &str) -> usize {
    let characters = text.chars().filter(|&c| is_cjk(c)).count();
    latin(text).count() + characters.div_ceil(2)
}

/// The words that are not CJK.
pub(super) fn latin(text: &str) -> impl Iterator<Item = &str> {
    let spaced = text.split(|c: char| is_cjk(c) || !(c.is_alphanumeric() || matches!(c, '\'' | '_' | '-')));
    spaced.filter(|word| word.contains(char::is_alphanumeric))
}

/// The text with what stands in quotes, backticks or book-title marks blanked out, byte by byte: what people say, or a
/// name, is not what the author says. An apostrophe is no quote.
pub(super) fn without_quotes(text: &str) -> String {
    const PAIRS: [(char, char); 8] = [
        ('"', '"'),
        ('`', '`'),
        ('“', '”'),
        ('‘', '’'),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('«', '»'),
    ];
    let mut bare = String::with_capacity(text.len());
    // A mark that does not follow once follows nowhere behind that place either.
    let mut absent: Vec<char> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let pair = PAIRS.iter().find(|(open, _)| *open == first);
        let apostrophe = first == '\'' && bare.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let close = pair.map(|(_, close)| *close).or(apostrophe.then_some('\''));
        let close = close.filter(|close| !absent.contains(close));
        let length = close.and_then(|close| closed(&rest[first.len_utf8()..], close));
        let Some(length) = length else {
            absent.extend(close);
            bare.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        let whole = first.len_utf8() + length;
        bare.extend(std::iter::repeat_n(' ', whole));
        rest = &rest[whole..];
    }
    bare
}

/// The length of the text up to and with the closing mark.
fn closed(text: &str, close: char) -> Option<usize> {
    text.match_indices(close)
        .map(|(at, mark)| at + mark.len())
        .find(|&end| close != '\'' || text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric()))
}

/// The sentences of a text. A period inside `v1.2`, `e.g.` or a file name ends none.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let next = text[end..].chars().next();
        let ends = match c {
            '。' | '！' | '？' | '；' | '\n' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace) && !abbreviated(&text[start..at]),
            _ => false,
        };
        if ends {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| sentence.contains(char::is_alphanumeric));
    found
}

fn abbreviated(before: &str) -> bool {
    ["e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no"].iter().any(|short| {
        before.len() > short.len()
            && before.ends_with(short)
            && !before[..before.len() - short.len()].ends_with(char::is_alphanumeric)
    })
}

/// Line-relative columns (from 1) of a range of bytes of a line.
pub(super) fn columns(line: &str, range: Range<usize>) -> (u32, u32) {
    let column = |byte: usize| line[..byte].chars().count() as u32 + 1;
    (column(range.start), column(range.end))
}

/// How far around a place in code its line is looked at, in bytes: generated code has lines without end.
const REACH: usize = 200;

/// What follows a place up to the end of its line.
pub(super) fn rest_of_line(text: &str, from: usize) -> &str {
    let rest = text.get(from..).unwrap_or_default();
    let near = &rest[..rest.floor_char_boundary(REACH)];
    near.split(['\n', '\r']).next().unwrap_or_default()
}

/// What stands before a place from the beginning of its line on.
pub(super) fn start_of_line(text: &str, at: usize) -> &str {
    let before = &text[..at];
    let near = &before[before.ceil_char_boundary(at.saturating_sub(REACH))..];
    near.rsplit(['\n', '\r']).next().unwrap_or_default()
}

/// A list in words: `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_two_scripts() {
        assert_eq!(count("pdf helper"), 2);
        assert_eq!(count("don't re-use it, v1.2!"), 5);
        assert_eq!(count("根据天气给出穿衣建议"), 5);
        assert_eq!(count("用 gh 查看 issue"), 4);
        assert_eq!(count(""), 0);
    }

    #[test]
    fn phrases_are_words_of_their_own() {
        assert_eq!(find("this is useful", "use"), None);
        assert_eq!(find("re-use it", "use"), Some(3));
        assert_eq!(find("不适用于", "适用"), Some(3));
        assert_eq!(find_any("we use it, never that", &["never", "use"]), Some((3, "use")));
    }

    #[test]
    fn what_others_say_is_blanked() {
        let bare = without_quotes("Use when the user says \"I need it\", 'my cv' or “帮我”; don't `I`");
        assert_eq!(
            bare.split_whitespace().collect::<Vec<_>>().join(" "),
            "Use when the user says , or ; don't"
        );
        assert_eq!(without_quotes("a 5\" disk").trim(), "a 5\" disk");
    }

    #[test]
    fn where_sentences_end() {
        assert_eq!(sentences("Run v1.2 e.g. twice. Then stop; go.").len(), 3);
        assert_eq!(sentences("查询天气。给出建议！"), ["查询天气。", "给出建议！"]);
        assert_eq!(sentences("  "), [""; 0]);
    }

    #[test]
    fn lists() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
