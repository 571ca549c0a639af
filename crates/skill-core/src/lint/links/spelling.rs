//! A link in the letter case of the file that is meant.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::lint::places::folded;

/// What cannot stand bare in a link's target (CommonMark 6.3), or means something else there.
const NOT_BARE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'(')
    .add(b')')
    .add(b'<')
    .add(b'>')
    .add(b'"')
    .add(b'#')
    .add(b'?')
    .add(b'%')
    .add(b'\\');

/// The path of a link with as many segments from the end spelled as in `spelled` as are the same but for letter case;
/// what is before them (`..`) stays. `None` if not even the last one is.
///
/// Segments are put together, never bytes counted: letters of two cases may differ in length (`K`, the sign of Kelvin,
/// has three bytes).
pub(super) fn of_file(written: &str, spelled: &str) -> Option<String> {
    let lower = |segment: &str| folded(&percent_decode_str(segment).decode_utf8_lossy());
    let written: Vec<&str> = written.split('/').collect();
    let spelled: Vec<&str> = spelled.split('/').collect();
    let pairs = written.iter().rev().zip(spelled.iter().rev());
    let same = pairs.take_while(|(one, other)| lower(one) == folded(other)).count();
    let kept = written[..written.len() - same].iter().map(|segment| (*segment).to_owned());
    let renamed = spelled[spelled.len() - same..].iter().map(|segment| bare(segment));
    (same > 0).then(|| kept.chain(renamed).collect::<Vec<_>>().join("/"))
}

fn bare(segment: &str) -> String {
    let encoded = |c: char| {
        if c.is_ascii() {
            utf8_percent_encode(c.encode_utf8(&mut [0; 4]), NOT_BARE).to_string()
        } else {
            c.to_string()
        }
    };
    segment.chars().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_spelled_as_the_files() {
        for (written, spelled, fixed) in [
            ("./References/API.md", "references/api.md", Some("./references/api.md")),
            ("../A/b.md", "x/a/B.md", Some("../a/B.md")),
            ("\u{212A}.md", "天/k.md", Some("k.md")),
            ("天/\u{212A}.md", "天/k.md", Some("天/k.md")),
            ("\u{1E9E}/X.md", "ß/x.md", Some("ß/x.md")),
            ("\u{130}.md", "i\u{307}.md", Some("i\u{307}.md")),
            ("My%20File.md", "my file (1)/my file.md", Some("my%20file.md")),
            ("re\u{301}sume\u{301}.md", "résumé.md", Some("résumé.md")),
            ("gone.md", "other.md", None),
        ] {
            assert_eq!(of_file(written, spelled).as_deref(), fixed, "{written}");
        }
    }
}
