//! The fields that are prose: name, description, compatibility, author, links.

use crate::diagnostic::{
    Diagnostic, FRONTMATTER_LONG, FRONTMATTER_MISSING, FRONTMATTER_NAMELESS, FRONTMATTER_TYPE,
    FRONTMATTER_UNDESCRIBED,
};
use crate::frontmatter::lines::{Line, lines};
use crate::frontmatter::node::{Kind, Node, Pair};

use crate::name::Slug;
use crate::page;

use super::Links;
use super::fields::{Fields, unfolded};

/// Limits of the Agent Skills specification, in Unicode code points.
pub(crate) const NAME_LIMIT: usize = 64;
pub(crate) const DESCRIPTION_LIMIT: usize = 1024;
pub(crate) const COMPATIBILITY_LIMIT: usize = 500;

/// The name, else the hint with a finding.
pub(super) fn name(fields: &mut Fields<'_>, hint: &str) -> String {
    let pair = fields.take_top(&["name"]);
    if let Some(pair) = &pair
        && let Some(name) = fields.as_text(pair)
    {
        too_long(fields, pair, &name, NAME_LIMIT);
        return name;
    }
    let said = Diagnostic::new(&FRONTMATTER_NAMELESS, format!("there is no name; {hint} stands in"));
    let said = placed(fields, said, pair.as_ref());
    fields.found.push(said.fix(format!("name: {}", slug(hint))));
    hint.to_owned()
}

/// The description, else the first paragraph of the text with a finding.
pub(super) fn description(fields: &mut Fields<'_>, body: &str) -> String {
    let pair = fields.take_top(&["description"]);
    if let Some(pair) = &pair
        && !matches!(pair.value.kind, Kind::List(_))
        && let Some(description) = fields.as_text(pair)
    {
        too_long(fields, pair, &description, DESCRIPTION_LIMIT);
        return description;
    }
    if let Some(pair) = &pair
        && let Some(description) = joined(fields, pair)
    {
        return description;
    }
    let list = if fields.is_present() { None } else { listed(body) };
    let paragraph = first_paragraph(list.map_or(body, |list| list.after));
    let message = if paragraph.is_empty() {
        "there is no description, and no paragraph to stand in"
    } else {
        "there is no description; the first paragraph of the text stands in"
    };
    let said = placed(fields, Diagnostic::new(&FRONTMATTER_UNDESCRIBED, message), pair.as_ref());
    fields.found.push(said.fix(format!("description: {}", suggested(&paragraph))));
    paragraph
}

/// A description that somebody wrote as a list of texts.
fn joined(fields: &mut Fields<'_>, pair: &Pair) -> Option<String> {
    let Kind::List(items) = &pair.value.kind else { return None };
    let texts: Option<Vec<_>> = items.iter().map(Node::text).collect();
    let description = texts.filter(|texts| !texts.is_empty())?.join(" ");
    let message = format!("{} should be a text; the items of the list were joined", pair.key);
    let said = placed(fields, Diagnostic::new(&FRONTMATTER_TYPE, message), Some(pair));
    fields.found.push(said);
    too_long(fields, pair, &description, DESCRIPTION_LIMIT);
    Some(description)
}

pub(super) fn compatibility(fields: &mut Fields<'_>) -> Option<String> {
    let pair = fields.take_top(&["compatibility"])?;
    let text = fields.as_text(&pair)?;
    too_long(fields, &pair, &text, COMPATIBILITY_LIMIT);
    Some(text)
}

/// `author` as a text, or the `name` of a map.
pub(super) fn author(fields: &mut Fields<'_>) -> Option<String> {
    let pair = fields.take(&["author"])?;
    match pair.value.get("name") {
        Some(name) => fields.as_text(name),
        None => fields.as_text(&pair),
    }
}

/// `links`, and the keys that say the same without it.
pub(super) fn links(fields: &mut Fields<'_>) -> Links {
    let mut links = Links {
        homepage: fields.text(&["homepage", "website", "url"]),
        repository: fields.take(&["repository"]).and_then(|pair| match pair.value.get("url") {
            Some(url) => fields.as_text(url),
            None => fields.as_text(&pair),
        }),
        documentation: fields.text(&["documentation"]),
        changelog: fields.text(&["changelog"]),
    };
    let Some(pair) = fields.take(&["links"]) else { return links };
    for pair in unfolded(&pair.value).unwrap_or_default() {
        let link = match pair.key.as_str() {
            "homepage" => &mut links.homepage,
            "repository" => &mut links.repository,
            "documentation" => &mut links.documentation,
            "changelog" => &mut links.changelog,
            _ => continue,
        };
        if link.is_none() {
            *link = fields.as_text(&pair);
        }
    }
    links
}

/// The hint as a slug, for a suggestion.
fn slug(hint: &str) -> String {
    Slug::slugify(hint).map_or_else(|| hint.to_owned(), |slug| slug.to_string())
}

