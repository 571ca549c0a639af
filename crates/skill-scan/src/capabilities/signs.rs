//! What in a line of code is a sign of something that it reaches for.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Kind;

/// Programs that do something to the world, and are looked for; what every system has is not.
const PROGRAMS: &str = "ansible|apt|apt-get|aws|az|bash|brew|bun|bunx|cargo|chromium|claude|codex|conda|\
    crontab|curl|deno|dnf|docker|docker-compose|ffmpeg|ffprobe|flyctl|gcloud|gemini|gh|git|glab|go|gpg|\
    helm|heroku|himalaya|imagemagick|java|jq|kubectl|launchctl|lsof|magick|make|mvn|mysql|nc|ncat|netlify|\
    nmap|node|npm|npx|nslookup|ollama|openclaw|openssl|osascript|pandoc|pdftotext|perl|php|pip|pip3|pipx|\
    playwright|pnpm|poetry|powershell|psql|pwsh|python|python3|qpdf|redis-cli|rsync|ruby|rustc|scp|\
    screencapture|security|sftp|socat|sqlite3|ssh|sudo|supabase|systemctl|tesseract|terraform|tmux|uv|uvx|\
    vercel|wget|wrangler|xattr|yarn|yq|yt-dlp|zsh";

/// Variables that every process has.
const EVERYBODYS: [&str; 14] = [
    "HOME",
    "PATH",
    "USER",
    "PWD",
    "SHELL",
    "TERM",
    "LANG",
    "TMPDIR",
    "TEMP",
    "TMP",
    "OLDPWD",
    "HOSTNAME",
    "EDITOR",
    "BASH_SOURCE",
];

struct Signs {
    host: Regex,
    program: Regex,
    spawned: Regex,
    file: Regex,
    variable: Regex,
}

#[expect(clippy::expect_used, reason = "the expressions are part of the program, and tests use them")]
static SIGNS: LazyLock<Signs> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the expression reads");
    Signs {
        host: regex(concat!(
            r#"(?i)\b(?:https?|wss?|ftp)://(?:[^\s/@"'<>]*@)?(\[[0-9a-f:.]+\]|[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?)"#,
            r#"|\b(?:curl|wget)\s+(?:-\S+\s+)*["']?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?:[/:\s"']|$)"#,
        )),
        program: regex(&format!(
            r"(?:^|[;&|(`]|\$\(|\b(?:then|do|else|xargs|exec|nohup|time)\s)\s*(?:[A-Z_]+=\S*\s+)*({PROGRAMS})(?:\s|$)"
        )),
        spawned: regex(&format!(
            r#"(?:subprocess\.\w+|os\.(?:system|popen)|exec\w*|spawn\w*|Command::new)\s*\(\s*\[?\s*["'`](?:[\w./]*/)?({PROGRAMS})\b"#
        )),
        file: regex(
            r#"(?:^|[\s"'`=(:])((?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)[/\\][\w./\\-]+|/(?:etc|var|usr/local|opt|root|Library|System|proc)/[\w./-]+)"#,
        ),
        variable: regex(concat!(
            r#"(?:os\.environ(?:\.get\(|\[)|os\.getenv\(|getenv\(|process\.env\[|ENV\[|ENV\.fetch\(|env::var\()\s*["']([A-Z][A-Z0-9_]{2,})"#,
            r"|process\.env\.([A-Z][A-Z0-9_]{2,})|\$env:([A-Z][A-Z0-9_]{2,})",
            r"|\$\{?([A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|URL|USER|ID))\b",
        )),
    }
});

/// The signs in a line, each once.
pub(super) fn of_line(line: &str) -> BTreeSet<(Kind, String)> {
    let mut found = BTreeSet::new();
    let mut add = |kind, regex: &Regex| {
        for captures in regex.captures_iter(line) {
            let Some(name) = captures.iter().skip(1).flatten().next() else { continue };
            let name = match kind {
                Kind::Host => name.as_str().to_ascii_lowercase(),
                Kind::File => {
                    let path = name.as_str().replace("${HOME}", "~").replace("$HOME", "~");
                    path.trim_end_matches(['/', '.']).to_owned()
                }
                _ => name.as_str().to_owned(),
            };
            if !EVERYBODYS.contains(&name.as_str()) {
                found.insert((kind, name));
            }
        }
    };
    add(Kind::Host, &SIGNS.host);
    add(Kind::Program, &SIGNS.program);
    add(Kind::Program, &SIGNS.spawned);
    add(Kind::File, &SIGNS.file);
    add(Kind::Variable, &SIGNS.variable);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(line: &str) -> String {
        of_line(line).into_iter().map(|(kind, name)| format!("{kind} {name}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn what_is_a_sign() {
        assert_eq!(
            signs(r#"curl -H "X: $API_KEY" https://API.example.com/v1 > ~/.cache/x/a.json"#),
            "host api.example.com, program curl, file ~/.cache/x/a.json, variable API_KEY"
        );
        assert_eq!(
            signs(r#"subprocess.run(["git", "clone", os.environ["REPO_PATH"]])"#),
            "program git, variable REPO_PATH"
        );
        assert_eq!(signs("FOO=1 node x.js | jq . && gh pr list"), "program gh, program jq, program node");
        assert_eq!(signs("\tcurl -s example.com/x -o y"), "host example.com, program curl");
        assert_eq!(
            signs("fetch('http://[2001:db8::1]/'); x('https://пример.рф/')"),
            "host [2001:db8::1], host пример.рф"
        );
        assert_eq!(signs("const t = process.env.SLACK_BOT;"), "variable SLACK_BOT");
    }

    #[test]
    fn what_is_none() {
        assert_eq!(signs("the node of a tree; make sure"), "program make");
        assert_eq!(signs("a git repository, $HOME and src/etc/x"), "");
    }
}
