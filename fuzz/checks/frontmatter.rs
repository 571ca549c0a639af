//! What holds for every `SKILL.md`: each finding stands inside of its line and shows it, each edit takes whole
//! characters, what all edits give reads, what is read does not depend on who reads, and lint never ends the program.

use skill_core::diagnostic::{Diagnostic, apply_edits};
use skill_core::frontmatter::Frontmatter;
use skill_core::lint::{LintFile, LintInput, lint};
use skill_core::manifest::Manifest;

pub(crate) fn check(data: &[u8]) {
    if let Ok(frontmatter) = Frontmatter::read(data) {
        assert!(frontmatter.body_start <= data.len());
        inside(&frontmatter.diagnostics, data);
        assert_eq!(Frontmatter::read(data).as_ref(), Ok(&frontmatter), "reading twice reads the same");
    }
    match Manifest::read(data, "slug") {
        Ok((manifest, found)) => {
            inside(&found, data);
            let (after, _) = apply_edits(data, found.iter().filter_map(|one| one.edit.as_ref()));
            assert!(Manifest::read(&after, "slug").is_ok(), "{found:?}");
            assert!(serde_json::to_vec(&manifest).is_ok());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    for strict in [false, true] {
        let files = [LintFile { path: "SKILL.md", executable: false, content: data }];
        inside(&lint(&LintInput { folder: Some("slug"), files: &files, strict }), data);
    }
}

fn inside(found: &[Diagnostic], data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines: Vec<&str> = text.trim_start_matches('\u{FEFF}').split('\n').flat_map(ended_by_cr).collect();
    for one in found.iter().filter(|one| one.file == "SKILL.md") {
        assert!(!one.code.is_empty() && !one.message.is_empty(), "{one:?}");
        let line = lines.get((one.line as usize).wrapping_sub(1));
        let line = line.unwrap_or_else(|| panic!("{one:?}"));
        let end = line.chars().count() as u32 + 1;
        assert!(1 <= one.column && one.column <= one.end_column && one.end_column <= end, "{one:?}");
        assert!(one.excerpt.is_empty() || one.excerpt == *line, "{one:?}");
        if let Some(edit) = &one.edit {
            assert!(str::from_utf8(data).is_ok_and(|text| text.get(edit.range.clone()).is_some()), "{one:?}");
        }
    }
}

/// The lines of what stands between two line feeds: CRLF and CR end one too.
fn ended_by_cr(part: &str) -> impl Iterator<Item = &str> {
    part.strip_suffix('\r').unwrap_or(part).split('\r')
}