/// The finding for a text without frontmatter, with the lines to add. They are a guess, so no
/// program adds them.
pub(super) fn missing(body: &str, hint: &str) -> Diagnostic {
    let fields = |body| format!("name: {}\ndescription: {}", slug(hint), suggested(&first_paragraph(body)));
    if let Some(list) = listed(body) {
        let message =
            "a list stands between the fences, where fields belong; name and description are guessed";
        return Diagnostic::new(&FRONTMATTER_MISSING, message)
            .at(list.line, 1, list.text.chars().count() as u32 + 1, list.text)
            .fix(fields(list.after));
    }
    let first = lines(body).next().map_or("", |line| line.text);
    Diagnostic::new(&FRONTMATTER_MISSING, "there is no frontmatter; name and description are guessed")
        .at(1, 1, 1, first)
        .fix(format!("---\n{}\n---", fields(body)))
}

/// A list between two fences at the beginning of a text.
struct Listed<'a> {
    /// Its first line, from 1, and the text of that.
    line: u32,
    text: &'a str,
    /// The text after the second fence.
    after: &'a str,
}

fn listed(body: &str) -> Option<Listed<'_>> {
    let mut written = (1..).zip(lines(body)).filter(|(_, line)| !line.is_blank());
    written.next().filter(|(_, line)| line.is_fence())?;
    let (line, Line { text, .. }) = written.next()?;
    let (_, fence) = written.find(|(_, line)| line.is_fence())?;
    ["- ", "["].iter().any(|mark| text.starts_with(mark)).then(|| Listed {
        line,
        text,
        after: &body[fence.next..],
    })
}

/// A description to suggest: the first sentence, as YAML.
fn suggested(paragraph: &str) -> String {
    if paragraph.is_empty() {
        return "Say what it does and when to use it".to_owned();
    }
    quoted(&first_sentence(paragraph))
}

/// The first running text: no heading, list, table, code, comment or badge. At most as long as a
/// description may be.
pub(crate) fn first_paragraph(body: &str) -> String {
    let mut paragraph = String::new();
    for line in page::read(body, 1) {
        let text = line.text.trim();
        let running = line.kind == page::Kind::Text && is_running(text);
        if running {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(text.trim_start_matches(['>', ' ']));
        } else if !paragraph.is_empty() {
            break;
        }
        if paragraph.len() > 4 * DESCRIPTION_LIMIT {
            break;
        }
    }
    paragraph.chars().take(DESCRIPTION_LIMIT).collect()
}

fn is_running(text: &str) -> bool {
    !text.trim_start_matches('#').is_empty()
        && !text.starts_with(['|', '<', '`', '~'])
        && !text.starts_with("[!")
        && !text.starts_with("![")
        && !["---", "***", "___", "===", "- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark))
}

/// The first sentence, or what fits into a short line of frontmatter.
fn first_sentence(text: &str) -> String {
    let end = text.match_indices(['.', '。', '!', '?']).find_map(|(at, mark)| {
        let next = text[at + mark.len()..].chars().next();
        (mark == "。" || next.is_none_or(char::is_whitespace)).then_some(at + mark.len())
    });
    text[..end.unwrap_or(text.len())].chars().take(200).collect()
}

/// The text as it can stand in YAML: plain where that is safe, else in double quotes.
fn quoted(text: &str) -> String {
    let starts_plain = text.chars().next().is_some_and(char::is_alphanumeric);
    let plain = starts_plain && !text.contains(": ") && !text.contains(" #") && !text.ends_with(':');
    let is_text = plain && text.contains(' ');
    if is_text { text.to_owned() } else { crate::frontmatter::double_quoted(text) }
}

fn too_long(fields: &mut Fields<'_>, pair: &Pair, text: &str, limit: usize) {
    let length = text.chars().count();
    if length > limit {
        let message = format!("{} is {length}/{limit} characters long", pair.key);
        let said = placed(fields, Diagnostic::new(&FRONTMATTER_LONG, message), Some(pair));
        fields.found.push(said);
    }
}

/// Puts a finding at a key, or at the opening fence where there is none.
fn placed(fields: &Fields<'_>, said: Diagnostic, pair: Option<&Pair>) -> Diagnostic {
    match pair {
        Some(Pair { at, .. }) => said.at(at.line, at.column, at.column + at.length, fields.line(at.line)),
        None => fields.at_fence(said),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_running_text() {
        for (body, paragraph) in [
            ("# Title\n\nFirst line\nand second.\n\nNext", "First line and second."),
            ("<!-- a\nb -->\n[![badge](x)](y)\n\n```sh\nls\n```\n> Quoted text\n", "Quoted text"),
            ("| a | b |\n\n- item\n\n天气简报。", "天气简报。"),
            ("# only\n## headings\n", ""),
            ("````md\n```\nIn code\n````\nText", "Text"),
            ("<pre>\nCode\n</pre>\nText", "Text"),
            ("<!-- a --> behind\n\nText", "Text"),
            ("", ""),
        ] {
            assert_eq!(first_paragraph(body), paragraph);
        }
        assert_eq!(first_paragraph(&"天".repeat(5000)).chars().count(), DESCRIPTION_LIMIT);
    }

    #[test]
    fn what_is_suggested_is_yaml() {
        assert_eq!(quoted("Keeps short notes in one file."), "Keeps short notes in one file.");
        assert_eq!(quoted("Use: it"), "\"Use: it\"");
        assert_eq!(quoted("**Bold** text"), "\"**Bold** text\"");
        assert_eq!(quoted("true"), "\"true\"");
        assert_eq!(first_sentence("One. Two."), "One.");
        assert_eq!(first_sentence("v1.2 is out"), "v1.2 is out");
    }
}
