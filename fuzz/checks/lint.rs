//! What holds for every skill of several files: lint comes to an end and says the same twice, each finding about a
//! file points at a place in it, and what its edits make of a text is a text, which lint reads again.
//!
//! An input is files, each behind a line `=== PATH`, or `=== *PATH` for one that may be executed.

use skill_bundle::{Bundle, BundleBuilder, BundlePath, Limits};
use skill_core::diagnostic::{Diagnostic, apply_edits};
use skill_core::lint::{LintFile, LintInput, lint};

const MARK: &str = "=== ";

pub(crate) fn check(data: &[u8]) {
    let Some(bundle) = bundle(data) else { return };
    for strict in [false, true] {
        let mut files: Vec<_> = bundle
            .files()
            .map(|(path, file)| LintFile {
                path: path.as_str(),
                executable: file.executable(),
                content: file.content(),
            })
            .collect();
        let found = judged(&files, strict);
        assert_eq!(judged(&files, strict), found);
        assert!(found.iter().all(|one| !one.code.is_empty() && !one.message.is_empty()));
        let mended: Vec<_> = files.iter().map(|file| mended(file, &found)).collect();
        for (file, content) in files.iter_mut().zip(&mended) {
            file.content = content;
        }
        judged(&files, strict);
    }
}

/// The files as a folder could hold them: what is judged was packed before. `None` if no bundle holds them.
pub(crate) fn bundle(data: &[u8]) -> Option<Bundle> {
    let mut builder = BundleBuilder::new(Limits { files: 16, ..Limits::default() });
    let mark = MARK.as_bytes();
    let mut rest = data.strip_prefix(mark)?;
    loop {
        let next = rest.windows(mark.len() + 1).position(|bytes| bytes.strip_prefix(b"\n") == Some(mark));
        let (file, behind) = rest.split_at(next.map_or(rest.len(), |at| at + 1));
        let line = file.iter().position(|byte| *byte == b'\n').unwrap_or(file.len());
        let (path, content) = (&file[..line], file.get(line + 1..).unwrap_or_default());
        let executable = path.starts_with(b"*");
        let path = BundlePath::from_bytes(path.strip_prefix(b"*").unwrap_or(path)).ok()?;
        builder.add(path, executable, content.to_vec()).ok()?;
        match behind.strip_prefix(mark) {
            Some(behind) => rest = behind,
            None => return builder.finish().ok(),
        }
    }
}

fn judged(files: &[LintFile<'_>], strict: bool) -> Vec<Diagnostic> {
    lint(&LintInput { folder: Some("slug"), files, strict })
}

/// The file after the edits of all findings about it, each of which is held against it first.
fn mended(file: &LintFile<'_>, found: &[Diagnostic]) -> Vec<u8> {
    let about: Vec<_> = found.iter().filter(|one| one.file == file.path).collect();
    for one in &about {
        points_into(one, file.content);
    }
    let (mended, _) = apply_edits(file.content, about.iter().filter_map(|one| one.edit.as_ref()));
    let was_text = str::from_utf8(file.content).is_ok();
    assert!(!was_text || str::from_utf8(&mended).is_ok(), "{}", file.path);
    mended
}

fn points_into(one: &Diagnostic, content: &[u8]) {
    let text = String::from_utf8_lossy(content);
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let line = text.split('\n').nth(one.line as usize - 1);
    let columns = line.unwrap_or_else(|| panic!("no such line: {one:?}")).chars().count() as u32 + 1;
    assert!(1 <= one.column && one.column <= one.end_column && one.end_column <= columns, "{one:?}");
    if let Some(edit) = &one.edit {
        assert!(edit.range.start <= edit.range.end && edit.range.end <= content.len(), "{one:?}");
    }
}
