//! Relative links of the instructions and of the pages that come with them.

use std::collections::HashMap;
use std::ops::Range;

use percent_encoding::percent_decode_str;

use crate::diagnostic::{Diagnostic, Edit, Rule, rules};

use super::places::{self, Places, resolved};
use super::{Family, Findings, LintFile, Skill, at_line};
use crate::page::{Page, PageLine, code_spans};

mod absolute;
mod anchors;
mod spelling;

use anchors::Anchors;

pub(super) const FAMILY: Family = Family { title: "Links", rules: RULES, check };

rules! {
    pub(super) static RULES;

    LINK_BROKEN Warning "link-broken"
        "a relative link leads to no file of the skill"
        why "The agent looks for the file, finds nothing and goes on without what stands in it."
        fix "Correct the path, or add the file. A path starts from the page that the link stands on."
        source "Agent Skills specification, file references";
    LINK_CASE Warning "link-case"
        "a relative link spells a file in another letter case, or in decomposed letters"
        why "It works on systems that do not tell the two apart, and nowhere else."
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
    LINK_ABSOLUTE Warning "link-absolute"
        "a link leads to a place on the disk of whoever reads it"
        why "`/x.md`, `~/x.md`, `file:` and `C:\\x.md` lead to a file that only the author's machine has."
        fix "Write the path from the page, of a file that the skill has, or link to its address on the web."
        source "Agent Skills specification, file references";
}

/// Bytes of a target at most; a path of a bundle is shorter.
const TARGET: usize = 2048;

/// What links can lead to: the files of the bundle, their folders, and the parts of its pages.
struct Targets<'a> {
    places: Places<'a>,
    files: &'a [LintFile<'a>],
    /// The parts of the pages that links have named so far.
    anchors: HashMap<&'a str, Option<Anchors>>,
}

/// What is wrong with a link.
struct Wrong {
    rule: &'static Rule,
    message: String,
    /// What stands at the target's place afterwards, if a program can tell.
    fixed: Option<String>,
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let mut targets = Targets::of(skill.input.files);
    links_of(&skill.page, "SKILL.md", &mut targets, |line, range, text| skill.edit(line, range, text), found);
    for (file, page) in skill.other_pages() {
        let edit = |line: &PageLine<'_>, range: Range<usize>, text: &str| {
            let start = file.text_start() + line.start;
            Some(Edit { range: start + range.start..start + range.end, text: text.to_owned() })
        };
        links_of(&page, file.path, &mut targets, edit, found);
    }
}

