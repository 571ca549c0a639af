//! The lines of a text that a model reads as prose: paragraphs of plain texts and of values in YAML too,
//! which are lines of data for every other rule.

use crate::file::SourceFile;
use crate::layout::{Line, Place, lines};

/// Endings of texts whose lines are paragraphs; a file without an ending is one too.
const PLAIN: [&str; 8] = ["adoc", "htm", "html", "org", "rst", "text", "txt", "xml"];

/// How the lines of a file that are no prose of Markdown hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Each stands for itself.
    Apart,
    /// As paragraphs.
    Paragraphs,
    /// As values: each key begins a new one.
    Values,
}

/// The lines of `text`, those that are read as prose marked so.
pub(crate) fn prose<'t>(file: &SourceFile<'_>, text: &'t str) -> impl Iterator<Item = Line<'t>> {
    let of_file = flow(file);
    let mut in_front = file.is_page();
    lines(file.manner(), text).flat_map(move |line| {
        let flow = if in_front { Flow::Values } else { of_file };
        if in_front && line.number > 1 {
            in_front = line.text.trim_end() != "---";
        }
        in_front &= line.number > 1 || line.place == Place::Code && line.text.trim_end().ends_with("---");
        let prose = Line { place: Place::Prose, ..line };
        match flow {
            _ if line.place != Place::Code => [None, Some(line)],
            Flow::Apart => [None, Some(line)],
            Flow::Values if line.text.starts_with("---") => [None, Some(line)],
            Flow::Paragraphs => [None, Some(prose)],
            // An empty line ends a paragraph.
            Flow::Values => [begins_value(line.text).then_some(Line { text: "", ..prose }), Some(prose)],
        }
        .into_iter()
        .flatten()
    })
}

fn flow(file: &SourceFile<'_>) -> Flow {
    let name = file.path().rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        _ if file.is_page() || file.is_program() => Flow::Apart,
        Some("yaml" | "yml") => Flow::Values,
        Some(ending) if !PLAIN.contains(&ending) => Flow::Apart,
        _ => Flow::Paragraphs,
    }
}

/// Whether a line of YAML is a key or an item.
fn begins_value(line: &str) -> bool {
    let line = line.trim_start();
    let key = line.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.\"'".contains(c))).unwrap_or(line.len());
    line.starts_with("- ") || (key > 0 && line[key..].starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comments::Comments;
    use crate::units::units;

    fn paragraphs(path: &str, text: &str) -> Vec<String> {
        let file = SourceFile::read(path, text.as_bytes(), None);
        units(prose(&file, text), &Comments::default())
            .map(|unit| unit.raw.into_owned())
            .filter(|raw| !raw.is_empty())
            .collect()
    }

    #[test]
    fn values_of_the_frontmatter_are_paragraphs() {
        let text =
            "---\nname: x\ndescription: >\n  Does all\n  of it\nlicense: MIT\n---\na\nb\n\n```\nc\nd\n```\n";
        assert_eq!(
            paragraphs("SKILL.md", text),
            [
                "---",
                "name: x",
                "description: >   Does all   of it",
                "license: MIT",
                "---",
                "a b",
                "```",
                "c",
                "d",
                "```"
            ]
        );
    }

    #[test]
    fn lines_of_plain_texts_are_paragraphs() {
        assert_eq!(paragraphs("notes.txt", "a\nb\n\nc"), ["a b", "c"]);
        assert_eq!(paragraphs("NOTICE", "a\nb"), ["a b"]);
        assert_eq!(paragraphs("a.yml", "x: a\n  b\ny: c"), ["x: a   b", "y: c"]);
        assert_eq!(paragraphs("a.sh", "a\nb"), ["a", "b"]);
        assert_eq!(paragraphs("a.csv", "a\nb"), ["a", "b"]);
    }
}
