#![allow(clippy::all, clippy::pedantic, clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]
use skill_bundle::*;
fn walk(p: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    let Ok(rd) = std::fs::read_dir(p) else { return };
    for e in rd.flatten() {
        let Ok(t) = e.file_type() else { continue };
        if t.is_dir() { walk(&e.path(), out) } else if t.is_file() { out.push(e.path()) }
    }
}
fn main() {
    let mut files = vec![];
    for a in std::env::args().skip(1) { walk(a.as_ref(), &mut files); }
    files.sort();
    let (mut bytes, mut time, mut slow) = (0u64, std::time::Duration::ZERO, vec![]);
    let rules = skill_scan::RuleSet::builtin();
    for f in files {
        let Ok(b) = std::fs::read(&f) else { continue };
        if b.len() > 10 << 20 { continue }
        let mut bb = BundleBuilder::new(Limits::default());
        let name = f.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(path) = BundlePath::parse(&name) else { continue };
        let len = b.len();
        if bb.add(path, false, b).is_err() { continue }
        if !name.eq_ignore_ascii_case("skill.md") { if bb.add(BundlePath::parse("SKILL.md").unwrap(), false, vec![]).is_err() {continue} }
        let Ok(b) = bb.finish() else { continue };
        let t = std::time::Instant::now();
        let r = skill_scan::scan(&b, rules);
        let t = t.elapsed();
        bytes += len as u64; time += t;
        slow.push((len as f64 / t.as_secs_f64() / 1e6, len, f.clone()));
        for x in r.findings { if !x.rule_id.starts_with("opaque") { println!("{:?} {}:{} {} | {}", x.severity, f.display(), x.line, x.rule_id, x.evidence); } }
    }
    slow.retain(|s| s.1 > 200_000);
    slow.sort_by(|a, b| a.0.total_cmp(&b.0));
    for s in slow.iter().take(15) { eprintln!("{:.0} MB/s {} {}", s.0, s.1, s.2.display()); }
    eprintln!("{} MB in {:?}: {:.0} MB/s", bytes / 1_000_000, time, bytes as f64 / time.as_secs_f64() / 1e6);
}
