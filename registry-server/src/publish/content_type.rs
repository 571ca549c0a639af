//! The media type of a file by its name. Advice for whoever shows it; nothing is decided by it.

const OCTETS: &str = "application/octet-stream";

/// The media type for a path's ending; `application/octet-stream` if it is not known.
pub(crate) fn of(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((_, ending)) = name.rsplit_once('.') else {
        return match name {
            "Dockerfile" | "LICENSE" | "Makefile" | "README" => "text/plain",
            _ => OCTETS,
        };
    };
    match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "txt" | "ini" | "cfg" | "conf" | "log" | "tmpl" => "text/plain",
        "yaml" | "yml" => "text/yaml",
        "json" => "application/json",
        "toml" => "application/toml",
        "sh" | "bash" => "application/x-sh",
        "py" => "text/x-python",
        "js" | "mjs" | "cjs" => "text/javascript",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "zip" | "skill" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "wasm" => "application/wasm",
        _ => OCTETS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_the_ending_of_the_last_segment() {
        assert_eq!(of("SKILL.md"), "text/markdown");
        assert_eq!(of("a.d/run.SH"), "application/x-sh");
        assert_eq!(of("a.md/tool"), OCTETS);
        assert_eq!(of("Dockerfile"), "text/plain");
        assert_eq!(of("x.unheard-of"), OCTETS);
    }
}
