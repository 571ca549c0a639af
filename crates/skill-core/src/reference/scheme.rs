//! The text before the first `:`, and what was meant where it names no source.

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
    let distances = SOURCES.map(|source| distance(&lower, source));
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

/// Edit distance in which two neighbours that changed places count once.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().take(16).collect();
    let to: Vec<char> = to.chars().collect();
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i.max(j)
            } else {
                let change = usize::from(from[i - 1] != to[j - 1]);
                let mut least = (rows[i - 1][j - 1] + change).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_changed_places_count_once() {
        for (from, to, steps) in [
            ("gti", "git", 1),
            ("git", "git", 0),
            ("httsp", "http", 1),
            ("httsp", "https", 1),
            ("", "git", 3),
        ] {
            assert_eq!(distance(from, to), steps, "{from} {to}");
        }
    }
}
