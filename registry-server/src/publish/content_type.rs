//! The media type of a file by its name: advice for whoever shows it. What it is sent as is decided by [`served`].

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

/// The media type under which the bytes of a file of such a type are sent. Skills have addresses of the registry's own
/// origin, and nobody but the registry may have a script or a stylesheet there: what a browser would run, apply or lay
/// out is text or octets, and `nosniff` holds it to that.
pub(crate) fn served(content_type: &str) -> &'static str {
    const INERT: [&str; 9] = [
        "text/plain",
        "text/markdown",
        "text/csv",
        "application/json",
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "application/zip",
    ];
    let written = content_type.starts_with("text/") || content_type.ends_with("/x-sh");
    let otherwise = if written { "text/plain" } else { OCTETS };
    INERT.into_iter().find(|inert| *inert == content_type).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_browsers_run_is_text_or_octets() {
        let endings = [
            "js", "mjs", "css", "html", "xml", "svg", "wasm", "pdf", "sh", "py", "yaml", "toml", "json",
            "md", "png",
        ];
        let shown: Vec<String> =
            endings.iter().map(|ending| format!("{ending} {}", served(of(&format!("a.{ending}"))))).collect();
        insta::assert_snapshot!(shown.join("\n"), @r"
        js text/plain
        mjs text/plain
        css text/plain
        html text/plain
        xml application/octet-stream
        svg application/octet-stream
        wasm application/octet-stream
        pdf application/octet-stream
        sh text/plain
        py text/plain
        yaml text/plain
        toml application/octet-stream
        json application/json
        md text/markdown
        png image/png
        ");
        for foreign in
            ["text/jscript", "text/css; charset=utf-8", "text/xsl", "TEXT/JAVASCRIPT", "image/svg+xml", ""]
        {
            assert!(["text/plain", OCTETS].contains(&served(foreign)), "{foreign}");
        }
    }

    #[test]
    fn by_the_ending_of_the_last_segment() {
        assert_eq!(of("SKILL.md"), "text/markdown");
        assert_eq!(of("a.d/run.SH"), "application/x-sh");
        assert_eq!(of("a.md/tool"), OCTETS);
        assert_eq!(of("Dockerfile"), "text/plain");
        assert_eq!(of("x.unheard-of"), OCTETS);
    }
}
