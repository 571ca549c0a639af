//! What holds for every text: lint comes to an end, points into the file, and what it fixes it fixes once.

use proptest::prelude::*;
use skill_core::diagnostic::{Diagnostic, apply_edits};
use skill_core::lint::{LintFile, LintInput, lint};

use crate::corpus::points_into;

fn found(body: &str, script: &str, path: &str) -> (Vec<u8>, Vec<Diagnostic>) {
    let text = format!("---\nname: weather\ndescription: {body:.60}\n---\n{body}").into_bytes();
    let files = [
        LintFile { path: "SKILL.md", executable: false, content: &text },
        LintFile { path, executable: false, content: script.as_bytes() },
        LintFile { path: "references/a.md", executable: false, content: script.as_bytes() },
        LintFile { path: "references/B.md", executable: false, content: body.as_bytes() },
    ];
    let found = lint(&LintInput { folder: Some("weather"), files: &files, strict: false });
    for found in &found {
        let content: &[u8] = match found.file.as_str() {
            "SKILL.md" => &text,
            "references/B.md" => body.as_bytes(),
            _ => script.as_bytes(),
        };
        points_into(content, found, std::path::Path::new(&found.file));
    }
    (text, found)
}

/// Pieces of Markdown and of code, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# ",
        "## Steps\n",
        "\n",
        "\n\n",
        "1. ",
        "2) ",
        "- ",
        "```",
        "```sh\n",
        "~~~",
        "`",
        "``",
        "[a](",
        "references/a.md",
        "References\\A.md",
        "#part",
        ")",
        "<",
        ">",
        "\"",
        "'",
        "$(",
        "$((",
        "))",
        "${A_KEY",
        "}",
        ":-x",
        "<<EOF\n",
        "EOF\n",
        "case x in ",
        "esac",
        ";;",
        "|",
        "&&",
        "export ",
        "A_TOKEN=",
        "$A_TOKEN",
        "curl ",
        "scripts/x.sh",
        "Run ",
        "exit 3",
        "天气",
        "“",
        "”",
        "e\u{301}",
        "🧑‍🍳",
        "\u{feff}",
        "\t",
        "\r\n",
        "\\",
        "\\\n",
        "<!-- ",
        "-->",
        "try not to delete ",
        ". ",
        "; ",
        "then ",
        "I can ",
        "process.env.",
        "os.environ[\"",
        "os.getenv('X'",
        "x",
        "ffmpeg ",
        "#!",
        "{#x}",
        "src=\"",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_text_is_judged(body in pieces(), script in pieces(), kind in 0..4_usize) {
        let path = ["scripts/x.sh", "scripts/x.py", "scripts/x.mjs", "scripts/x.txt"][kind];
        let (text, first) = found(&body, &script, path);
        let edits = first.iter().filter(|found| found.file == "SKILL.md").filter_map(|found| found.edit.as_ref());
        let (after, made) = apply_edits(&text, edits);
        prop_assert!(made == 0 || after != text);
    }

    #[test]
    fn any_characters_are_judged(body in "\\PC{0,60}", script in any::<String>()) {
        found(&body, &script, "scripts/x.sh");
        found(&script, &body, "scripts/x.py");
    }
}
