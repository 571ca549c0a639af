use super::{Hidden, scripts};

/// A character of a text, as [`seen`] gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Where it stands, in bytes.
    pub at: usize,
    /// The character.
    pub character: char,
    /// Whether it hides, and the text is no other without it.
    pub hides: bool,
}

/// Every character of a text, and whether it hides something.
///
/// A hidden character is legitimate where the writing of the text needs it: a joiner between two pictures or
/// beside letters that join, a blank without width in scripts without blanks, a selector behind a character
/// that has such a form, tags that end a flag, a filler beside Korean, a mark of direction in a line that
/// runs right to left. Outside of pictures it stands alone: several in a row can be read as bits. Line feeds
/// and tabs show, and so does a carriage return before a line feed. Controls that turn or isolate a passage are never
/// legitimate here, for what they hold is read in another order.
pub fn seen(text: &str) -> impl Iterator<Item = Seen> {
    let mut start = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let at = start;
        start += line.len();
        Line::new(line).map(move |seen| Seen { at: at + seen.at, ..seen })
    })
}

/// The way through a line.
struct Line<'a> {
    text: &'a str,
    at: usize,
    before: Option<Seen>,
    /// Up to where tags make a flag.
    flag_ends: usize,
    /// Known once it is asked for.
    right_to_left: Option<bool>,
}

impl<'a> Line<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, at: 0, before: None, flag_ends: 0, right_to_left: None }
    }

    /// Whether the writing needs this hidden character here.
    fn needs(&mut self, character: char, kind: Hidden, rest: &str) -> bool {
        let after = rest.chars().next();
        // What was drawn in its place joins with nothing.
        let before = self.before.filter(|seen| !seen.hides).map(|seen| seen.character);
        let alone = self.before.is_none_or(|seen| shows(seen.character)) && after.is_none_or(shows);
        match character {
            '\n' | '\t' => true,
            '\r' => after == Some('\n'),
            '\u{E0020}'..='\u{E007F}' => self.at < self.flag_ends || self.is_flag(before),
            '\u{200D}' if scripts::joins_pictures(before, after) => true,
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' | '\u{180B}'..='\u{180D}' | '\u{180F}' => {
                before.is_some_and(|before| scripts::has_variant(before, character, after))
            }
            '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => {
                alone && [before, after].into_iter().flatten().any(scripts::is_korean)
            }
            '\u{200E}' | '\u{200F}' | '\u{61C}' => alone && self.runs_right_to_left(),
            _ => kind == Hidden::Ignorable && alone && scripts::needs_joiner(before, character, after),
        }
    }

    fn is_flag(&mut self, before: Option<char>) -> bool {
        // Asked first, so that a run of tags is looked through once.
        if before != Some(scripts::FLAG) {
            return false;
        }
        let tags = &self.text[self.at..];
        let end = tags.find(|c| !matches!(c, '\u{E0020}'..='\u{E007F}')).unwrap_or(tags.len());
        if scripts::is_flag(before, &tags[..end]) {
            self.flag_ends = self.at + end;
        }
        self.at < self.flag_ends
    }

    fn runs_right_to_left(&mut self) -> bool {
        let text = self.text;
        *self.right_to_left.get_or_insert_with(|| {
            text.chars().any(|c| Hidden::of(c).is_none() && scripts::runs_right_to_left(c))
        })
    }
}

fn shows(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\t') || Hidden::of(character).is_none()
}

impl Iterator for Line<'_> {
    type Item = Seen;

    fn next(&mut self) -> Option<Seen> {
        let text = self.text;
        let character = text[self.at..].chars().next()?;
        let end = self.at + character.len_utf8();
        let hides = match Hidden::of(character) {
            Some(kind) => !self.needs(character, kind, &text[end..]),
            None => false,
        };
        let seen = Seen { at: self.at, character, hides };
        self.before = Some(seen);
        self.at = end;
        Some(seen)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hiding(text: &str) -> Vec<(usize, char)> {
        seen(text).filter(|seen| seen.hides).map(|seen| (seen.at, seen.character)).collect()
    }

    #[test]
    fn what_writing_needs_hides_nothing() {
        for text in [
            "plain\r\n\ttext é 天气",
            "👩\u{200D}💻 🧑🏽\u{200D}🍳 ❤\u{FE0F} 1\u{FE0F}\u{20E3} 🏳\u{FE0F}\u{200D}🌈 👩\u{200D}❤\u{FE0F}\u{200D}👨 ☎\u{FE0E}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "می\u{200C}خواهم",
            "क्\u{200D}ष क्\u{200C}ष",
            "של\u{200F} abc \u{200E}",
            "ไทย\u{200B}ภาษา",
            "葛\u{E0100} 、\u{FE00}",
            "ᠮᠣᠩᠭᠣᠯ\u{180B} ᠠ\u{180E}ᠠ",
            "가\u{3164}나",
        ] {
            assert_eq!(hiding(text), [], "{text:?}");
        }
    }

    #[test]
    fn what_none_needs_hides() {
        for (text, count) in [
            ("a\u{200D}b a\u{200C}b a\u{200B}b a\u{FEFF}b", 4),
            ("イン\u{200D}ス か\u{FE0F}な 。\u{FE0F} \u{3164}か", 4),
            ("😀\u{FE0F}\u{FE0F} 😀\u{E0101} a\u{FE0F} 1\u{FE0F}", 4),
            ("x\u{FE0F}\u{200D}👩", 2),
            ("می\u{200C}\u{200C}خو", 2),
            ("של\u{200F}\u{200E}\u{200F}", 3),
            ("abc\u{200E}", 1),
            ("\u{E0041} 🏴\u{E0067}\u{E0062} 😀\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 9),
            ("של \u{2067}x\u{2069} \u{202A}y\u{202C} \u{202E}z", 5),
            ("a\0b\u{1b}[m\rc\u{2028}\u{ad}", 5),
        ] {
            assert_eq!(hiding(text).len(), count, "{text:?}: {:?}", hiding(text));
        }
    }

    proptest! {
        /// Nothing that shows hides, nothing is lost, and what is left without what hides hides nothing.
        #[test]
        fn drawn_once_is_drawn(text in "[aא中ก가😀🏴\u{200B}-\u{200F}\u{FE0F}\u{E0067}\u{E007F}\u{3164}\r\n]{0,20}|\\PC{0,20}") {
            let all: Vec<Seen> = seen(&text).collect();
            prop_assert_eq!(all.iter().map(|seen| seen.character).collect::<String>(), text.clone());
            prop_assert!(all.iter().all(|seen| !seen.hides || Hidden::of(seen.character).is_some()));
            prop_assert!(all.iter().all(|seen| text[seen.at..].starts_with(seen.character)));
            let drawn: String =
                all.iter().map(|seen| if seen.hides { "⟦⟧".to_owned() } else { seen.character.to_string() }).collect();
            prop_assert_eq!(hiding(&drawn), vec![]);
        }
    }
}