fn links_of(
    page: &Page<'_>,
    path: &str,
    known: &mut Targets<'_>,
    edit: impl Fn(&PageLine<'_>, Range<usize>, &str) -> Option<Edit>,
    found: &mut Findings,
) {
    let mut own = None;
    for line in page.prose() {
        for (at, target) in targets(line.text) {
            let Some(wrong) = known.judge((page, &mut own), path, target) else { continue };
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
    // The spans stand in order, so the first that ends behind a place is the one that can hold it.
    let is_code = |at: usize| {
        code.get(code.partition_point(|span| span.end <= at)).is_some_and(|span| span.start <= at)
    };
    let closed = text.rfind(')').unwrap_or(0);
    for (at, _) in text.match_indices("](") {
        let start = at + 2;
        let rest = near(text, start);
        let end = if rest.starts_with('<') {
            rest.find('>').map(|end| end + 1)
        } else {
            rest.find([')', ' ', '\t'])
        };
        let end = end.unwrap_or(rest.len());
        if closed >= start + end && !is_code(at) && !is_escaped(text, at) {
            found.push((start, &rest[..end]));
        }
    }
    for attribute in ["src=\"", "href=\""] {
        for (at, _) in text.match_indices(attribute) {
            let start = at + attribute.len();
            let rest = near(text, start);
            if let Some(end) = rest.find('"').filter(|_| !is_code(at)) {
                found.push((start, &rest[..end]));
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

/// Whether a backslash makes the bracket before the link's end, or that end, plain text (CommonMark 2.4).
fn is_escaped(text: &str, at: usize) -> bool {
    let near = &text[text.ceil_char_boundary(at.saturating_sub(TARGET))..at];
    let open = near.rfind('[').is_some_and(|open| near[..open].ends_with('\\'));
    open || near.ends_with('\\')
}

/// What follows a place, as far as a target can go.
fn near(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    &rest[..rest.floor_char_boundary(TARGET)]
}

impl<'a> Targets<'a> {
    fn of(files: &'a [LintFile<'a>]) -> Self {
        Self { places: Places::of(files), files, anchors: HashMap::new() }
    }

    /// What is wrong with a target on the page `from`: nothing if it is no relative path, or leads to something. `page`
    /// is that page, with its parts once they are known.
    fn judge(
        &mut self,
        (page, own): (&Page<'_>, &mut Option<Anchors>),
        from: &str,
        target: &str,
    ) -> Option<Wrong> {
        let bare = target.trim_matches(['<', '>']);
        let (path, fragment) = bare.split_once('#').map_or((bare, None), |(path, part)| (path, Some(part)));
        let path = path.split('?').next().unwrap_or_default();
        if path.is_empty() {
            let has = own.get_or_insert_with(|| Anchors::of(page)).has(fragment?);
            return (!has).then(|| missing_anchor("this page", fragment.unwrap_or_default()));
        }
        if let Some(rest) = absolute::below_the_root(path) {
            let message = format!("{path} leads to the reader's disk, not into the skill");
            let inside = resolved("SKILL.md", rest).filter(|inside| !inside.is_empty());
            let fixed = inside.filter(|inside| path.starts_with('/') && self.places.holds(inside));
            let fixed = fixed.map(|inside| target.replacen(path, &inside, 1));
            return Some(Wrong { rule: &LINK_ABSOLUTE, message, fixed });
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
        if let Some(there) = near.iter().chain(&far).find(|path| self.places.holds(path)) {
            return self.anchor_of(there, fragment?);
        }
        let Some(wanted) = near else {
            let message = format!("{path} leads out of the skill's folder");
            return Some(Wrong { rule: &LINK_OUTSIDE, message, fixed: None });
        };
        Some(self.absent(&wanted, path, target))
    }

    fn absent(&self, wanted: &str, written: &str, target: &str) -> Wrong {
        let Some(spelled) = self.places.spelled(wanted) else {
            let message = format!("there is no {wanted} in the skill");
            return Wrong { rule: &LINK_BROKEN, message, fixed: None };
        };
        let message = if places::composed(wanted) == *spelled {
            format!(
                "{wanted} is written with accents of their own (NFD), the file with letters that have them (NFC)"
            )
        } else {
            format!("there is no {wanted}; the file is spelled {spelled}")
        };
        let renamed = spelling::of_file(written, spelled);
        let fixed = renamed.map(|renamed| target.replacen(written, &renamed, 1));
        Wrong { rule: &LINK_CASE, message, fixed: fixed.filter(|fixed| fixed != target) }
    }

    fn anchor_of(&mut self, path: &str, fragment: &str) -> Option<Wrong> {
        let file = self.files.iter().find(|file| file.is_page() && file.path.eq_ignore_ascii_case(path))?;
        let anchors = self.anchors.entry(file.path);
        let anchors = anchors.or_insert_with(|| Some(Anchors::of(&Page::of(file.text()?, 1))));
        (!anchors.as_ref()?.has(fragment)).then(|| missing_anchor(path, fragment))
    }
}

/// The finding for a part of a page that is not there.
fn missing_anchor(of: &str, fragment: &str) -> Wrong {
    let message = format!("{of} has no heading for #{fragment}");
    Wrong { rule: &LINK_ANCHOR, message, fixed: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Vec<String> {
        let page = format!("# Part one\n\n{line}");
        let page = Page::of(&page, 1);
        let file = |path, content| LintFile { path, executable: false, content };
        let files = [
            file("SKILL.md", b"".as_slice()),
            file("references/api.md", b"# API\n\n## Part\n"),
            file("a b.md", b""),
        ];
        let mut known = Targets::of(&files);
        let mut own = None;
        targets(line)
            .iter()
            .filter_map(|(_, target)| known.judge((&page, &mut own), "SKILL.md", target))
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
            "[site](https://example.org/x.md) [mail](mailto:x@y.z) [here](#part-one) [command](/owner:skill)",
            "`[a](gone.md)` [t]({url}/x.md) [x](y) [w](https://en.org/a_(b))",
            "[^1]: note.md",
            "[a](#part-one-1) [b](#top) [c](references/api.md#L10)",
            "\\[a](gone.md) and [a\\](gone.md)",
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
        assert_eq!(
            said("[a](/etc/x.md) [b](~/x.md) [c](file:///x) [d](C:\\x.md) [e](/references/api.md#part)"),
            [
                "/etc/x.md leads to the reader's disk, not into the skill",
                "~/x.md leads to the reader's disk, not into the skill",
                "file:///x leads to the reader's disk, not into the skill",
                "C:\\x.md leads to the reader's disk, not into the skill",
                "/references/api.md leads to the reader's disk, not into the skill -> references/api.md#part",
            ]
        );
        assert_eq!(said("[label]: gone.md"), ["there is no gone.md in the skill"]);
        assert_eq!(said("[a](#nowhere)"), ["this page has no heading for #nowhere"]);
        assert_eq!(said("[a](references/api.md#no)"), ["references/api.md has no heading for #no"]);
        assert_eq!(said("<img src=\"img/gone.png\">"), ["there is no img/gone.png in the skill"]);
    }
}
