//! Text to words, the same way for what is indexed and for what is asked.
//!
//! A word is a run of letters and digits, in lower case. Chinese, Japanese and Korean runs have no
//! spaces: they become their single characters and every pair of neighbours, so that 天气预报 is found
//! by 天气 and by 预报.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Longer words are cut: nobody types them, and they would only grow the index.
const LONGEST: usize = 64;

/// The most words that one question is read for.
const MOST: usize = 16;

/// Splits text for the index.
#[derive(Clone, Default)]
pub(super) struct Words;

/// The words of one text, in order.
pub(super) struct WordStream {
    words: std::vec::IntoIter<String>,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream {
        WordStream::new(for_index(text))
    }
}

/// Splits text into every beginning of its words, for search as one types.
#[derive(Clone, Default)]
pub(super) struct Beginnings;

impl Tokenizer for Beginnings {
    type TokenStream<'a> = WordStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream {
        let mut all: Vec<String> = for_index(text)
            .iter()
            .flat_map(|word| {
                word.char_indices().skip(1).map(|(end, _)| word[..end].to_owned()).collect::<Vec<_>>()
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        WordStream::new(all)
    }
}

impl WordStream {
    fn new(words: Vec<String>) -> Self {
        Self { words: words.into_iter(), token: Token { position: usize::MAX, ..Token::default() } }
    }
}

impl TokenStream for WordStream {
    fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        self.token.text = word;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

fn for_index(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(text) {
        if !is_cjk(run.chars().next().unwrap_or(' ')) {
            words.push(cut(run));
            continue;
        }
        let characters: Vec<char> = run.chars().collect();
        words.extend(characters.iter().map(char::to_string));
        words.extend(characters.windows(2).map(String::from_iter));
    }
    words
}

/// The words that a document has to hold to answer `question`: of a run without spaces every pair,
/// or its only character.
pub(crate) fn of_question(question: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(question) {
        let characters: Vec<char> = run.chars().collect();
        if is_cjk(characters[0]) && characters.len() > 1 {
            words.extend(characters.windows(2).map(String::from_iter));
        } else {
            words.push(cut(run));
        }
    }
    words.dedup();
    words.truncate(MOST);
    words
}

/// Runs of characters of one kind: of letters and digits, or of CJK characters. Never empty.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(split_scripts).filter(|run| !run.is_empty())
}

fn split_scripts(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, character) in run.char_indices() {
        let kind = is_cjk(character);
        if before.is_some_and(|before| before != kind) {
            parts.push(&run[start..at]);
            start = at;
        }
        before = Some(kind);
    }
    parts.push(&run[start..]);
    parts
}

fn cut(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Whether a character belongs to a script that is written without spaces between words.
const fn is_cjk(character: char) -> bool {
    matches!(character,
        '\u{3005}' | '\u{3007}'
        | '\u{3040}'..='\u{30FF}' // Hiragana, Katakana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{AC00}'..='\u{D7AF}' // Hangul
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_index_and_of_a_question() {
        assert_eq!(for_index("Self-improving Agent2!"), ["self", "improving", "agent2"]);
        assert_eq!(for_index("天气 API"), ["天", "气", "天气", "api"]);
        assert_eq!(of_question("天气预报api"), ["天气", "气预", "预报", "api"]);
        assert_eq!(of_question("雨"), ["雨"]);
        assert!(of_question(" -- !").is_empty());
        assert_eq!(of_question(&"a b ".repeat(100)).len(), MOST);
    }

    #[test]
    fn beginnings_are_shorter_than_their_word() {
        let mut beginnings = Beginnings;
        let mut stream = beginnings.token_stream("Web");
        let mut all = Vec::new();
        while stream.advance() {
            all.push(stream.token().text.clone());
        }
        assert_eq!(all, ["w", "we"]);
    }
}
