//! Properties begin from one fixed seed, as every test has a fixed clock and seed (docs/STYLE.md, "Tests").

use crate::sources;

const CONFIG: &str = ".cargo/config.toml";
/// With these a suite would choose its numbers itself, and `cargo xtask laws` could not give it others.
const OWN_SEED: [&str; 4] = ["rng_seed", "RngSeed", "PROPTEST_RNG_SEED", "TestRunner::new_with_rng"];

#[test]
fn the_seed_is_fixed_in_one_place() {
    let config = fs_err::read_to_string(sources::root().join(CONFIG)).unwrap();
    let seed = config.lines().find_map(|line| line.strip_prefix("PROPTEST_RNG_SEED = \"")?.strip_suffix('"'));
    assert!(seed.is_some_and(|seed| seed.parse::<u64>().is_ok()), "{CONFIG}:\n{config}");
    // Whoever sets the variable gets the seed that they ask for.
    assert!(!config.contains("force"), "{CONFIG}:\n{config}");
    let (_, env) = config.split_once("[env]\n").unwrap();
    assert!(env.contains("PROPTEST_RNG_SEED"), "{CONFIG}:\n{config}");
}

#[test]
fn every_suite_keeps_to_it() {
    let mut suites = 0;
    for source in sources::all().into_iter().filter(|source| !source.path.starts_with("xtask/")) {
        suites += usize::from(source.text.contains("proptest! {"));
        for own in OWN_SEED {
            assert!(!source.text.contains(own), "{} has {own}; the seed is that of {CONFIG}", source.path);
        }
        for (at, opening) in source.text.match_indices("ProptestConfig {") {
            let literal = source.text[at + opening.len()..].split('}').next().unwrap_or_default();
            assert!(
                literal.contains("..ProptestConfig::default()"),
                "{}: a configuration without `..ProptestConfig::default()` has a seed of its own",
                source.path
            );
        }
    }
    assert!(suites > 10, "{suites}");
}
