//! Relative links of the instructions.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;

use crate::diagnostic::{Diagnostic, LINK_BROKEN, LINK_OUTSIDE};
use crate::frontmatter::lines::{Line, lines};

use super::Skill;

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let paths: HashSet<&str> = skill.input.files.iter().map(|file| file.path).collect();
    let mut fence = None;
    for (index, line) in lines(skill.body).enumerate() {
        let was_code = fence.is_some();
        fence = code_fence(line.text, fence);
        if was_code || fence.is_some() {
            continue;
        }
        for (at, target) in targets(&line) {
            let Some((rule, message)) = judge(target, &paths) else { continue };
            let column = line.text[..at].chars().count() as u32 + 1;
            let number = skill.frontmatter.body_line + index as u32;
            let end = column + target.chars().count() as u32;
            found.push(Diagnostic::new(rule, message).at(number, column, end, line.text));
        }
    }
}

/// The code fence that is open after a line, as its character and length: a fence is closed by one
/// that is at least as long and stands alone (CommonMark 4.5).
fn code_fence(line: &str, open: Option<(char, usize)>) -> Option<(char, usize)> {
    let text = line.trim_start();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
    let Some(mark) = mark else { return open };
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    match open {
        Some((opened, least)) if mark == opened && length >= least && rest.trim().is_empty() => None,
        None if length >= 3 && !(mark == '`' && rest.contains('`')) => Some((mark, length)),
        open => open,
    }
}

/// The targets of `[text](target "title")`, `![alt](target)` and `[label]: target` with their place
/// in bytes; code spans are no links.
fn targets<'a>(line: &Line<'a>) -> Vec<(usize, &'a str)> {
    let text = line.text;
    let mut found = Vec::new();
    let code = code_spans(text);
    for (at, _) in text.match_indices("](") {
        let start = at + 2;
        let rest = &text[start..];
        let end = rest.find([')', ' ', '\t']).unwrap_or(rest.len());
        if rest[end..].contains(')') && !code.iter().any(|span| span.contains(&at)) {
            found.push((start, &rest[..end]));
        }
    }
    if let Some((label, target)) = text.split_once("]: ")
        && label.starts_with('[')
        && !label.starts_with("[^")
        && !label.contains(['(', '`'])
        && !target.trim().contains(' ')
    {
        found.push((text.len() - target.trim_start().len(), target.trim()));
    }
    found
}

/// The ranges of bytes between backticks.
fn code_spans(text: &str) -> Vec<std::ops::Range<usize>> {
    let ticks: Vec<usize> = text.match_indices('`').map(|(at, _)| at).collect();
    ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
}

/// What is wrong with a target: nothing if it is no relative path, or one of the bundle.
fn judge(target: &str, paths: &HashSet<&str>) -> Option<(&'static crate::diagnostic::Rule, String)> {
    let target = target.trim_matches(['<', '>']);
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let is_elsewhere = path.is_empty()
        || path.starts_with(['/', '~', '@'])
        || path.contains(':')
        || path.contains(['{', '}', '<', '>', '$', '*', '|', '\\'])
        || path.contains("...");
    // A link to a file has a dot or a slash; `[x](y)` is more often no link at all.
    if is_elsewhere || !path.contains(['.', '/']) {
        return None;
    }
    let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    let mut segments: Vec<&str> = Vec::new();
    for segment in decoded.split('/') {
        match segment {
            "" | "." => {}
            ".." if segments.pop().is_none() => {
                return Some((&LINK_OUTSIDE, format!("{path} leads out of the skill's folder")));
            }
            ".." => {}
            other => segments.push(other),
        }
    }
    let wanted = segments.join("/");
    let folder = format!("{wanted}/");
    if wanted.is_empty()
        || paths.contains(wanted.as_str())
        || paths.iter().any(|path| path.starts_with(&folder))
    {
        return None;
    }
    let spelled = paths.iter().find(|path| path.to_lowercase() == wanted.to_lowercase());
    Some((
        &LINK_BROKEN,
        match spelled {
            Some(spelled) => format!("there is no {wanted}; the file is spelled {spelled}"),
            None => format!("there is no {wanted} in the skill"),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Vec<String> {
        let paths = HashSet::from(["SKILL.md", "references/api.md", "a b.md"]);
        let line = lines(line).next().unwrap();
        targets(&line)
            .iter()
            .filter_map(|(_, target)| judge(target, &paths))
            .map(|(_, message)| message)
            .collect()
    }

    #[test]
    fn links_that_lead_somewhere() {
        for line in [
            "[a](references/api.md)",
            "[a](./references/api.md#part \"Title\")",
            "[a](<a%20b.md>)",
            "[folder](references/)",
            "[site](https://example.org/x.md) [mail](mailto:x@y.z) [here](#part) [root](/etc/x.md)",
            "`[a](gone.md)` [t]({url}/x.md) [x](y) [w](https://en.org/a_(b))",
            "[^1]: note.md",
        ] {
            assert_eq!(said(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn links_that_do_not() {
        assert_eq!(
            said("see [a](gone.md) and ![b](img/x.png)"),
            ["there is no gone.md in the skill", "there is no img/x.png in the skill"]
        );
        assert_eq!(
            said("[a](references/API.md)"),
            ["there is no references/API.md; the file is spelled references/api.md"]
        );
        assert_eq!(said("[a](../other/SKILL.md)"), ["../other/SKILL.md leads out of the skill's folder"]);
        assert_eq!(said("[label]: gone.md"), ["there is no gone.md in the skill"]);
    }
}
