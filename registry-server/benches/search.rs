//! `cargo bench -p skill-registry`: how long the index needs for the best 20 of 50,000 skills (docs/PERFORMANCE.md,
//! "Figures").
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot go on ends")]
#![allow(clippy::print_stdout, reason = "the table is the point")]

use std::time::{Duration, Instant};

use skill_core::name::SkillName;
use skill_registry::search::{Change, Document, SearchIndex};

const SKILLS: usize = 50_000;
const RUNS: usize = 200;
/// Words in the body of a skill.
const WORDS: usize = 120;
/// Words that there are; the n-th is met about 1/n as often as the first (Zipf).
const VOCABULARY: usize = 20_000;
/// The goal for the slowest one in a hundred.
const GOAL: Duration = Duration::from_millis(3);

/// Numbers that are the same in every run (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    /// Between 0 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The number of a word.
    fn word(&mut self) -> usize {
        (VOCABULARY as f64).powf(self.next()) as usize - 1
    }
}

/// Two to five syllables: common words share their beginnings with rare ones, as they do.
fn word(mut number: usize) -> String {
    const SYLLABLES: [&str; 12] =
        ["do", "ku", "re", "vi", "pa", "ter", "an", "se", "mo", "li", "con", "test"];
    let mut word = SYLLABLES[number % 12].to_owned();
    number /= 12;
    loop {
        word.push_str(SYLLABLES[number % 12]);
        number /= 12;
        if number == 0 {
            return word;
        }
    }
}

fn text(numbers: &mut Numbers, words: usize) -> String {
    (0..words).map(|_| word(numbers.word()) + " ").collect()
}

fn skill(numbers: &mut Numbers, n: usize) -> Change {
    let slug = format!("{}-{}-{n}", word(numbers.word()), word(numbers.word()));
    let name: SkillName = format!("owner-{}/{slug}", n % 3_000).parse().unwrap();
    Change::Put(Box::new(Document {
        id: format!("{n:032x}"),
        display_name: text(numbers, 3),
        summary: text(numbers, 20),
        body: text(numbers, WORDS),
        suspicious: n.is_multiple_of(50),
        card: name.to_string().into_bytes().repeat(20),
        name,
    }))
}

fn main() {
    let mut numbers = Numbers(0x5eed);
    let index = SearchIndex::new().unwrap();
    let began = Instant::now();
    for batch in 0..SKILLS / 500 {
        let from = batch * 500;
        index.apply((from..from + 500).map(|n| skill(&mut numbers, n))).unwrap();
    }
    println!(
        "{SKILLS} skills indexed in {:.1} s; best 20, {RUNS} runs each\n",
        began.elapsed().as_secs_f64()
    );
    println!("| query | found | p50 | p99 | p99 <= 3 ms |\n|---|---|---|---|---|");
    let (common, middle, rare) = (word(0), word(200), word(15_000));
    let queries = [
        ("the most common word", common.clone()),
        ("a word of the middle", middle.clone()),
        ("a rare word", rare),
        ("two common words", format!("{common} {}", word(1))),
        ("a common and a middle word", format!("{common} {middle}")),
        ("five common words", (0..5).map(|n| word(n) + " ").collect()),
        ("two letters", "do".to_owned()),
        ("one letter", "d".to_owned()),
        ("three letters", "con".to_owned()),
        ("nothing like it", "zzzzzz".to_owned()),
    ];
    for (what, query) in &queries {
        for (with, without_suspicious) in [("", false), (", clean only", true)] {
            row(&index, &format!("{what}{with}"), query, without_suspicious);
        }
    }
}

fn row(index: &SearchIndex, what: &str, query: &str, without_suspicious: bool) {
    let mut times = Vec::with_capacity(RUNS);
    let mut found = 0;
    for _ in 0..RUNS {
        let began = Instant::now();
        found = index.find(query, 20, without_suspicious).unwrap().len();
        times.push(began.elapsed());
    }
    times.sort_unstable();
    let at = |share: f64| times[((RUNS - 1) as f64 * share) as usize];
    let (p50, p99) = (at(0.5), at(0.99));
    let met = if p99 <= GOAL { "yes" } else { "no" };
    println!("| {what} | {found} | {} us | {} us | {met} |", p50.as_micros(), p99.as_micros());
}
