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

/// The files after every fix that a program can make, round after round, until there is none; the rounds that it took.
fn at_rest(mut files: Vec<(String, bool, Vec<u8>)>) -> (Vec<(String, bool, Vec<u8>)>, usize) {
    for round in 0..16 {
        let input: Vec<LintFile<'_>> = files
            .iter()
            .map(|(path, executable, content)| LintFile { path, executable: *executable, content })
            .collect();
        let found = lint(&LintInput { folder: Some("weather"), files: &input, strict: false });
        for found in &found {
            let (_, _, content) = files.iter().find(|(path, ..)| *path == found.file).unwrap();
            points_into(content, found, std::path::Path::new(&found.file));
        }
        if !found.iter().any(Diagnostic::is_fixable) {
            return (files, round);
        }
        for (path, executable, content) in &mut files {
            let of_file = || found.iter().filter(|found| found.file == *path);
            let after = apply_edits(content, of_file().filter_map(|found| found.edit.as_ref())).0;
            assert!(after.is_ascii() || str::from_utf8(&after).is_ok() || str::from_utf8(content).is_err());
            *content = after;
            *executable |= of_file().any(|found| found.sets_executable);
        }
    }
    panic!("fixing does not come to rest: {files:#?}");
}

/// Names of files and folders, with letters whose other case has another length in UTF-8.
fn names() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec![
        "k", "\u{212A}", "K", "\u{df}", "\u{1e9e}", "i\u{307}", "\u{130}", "\u{2126}", "\u{3c9}", "\u{23a}",
        "\u{2c65}", "天", "a b", "..", "A", "a",
    ]);
    prop::collection::vec(segment, 1..4).prop_map(|segments| segments.join("/") + ".md")
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

    #[test]
    fn links_in_any_letter_case_are_judged_and_fixes_come_to_rest(
        paths in prop::collection::btree_set(names(), 1..5),
        links in prop::collection::vec((names(), any::<bool>()), 1..6),
        from in 0..5_usize,
    ) {
        let links: String = links
            .iter()
            .map(|(link, bare)| if *bare { format!("[x]({link})\n") } else { format!("[x](<{link}#天>)\n") })
            .collect();
        let head = "---\nname: weather\ndescription: Tells the weather: when asked\n---\n";
        let mut files = vec![("SKILL.md".to_owned(), false, format!("{head}{links}").into_bytes())];
        for (index, path) in paths.into_iter().filter(|path| !path.contains("..")).enumerate() {
            let text = if index == from { links.clone() } else { "# 天\n".to_owned() };
            files.push((path, false, text.into_bytes()));
        }
        at_rest(files);
    }

    #[test]
    fn fixes_of_all_files_come_to_rest(body in pieces(), script in pieces(), page in pieces()) {
        let text = format!("---\nname: weather\ndescription: {body:.60}\n---\n{body}");
        let (files, _) = at_rest(vec![
            ("SKILL.md".to_owned(), false, text.into_bytes()),
            ("scripts/x.sh".to_owned(), false, format!("#!/bin/sh\n{script}").into_bytes()),
            ("references/a.md".to_owned(), false, page.clone().into_bytes()),
            ("references/B.md".to_owned(), false, page.into_bytes()),
        ]);
        prop_assert_eq!(at_rest(files).1, 0);
    }
}
