//! The parts of a page that a link can name, found once for each page.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;

use crate::page::{Kind, Page, anchor};

/// A longer name is none, in bytes.
const NAME: usize = 512;

/// Names of a page's parts. Headings are compared by letters and digits alone, as programs differ in what they make of
/// the rest.
#[derive(Debug)]
pub(super) struct Anchors {
    headings: HashSet<String>,
    /// What stands in quotes or as `{#…}` outside of code: an `id`, perhaps.
    marks: HashSet<String>,
}

impl Anchors {
    pub(super) fn of(page: &Page<'_>) -> Self {
        let mut headings: HashSet<String> =
            page.headings().map(|(_, heading)| letters(&anchor(heading))).collect();
        let setext = page.lines.windows(2).filter(|pair| {
            let mark = pair[1].text.trim_end();
            mark.len() > 2 && (mark.bytes().all(|b| b == b'=') || mark.bytes().all(|b| b == b'-'))
        });
        headings.extend(setext.map(|pair| letters(&anchor(pair[0].text))));
        let mut marks = HashSet::new();
        for line in page.lines.iter().filter(|line| line.kind != Kind::Code) {
            for quote in ['"', '\''] {
                marks.extend(line.text.split(quote).skip(1).map(short).map(str::to_owned));
            }
            let named = line.text.split("{#").skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
            marks.extend(named.map(short).map(str::to_owned));
        }
        Self { headings, marks }
    }

    /// Whether the page has a part of that name, as a link writes it behind `#`; `true` for what names no part:
    /// `#L12` is a line, `#:~:text=` a text, `#` and `#top` the top.
    pub(super) fn has(&self, fragment: &str) -> bool {
        let Ok(decoded) = percent_decode_str(fragment).decode_utf8() else { return true };
        let wanted = letters(&decoded);
        let is_other = wanted.is_empty()
            || wanted == "top"
            || fragment.contains([':', '=', '{', '/', '<'])
            || wanted.strip_prefix('l').is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit()));
        // The second heading of a name is `name-1`.
        let repeated = (1..=2).filter_map(|digits| {
            let (name, number) = wanted.split_at_checked(wanted.len().checked_sub(digits)?)?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then_some(name)
        });
        is_other
            || self.headings.contains(&wanted)
            || repeated.into_iter().any(|name| self.headings.contains(name))
            || self.marks.contains(short(&decoded))
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(NAME)]
}
