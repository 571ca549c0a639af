//! What holds for every `SKILL.md`: each finding stands inside of the file, each edit is within its bytes,
//! what is read does not depend on who reads, and lint never ends the program.

use skill_core::diagnostic::Diagnostic;
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
    let lines = 1 + data.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u32;
    for one in found.iter().filter(|one| one.file == "SKILL.md") {
        assert!(!one.code.is_empty() && !one.message.is_empty(), "{one:?}");
        assert!((1..=lines).contains(&one.line), "{one:?}");
        assert!(1 <= one.column && one.column <= one.end_column, "{one:?}");
        if let Some(edit) = &one.edit {
            assert!(edit.range.start <= edit.range.end && edit.range.end <= data.len(), "{one:?}");
        }
    }
}
