use std::collections::BTreeSet;

use skill_bundle::SKILL_MD;

use super::compare::Pair;

/// What matters most comes first, so that nobody can put files before it that use up what a page has room for:
/// `SKILL.md`, then whatever may run or was found fault with, then the rest; of each the smallest first. What only moved
/// has no lines to read and comes last.
pub(super) fn place<'a>(path: &'a str, pair: Pair<'_>, faulty: &BTreeSet<&str>) -> (u8, u64, &'a str) {
    let rank = if pair.was().is_some() {
        3
    } else if path == SKILL_MD {
        0
    } else if faulty.contains(path)
        || pair.files().any(|file| file.executable || !is_data(&file.content_type, path))
    {
        1
    } else {
        2
    };
    (rank, pair.sizes().iter().sum(), path)
}

/// Whether files of this kind are read or looked at and never run. What is not known may run; so may a text whose name
/// has no ending, as a `Makefile`.
fn is_data(content_type: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match content_type {
        "text/plain" => name.contains('.'),
        "text/markdown" | "text/csv" | "application/pdf" | "application/zip" | "application/gzip" => true,
        other => other.starts_with("image/") && other != "image/svg+xml",
    }
}
