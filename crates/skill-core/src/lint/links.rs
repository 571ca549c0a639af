//! Relative links of the instructions and of the pages that come with them.

use std::collections::HashSet;
use std::ops::Range;

use percent_encoding::percent_decode_str;

use crate::diagnostic::{Diagnostic, Edit, Rule, rules};

use super::page::{Kind, Page, PageLine, anchor, code_spans};
use super::{Family, LintFile, Skill, at_line, is_skill_md};

pub(super) const FAMILY: Family = Family { title: "Links", rules: RULES, check };

rules! {
    pub(super) static RULES;

    LINK_BROKEN Warning "link-broken"
        "a relative link leads to no file of the skill"
        why "The agent looks for the file, finds nothing and goes on without what stands in it."
        fix "Correct the path, or add the file. A path starts from the page that the link stands on."
        source "Agent Skills specification, file references";
    LINK_CASE Warning "link-case"
        "a relative link spells a file in another letter case"
        why "It works on systems that do not tell letter case apart, and nowhere else."
        fix "`skill lint --fix` writes the file's spelling."
        source "Agent Skills specification, file references";
    LINK_ANCHOR Warning "link-anchor"
        "a link leads to a heading that is not there"
        why "The reader lands at the top of a page and not at the place that is meant."
        fix "Name a heading of that page: lower case, blanks as hyphens."
        source "CommonMark pages as GitHub shows them";
    LINK_OUTSIDE Warning "link-outside"
        "a relative link leads out of the skill's folder"
        why "Only the folder is packed and installed; what lies beside it is not there on another machine."
        fix "Copy the file into the skill, or link to its address on the web."
        source "Agent Skills specification, file references";
}

/// The files of the bundle, and the anchors of its pages.
struct Places<'a> {
    paths: HashSet<&'a str>,
    files: &'a [LintFile<'a>],
}

/// What is wrong with a link.
struct Wrong {
    rule: &'static Rule,
    message: String,
    /// What stands at the target's place afterwards, if a program can tell.
    fixed: Option<String>,
}

fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    let paths = skill.input.files.iter().map(|file| if is_skill_md(file) { "SKILL.md" } else { file.path });
    let places = Places { paths: paths.collect(), files: skill.input.files };
    links_of(&skill.page, "SKILL.md", &places, |line, range, text| skill.edit(line, range, text), found);
    for file in skill.input.files {
        let is_page = file.is_page() && !is_skill_md(file);
        let Some(text) = file.text().filter(|_| is_page && !file.is_material() && !file.is_test()) else {
            continue;
        };
        let edit = |line: &PageLine<'_>, range: Range<usize>, text: &str| {
            let start = file.text_start() + line.start;
            Some(Edit { range: start + range.start..start + range.end, text: text.to_owned() })
        };
        links_of(&Page::of(text, 1), file.path, &places, edit, found);
    }
}

