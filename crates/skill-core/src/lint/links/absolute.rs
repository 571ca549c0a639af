//! Links to a place on the disk of one machine.

/// What stands behind the root of the disk, or behind the folder of a person; none if the path does not begin there.
///
/// On the web `/x` begins at the root of a site: so a name without an ending, which is a page there, is passed over.
pub(super) fn below_the_root(path: &str) -> Option<&str> {
    if let Some(scheme) = path.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        return Some(path[scheme.len()..].trim_start_matches('/'));
    }
    if let Some(rest) = path.strip_prefix("~/") {
        return Some(rest);
    }
    if let [letter, b':', b'/' | b'\\', ..] = path.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        return Some(&path[3..]);
    }
    let rest = path.strip_prefix('/').filter(|rest| !rest.starts_with('/'))?;
    let name = rest.rsplit('/').next().unwrap_or_default();
    let is_pattern = rest.contains(['{', '}', '<', '>', '$', '*', '|', ':']) || rest.contains("...");
    (name.contains('.') && !is_pattern).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_paths_begin() {
        for (path, rest) in [
            ("/etc/x.md", Some("etc/x.md")),
            ("~/notes/x.md", Some("notes/x.md")),
            ("FILE:///x.md", Some("x.md")),
            ("c:\\x.md", Some("x.md")),
            ("D:/x.md", Some("x.md")),
            ("/docs/security", None),
            ("/owner:skill", None),
            ("//example.org/x.md", None),
            ("/{slug}/x.md", None),
            ("https://x.org/y.md", None),
            ("a/b.md", None),
            ("天:/x", None),
        ] {
            assert_eq!(below_the_root(path), rest, "{path}");
        }
    }
}
