//! One file as numbered lines, or, where it is no text, as its first bytes.

use std::fmt::Write as _;

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_bundle::BundlePath;
use skill_core::verdict::Finding;

use super::TextOf;
use crate::app::App;
use crate::http::extract::file_not_found;
use crate::problem::ApiError;
use crate::skill_md::{SHOWN_BYTES, file_of};
use crate::store::files::FileRow;
use crate::web::address::Address;
use crate::web::badge::Badge;
use crate::web::page::page;
use crate::web::skill::find::Shown;
use crate::web::skill::head::Head;
use crate::web::text::hides_something;
use crate::web::words::bytes;

/// Bytes of a file that is no text, as they are shown.
const DUMPED: usize = 256;

/// Lines of a file, as they are shown.
const LINES: usize = 5_000;

#[derive(Debug, Serialize)]
struct View {
    head: Head,
    path: String,
    size: String,
    digest: String,
    kind: String,
    /// What the text is decoded from, where it is no UTF-8.
    encoding: &'static str,
    executable: bool,
    raw: Address,
    hides: bool,
    /// Whether only the beginning is shown.
    cut: bool,
    lines: Vec<Line>,
    /// Offset, bytes and letters, of what is no text.
    dump: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Line {
    number: usize,
    text: String,
    findings: Vec<Mark>,
}

/// A finding at its line.
#[derive(Debug, Serialize)]
struct Mark {
    badge: Badge,
    message: String,
    rule: String,
}

pub(super) async fn one(
    app: &App,
    shown: &Shown,
    head: Head,
    listed: &[FileRow],
    path: &str,
) -> Result<Response, ApiError> {
    let row = listed.iter().find(|file| file.path == path).ok_or_else(file_not_found)?;
    let inside = BundlePath::parse(&row.path).map_err(ApiError::internal)?;
    let mut content = file_of(app, &shown.line, inside).await?.ok_or_else(file_not_found)?;
    let long = content.len() > SHOWN_BYTES;
    content.truncate(SHOWN_BYTES);
    let read = TextOf::read(&content, long);
    let text = read.as_ref().map(|read| read.text.as_ref());
    let cut = long || text.is_some_and(|text| text.lines().nth(LINES).is_some());
    let view = View {
        size: bytes(row.size),
        digest: row.sha256.to_string(),
        kind: row.content_type.clone(),
        encoding: read.as_ref().map_or("", |read| read.encoding),
        executable: row.executable,
        raw: head.pages.raw(&head.version, &row.path),
        hides: text.is_some_and(hides_something),
        cut,
        lines: text.map(|text| lines(text, &row.path, &shown.release.findings)).unwrap_or_default(),
        dump: if text.is_none() { dump(&content[..content.len().min(DUMPED)]) } else { Vec::new() },
        path: row.path.clone(),
        head,
    };
    let mut frame = view.head.frame(view.head.pages.file(&view.head.version, &view.path));
    frame.title = frame.title.replacen("Files of", &format!("{} in", view.path), 1);
    page(app, StatusCode::OK, "file.html", &frame, &view)
}

fn lines(text: &str, path: &str, findings: &[Finding]) -> Vec<Line> {
    let at = |number: usize| {
        let here = findings.iter().filter(|one| one.file == path && one.line as usize == number);
        here.map(|finding| Mark {
            badge: Badge::severity(finding.severity),
            message: finding.message.clone(),
            rule: finding.rule_id.clone(),
        })
        .collect()
    };
    text.lines()
        .zip(1..)
        .take(LINES)
        .map(|(text, number)| Line { number, text: text.to_owned(), findings: at(number) })
        .collect()
}

/// Rows of 8 bytes, which a phone has room for.
fn dump(content: &[u8]) -> Vec<String> {
    const BYTES: usize = 8;
    content
        .chunks(BYTES)
        .zip(0_usize..)
        .map(|(chunk, row)| {
            let mut line = format!("{:04x} ", row * BYTES);
            for byte in chunk {
                // Writing to a string cannot end in an error.
                let _ = write!(line, "{byte:02x} ");
            }
            let letters: String = chunk
                .iter()
                .map(|byte| if (b' '..=b'~').contains(byte) { *byte as char } else { '·' })
                .collect();
            format!("{line:29}{letters}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_laid_out() {
        assert_eq!(
            dump(b"\x7fELF\x02<b>\n1"),
            ["0000 7f 45 4c 46 02 3c 62 3e ·ELF·<b>", "0008 0a 31                   ·1"]
        );
    }
}
