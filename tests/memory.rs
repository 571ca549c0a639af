//! How much the server holds in memory while it takes the largest bundle there is.

use crate::support::{Registry, Sandbox, Skill};

const MEBIBYTE: usize = 1 << 20;

#[test]
fn a_bundle_of_fifty_mebibytes_stays_below_150_megabytes() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let mut skill = Skill::new("heavy");
    // Noise does not compress: the archive is as large as the bundle.
    let mut state = 1_u64;
    let mut noise = |bytes: usize| -> Vec<u8> {
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as u8
        })
        .take(bytes)
        .collect()
    };
    for number in 0..5 {
        let size = if number == 4 { 10 * MEBIBYTE - 4096 } else { 10 * MEBIBYTE };
        skill = skill.file(&format!("noise/{number}.bin"), noise(size));
    }
    skill.publish(&author, "1.0.0").success();

    let status = fs_err::read_to_string(format!("/proc/{}/status", registry.pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").trim().parse().unwrap();
    eprintln!("peak resident memory: {kilobytes} kB");
    assert!(kilobytes < 150_000, "{kilobytes} kB");

    let reader = Sandbox::with(&registry);
    reader.skill(["install", "acme/heavy"]).success();
    reader.skill(["verify"]).success();
}
