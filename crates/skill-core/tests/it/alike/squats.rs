//! Squats as they are made of much-used names: by slips of the finger, by what looks alike, by words that say
//! nothing. The same ones each time.

use std::collections::BTreeSet;

/// A hundred names such as skills have that many people use.
const USED: &str = "github gitlab docker kubernetes terraform ansible jenkins grafana prometheus postgres mysql \
    redis sqlite mongodb elasticsearch rabbitmq kafka nginx apache cloudflare vercel netlify heroku firebase \
    supabase stripe paypal shopify slack discord telegram whatsapp notion obsidian airtable trello jira confluence \
    linear asana figma canva photoshop blender unity unreal python rust golang typescript javascript react angular \
    svelte nextjs django flask fastapi laravel rails spring flutter swift kotlin pandas numpy matplotlib jupyter \
    tensorflow pytorch openai whisper langchain huggingface ffmpeg imagemagick pandoc latex markdown data-analysis \
    web-search pdf-reader image-editor code-review test-runner deep-research brainstorming release-notes \
    api-design security-audit log-analyzer email-writer calendar-sync meeting-notes video-editor voice-clone \
    invoice-maker resume-builder weather-report stock-prices";

/// Kind of the squat, the squat, the name it is for; no squat twice, and none that is a used name itself.
pub(super) fn all() -> Vec<(&'static str, String, &'static str)> {
    let names: Vec<&str> = USED.split_whitespace().collect();
    assert_eq!(names.len(), 100);
    let mut seen: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut chance = Chance(0x5EED);
    let mut squats = Vec::new();
    for name in names {
        for (kind, squat) in of(name, &mut chance) {
            if squat.parse::<skill_core::name::Slug>().is_ok() && seen.insert(squat.clone()) {
                squats.push((kind, squat, name));
            }
        }
    }
    squats
}

fn of(name: &str, chance: &mut Chance) -> Vec<(&'static str, String)> {
    let mut squats = Vec::new();
    for _ in 0..4 {
        let at = chance.below(name.len());
        let (before, behind) = name.split_at(at);
        let letter = chance.letter();
        let (here, after) = behind.split_at(1);
        squats.push(("omission", format!("{before}{after}")));
        squats.push(("insertion", format!("{before}{letter}{behind}")));
        squats.push(("substitution", format!("{before}{letter}{after}")));
        if let Some(next) = after.chars().next() {
            squats.push(("transposition", format!("{before}{next}{here}{}", &after[1..])));
        }
    }
    for (letter, twin) in
        [("o", "0"), ("l", "1"), ("i", "1"), ("s", "5"), ("e", "3"), ("a", "4"), ("m", "rn"), ("w", "vv")]
    {
        squats.push(("homoglyph", name.replacen(letter, twin, 1)));
    }
    let middle = name.len() / 2;
    squats.push(("hyphens", format!("{}-{}", &name[..middle], &name[middle..])));
    squats.push(("hyphens", name.replace('-', "")));
    let words: Vec<&str> = name.split('-').rev().collect();
    squats.push(("swapped words", words.join("-")));
    for word in ["skill", "pro", "ai", "official", "cli"] {
        squats.push(("affix", format!("{name}-{word}")));
    }
    squats.push(("affix", format!("my-{name}")));
    squats.push(("plural", format!("{name}s")));
    squats.push(("doubling", format!("{}{name}", &name[..1])));
    squats
}

/// Numbers without a pattern, the same each time (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn letter(&mut self) -> char {
        char::from(b'a' + self.below(26) as u8)
    }
}