fn links_of(
    page: &Page<'_>,
    path: &str,
    places: &Places<'_>,
    edit: impl Fn(&PageLine<'_>, Range<usize>, &str) -> Option<Edit>,
    found: &mut Vec<Diagnostic>,
) {
    for line in page.prose() {
        for (at, target) in targets(line.text) {
            let Some(wrong) = places.judge(page, path, target) else { continue };
            let range = at..at + target.len();
            let mut said =
                at_line(Diagnostic::new(wrong.rule, wrong.message), line, range.clone()).in_file(path);
            if let Some(fixed) = wrong.fixed {
                said.edit = edit(line, range, &fixed);
                said = said.fix(fixed);
            }
            found.push(said);
        }
    }
}

/// The targets of `[text](target "title")`, `![alt](target)`, `[label]: target`, `src="target"` and `href="target"` with
/// their place in bytes; code spans are no links.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let code = code_spans(text);
    let is_code = |at: usize| code.iter().any(|span| span.contains(&at));
    for (at, _) in text.match_indices("](") {
        let start = at + 2;
        let rest = &text[start..];
        let end = if rest.starts_with('<') {
            rest.find('>').map(|end| end + 1)
        } else {
            rest.find([')', ' ', '\t'])
        };
        let end = end.unwrap_or(rest.len());
        if rest[end..].contains(')') && !is_code(at) {
            found.push((start, &rest[..end]));
        }
    }
    for attribute in ["src=\"", "href=\""] {
        for (at, _) in text.match_indices(attribute) {
            let start = at + attribute.len();
            if let Some(end) = text[start..].find('"').filter(|_| !is_code(at)) {
                found.push((start, &text[start..start + end]));
            }
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

impl Places<'_> {
    /// What is wrong with a target on the page `from`: nothing if it is no relative path, or leads to something.
    fn judge(&self, page: &Page<'_>, from: &str, target: &str) -> Option<Wrong> {
        let bare = target.trim_matches(['<', '>']);
        let (path, fragment) = bare.split_once('#').map_or((bare, None), |(path, part)| (path, Some(part)));
        let path = path.split('?').next().unwrap_or_default();
        if path.is_empty() {
            return missing_anchor(page, fragment?, "this page");
        }
        let is_elsewhere = path.starts_with(['/', '~', '@'])
            || path.contains(':')
            || path.contains(['{', '}', '<', '>', '$', '*', '|', '\\'])
            || path.contains("...");
        // A link to a file has a dot or a slash; `[x](y)` is more often no link at all.
        if is_elsewhere || !path.contains(['.', '/']) {
            return None;
        }
        let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
        // From the page, as Markdown says; else from the skill's folder, as the specification does.
        let (near, far) = (resolved(from, &decoded), resolved("SKILL.md", &decoded));
        if let Some(there) = near.iter().chain(&far).find(|path| self.holds(path)) {
            return self.anchor_of(there, fragment?);
        }
        let Some(wanted) = near else {
            let message = format!("{path} leads out of the skill's folder");
            return Some(Wrong { rule: &LINK_OUTSIDE, message, fixed: None });
        };
        Some(self.absent(&wanted, path, target))
    }

    /// Whether there is such a file, or a folder with files.
    fn holds(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty()
            || self.paths.contains(path)
            || self.paths.iter().any(|path| path.starts_with(&folder))
    }

    fn absent(&self, wanted: &str, written: &str, target: &str) -> Wrong {
        let spelled = self.paths.iter().find(|path| path.to_lowercase() == wanted.to_lowercase());
        let Some(spelled) = spelled else {
            let message = format!("there is no {wanted} in the skill");
            return Wrong { rule: &LINK_BROKEN, message, fixed: None };
        };
        let message = format!("there is no {wanted}; the file is spelled {spelled}");
        // As many parts from the end as the link names; `..` before them stays.
        let parts = written.split('/').rev().zip(spelled.split('/').rev());
        let same = parts.take_while(|(one, other)| one.to_lowercase() == other.to_lowercase());
        let tail: usize = same.map(|(one, _)| one.len() + 1).sum::<usize>().saturating_sub(1);
        let fits = spelled.len() >= tail && written.len() >= tail;
        let fixed = fits.then(|| {
            let renamed = format!("{}{}", &written[..written.len() - tail], &spelled[spelled.len() - tail..]);
            target.replacen(written, &renamed, 1)
        });
        Wrong { rule: &LINK_CASE, message, fixed: fixed.filter(|fixed| fixed != target) }
    }

    fn anchor_of(&self, path: &str, fragment: &str) -> Option<Wrong> {
        let file = self.files.iter().find(|file| file.is_page() && file.path.eq_ignore_ascii_case(path))?;
        missing_anchor(&Page::of(file.text()?, 1), fragment, path)
    }
}

/// The finding for a part of a page that is not there. Names are compared by letters and digits alone, as programs differ
/// in what they make of the rest.
fn missing_anchor(page: &Page<'_>, fragment: &str, of: &str) -> Option<Wrong> {
    let letters = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let decoded = percent_decode_str(fragment).decode_utf8().ok()?;
    let wanted = letters(&decoded);
    // `#L12` is a line, `#:~:text=` a text, `#` and `#top` the top.
    let is_other = wanted.is_empty()
        || wanted == "top"
        || fragment.contains([':', '=', '{', '/', '<'])
        || wanted.strip_prefix('l').is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit()));
    if is_other {
        return None;
    }
    let mut names: Vec<String> = page.headings().map(|(_, heading)| letters(&anchor(heading))).collect();
    let setext = page.lines.windows(2).filter(|pair| {
        let mark = pair[1].text.trim_end();
        mark.len() > 2 && (mark.bytes().all(|b| b == b'=') || mark.bytes().all(|b| b == b'-'))
    });
    names.extend(setext.map(|pair| letters(&anchor(pair[0].text))));
    let has_heading = names.iter().any(|name| {
        let repeated = wanted.strip_prefix(name.as_str());
        *name == wanted
            || repeated.is_some_and(|rest| rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_digit()))
    });
    let quoted = [format!("\"{decoded}\""), format!("'{decoded}'"), format!("{{#{decoded}}}")];
    let has_mark = page
        .lines
        .iter()
        .any(|line| line.kind != Kind::Code && quoted.iter().any(|mark| line.text.contains(mark)));
    (!has_heading && !has_mark).then(|| {
        let message = format!("{of} has no heading for #{fragment}");
        Wrong { rule: &LINK_ANCHOR, message, fixed: None }
    })
}

