//! From the lines between the fences to fields.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, Edit, FRONTMATTER_JSON5, FRONTMATTER_UNCLOSED};

use super::budget::{Budget, Limit};
use super::fence::Block;
use super::node::{self, Node, Pair, Place, to_map};
use super::{FrontmatterError, draft, indent, json5, repair, yaml};

/// The fields: in one go if the YAML is sound, else repaired.
pub(super) fn read<'a>(
    text: &'a str,
    block: &mut Block<'a>,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<Pair>, FrontmatterError> {
    let mut pairs = fields(text, block, found)?;
    if !block.closed && pairs.iter().all(|pair| pair.key != "name") {
        pairs.extend(heading_name(block, found));
    }
    json5::in_flow(&mut pairs, block, found);
    // Whoever read it, and with all that aliases stand for: JSON5 and aliases nest deeper than the YAML parser
    // sees.
    Budget::new().pairs(&pairs).map_err(|limit| block.passes(limit))?;
    Ok(pairs)
}

fn fields<'a>(
    text: &'a str,
    block: &mut Block<'a>,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<Pair>, FrontmatterError> {
    let above = block.first as u32;
    let mut outcome = yaml::parse_map(block.text(text));
    if let Err(trouble) = &outcome
        && trouble.limit.is_none()
        && block.runs_into_text()
    {
        block.cut_to_fields();
        outcome = yaml::parse_map(block.text(text));
    }
    let is_flow = block.text(text).trim_start().starts_with('{');
    let trouble = match outcome {
        Ok(pairs)
            if is_flow
                && let Some(meant) = json5::meant(block.text(text), &Value::Object(to_map(&pairs))) =>
        {
            return Ok(as_json5(meant, block, found));
        }
        Ok(pairs) => {
            let lines: Vec<String> = block.inner().iter().map(|line| line.text.to_owned()).collect();
            let mut pairs = indented(pairs, lines.clone(), block, found);
            if is_flow || !draft::lacks_blank(&pairs, &lines) {
                node::move_down(&mut pairs, above);
                return Ok(pairs);
            }
            draft::misread(1)
        }
        Err(yaml::Trouble { limit: Some(limit), .. }) => return Err(block.passes(Limit(limit))),
        Err(trouble) => trouble,
    };
    if let Some(meant) = is_flow.then(|| json5::parse(block.text(text))).flatten() {
        return Ok(as_json5(meant, block, found));
    }
    let mut rescued = repair::rescue(block.inner()).map_err(|limit| block.passes(limit))?;
    node::move_down(&mut rescued.pairs, above);
    found.extend(rescued.found.into_iter().map(|mut diagnostic| {
        diagnostic.line += above;
        diagnostic
    }));
    let usable = rescued.pairs.iter().any(|pair| matches!(&*node::folded(&pair.key), "name" | "description"));
    if !usable && (rescued.unrepaired.is_some() || !rescued.pairs.is_empty()) {
        let yaml::Trouble { line, column, reason, .. } = rescued.unrepaired.unwrap_or(trouble);
        let line = line + above;
        let excerpt = block.head.get(line as usize - 1).map_or("", |line| line.text).to_owned();
        return Err(FrontmatterError::Yaml { reason, line, column, excerpt });
    }
    Ok(rescued.pairs)
}

/// The fields of a whole that is JSON5.
fn as_json5(value: Value, block: &Block<'_>, found: &mut Vec<Diagnostic>) -> Vec<Pair> {
    let at = Place { line: block.first as u32 + 1, column: 1, length: 1 };
    let said = Diagnostic::new(&FRONTMATTER_JSON5, "the frontmatter is JSON5, which YAML readers refuse");
    found.push(said.at(at.line, 1, 2, block.inner()[0].text));
    Node::from_value(value, at).pairs().to_vec()
}

/// Keys that begin with white space other than blanks: to YAML that is part of the key, and the line stands at
/// the margin. If blanks in its place give sound YAML, they were meant.
fn indented(
    pairs: Vec<Pair>,
    mut lines: Vec<String>,
    block: &Block<'_>,
    found: &mut Vec<Diagnostic>,
) -> Vec<Pair> {
    let odd = indent::odd_keys(&pairs, &lines);
    if odd.is_empty() {
        return pairs;
    }
    let mut said = Vec::new();
    for line in odd {
        let text = &mut lines[line as usize - 1];
        let before = indent::white(text);
        let blanks = indent::blanks(&text[..before], 2);
        let at = block.inner()[line as usize - 1];
        let length = text[..before].chars().count() as u32;
        let finding =
            indent::not_blank(&text[..before]).at(block.first as u32 + line, 1, length + 1, at.text);
        text.replace_range(..before, &blanks);
        let edit = Edit { range: at.start..at.start + before, text: blanks };
        said.push(finding.fix(&**text).edit(edit));
    }
    match yaml::parse_map(&(lines.join("\n") + "\n")) {
        Ok(meant) => {
            found.append(&mut said);
            meant
        }
        Err(_) => pairs,
    }
}

/// `name: a` above a closing `---` is a heading to Markdown, and some formatters write it as one:
/// `## name: a`, without the fence.
fn heading_name(block: &Block<'_>, found: &mut Vec<Diagnostic>) -> Option<Pair> {
    let (index, name) = block.inner().iter().enumerate().find_map(|(index, line)| {
        let name = line.text.trim_start_matches('#').trim_start().strip_prefix("name:")?;
        (line.text.starts_with('#') && !name.trim().is_empty()).then(|| (index, name.trim()))
    })?;
    let line = block.inner()[index];
    let marks = line.text.find("name:")?;
    let at = Place { line: (block.first + index) as u32 + 1, column: marks as u32 + 1, length: 4 };
    let message = "the name is a heading; a formatter took --- for an underline";
    found.push(
        Diagnostic::new(&FRONTMATTER_UNCLOSED, message)
            .at(at.line, 1, at.column, line.text)
            .fix(&line.text[marks..])
            .edit(Edit { range: line.start..line.start + marks, text: String::new() }),
    );
    Some(Pair { key: "name".to_owned(), at, value: Node::from_value(name.into(), at) })
}
