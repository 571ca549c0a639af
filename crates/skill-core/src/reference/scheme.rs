//! The text before the first `:`, and what was meant where it names no source.

use strsim::osa_distance;

use super::git::{self, is_scp};
use super::{Reference, ReferenceError, github, url, without_credentials};

const SOURCES: [&str; 4] = ["git", "github", "http", "https"];

pub(super) fn with_scheme(
    text: &str,
    scheme: &str,
    is_folder: &dyn Fn(&str) -> bool,
) -> Result<Reference, ReferenceError> {
    let start = scheme.len() + 1;
    match scheme {
        "git" => git::git(text, start, is_folder).map(Reference::Git),
        "github" => github::github(text, start).map(Reference::GitHub),
        "http" | "https" => url::url(text),
        _ => Err(ReferenceError::UnknownScheme {
            scheme: scheme.to_owned(),
            did_you_mean: did_you_mean(text, scheme, &text[start..])
                .into_iter()
                .map(|meant| without_credentials(&meant))
                .collect(),
        }),
    }
}

fn did_you_mean(text: &str, scheme: &str, rest: &str) -> Vec<String> {
    if let Some(transport) = scheme.strip_prefix("git+") {
        return vec![format!("git:{transport}:{rest}")];
    }
    if (scheme == "ssh" && rest.starts_with("//")) || is_scp(text) {
        return vec![format!("git:{text}")];
    }
    if let Some(path) = rest.strip_prefix("//")
        && scheme == "file"
        && path.starts_with('/')
    {
        return vec![path.to_owned()];
    }
    let lower = scheme.to_ascii_lowercase();
    let distances = SOURCES.map(|source| osa_distance(&lower, source));
    let nearest = distances.into_iter().min().unwrap_or(usize::MAX);
    if nearest > 2 || nearest >= lower.chars().count() {
        return Vec::new();
    }
    SOURCES
        .iter()
        .zip(distances)
        .filter(|&(_, distance)| distance == nearest)
        .map(|(source, _)| format!("{source}:{rest}"))
        .collect()
}