/// The path inside the bundle of a link on a page; `None` if it leaves the folder.
fn resolved(from: &str, target: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut segments: Vec<&str> = Vec::new();
    for segment in folder.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop()?,
            other => segments.push(other),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Vec<String> {
        let page = format!("# Part one\n\n{line}");
        let page = Page::of(&page, 1);
        let files =
            [LintFile { path: "references/api.md", executable: false, content: b"# API\n\n## Part\n" }];
        let places =
            Places { paths: HashSet::from(["SKILL.md", "references/api.md", "a b.md"]), files: &files };
        targets(line)
            .iter()
            .filter_map(|(_, target)| places.judge(&page, "SKILL.md", target))
            .map(|wrong| wrong.message + &wrong.fixed.map(|fixed| format!(" -> {fixed}")).unwrap_or_default())
            .collect()
    }

    #[test]
    fn links_that_lead_somewhere() {
        for line in [
            "[a](references/api.md)",
            "[a](./references/api.md#part \"Title\")",
            "[a](<a%20b.md>) [b](<a b.md>)",
            "[folder](references/)",
            "[site](https://example.org/x.md) [mail](mailto:x@y.z) [here](#part-one) [root](/etc/x.md)",
            "`[a](gone.md)` [t]({url}/x.md) [x](y) [w](https://en.org/a_(b))",
            "[^1]: note.md",
            "[a](#part-one-1) [b](#top) [c](references/api.md#L10)",
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
            said("[a](./References/API.md#part)"),
            [
                "there is no References/API.md; the file is spelled references/api.md -> ./references/api.md#part"
            ]
        );
        assert_eq!(said("[a](../other/SKILL.md)"), ["../other/SKILL.md leads out of the skill's folder"]);
        assert_eq!(said("[label]: gone.md"), ["there is no gone.md in the skill"]);
        assert_eq!(said("[a](#nowhere)"), ["this page has no heading for #nowhere"]);
        assert_eq!(said("[a](references/api.md#no)"), ["references/api.md has no heading for #no"]);
        assert_eq!(said("<img src=\"img/gone.png\">"), ["there is no img/gone.png in the skill"]);
    }

    #[test]
    fn where_a_link_leads() {
        assert_eq!(resolved("references/a.md", "../scripts/x.py").as_deref(), Some("scripts/x.py"));
        assert_eq!(resolved("SKILL.md", "./a/../b.md").as_deref(), Some("b.md"));
        assert_eq!(resolved("references/a.md", "../../x"), None);
    }
}
