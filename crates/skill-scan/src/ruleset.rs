//! The rules as data, read once; expressions are compiled when a text first needs them.

mod about;
mod error;
mod expression;
mod hidden;
mod pattern;
mod span;

use std::sync::LazyLock;

use serde::Deserialize;
use skill_core::digest::Sha256;

pub use about::{About, Owasp, Scope};
use error::RuleError;
pub(crate) use expression::CACHE;
use expression::Fragments;
pub(crate) use hidden::{Class, HiddenRules, Shape};
use pattern::RawRule;
pub(crate) use pattern::{Found, MOST_OF_A_LINE, PatternRule, PatternRules, Where};
pub(crate) use span::{Opening, SpanRule};

/// What people call the built-in rules: year, month, edition.
const NAME: &str = "2026.12.2";

/// Goes up when the code that applies the rules finds something else than before.
const ENGINE: u32 = 4;

/// Fragments of expressions that several files use.
const FRAGMENTS: &str = include_str!("../rules/fragments.toml");
const HIDDEN_UNICODE: &str = include_str!("../rules/hidden_unicode.toml");
const HIDDEN_TEXT: &str = include_str!("../rules/hidden_text.toml");
const FILES: &str = include_str!("../rules/files.toml");
/// Families that are expressions over logical lines.
const PATTERNS: [&str; 10] = [
    include_str!("../rules/pipe_to_interpreter.toml"),
    include_str!("../rules/addresses.toml"),
    include_str!("../rules/credentials.toml"),
    include_str!("../rules/takeover.toml"),
    include_str!("../rules/prerequisites.toml"),
    include_str!("../rules/prompt.toml"),
    include_str!("../rules/persistence.toml"),
    include_str!("../rules/agent.toml"),
    include_str!("../rules/secrets.toml"),
    include_str!("../rules/dependencies.toml"),
];

/// A set of rules with a name and a digest, ready to be applied.
#[derive(Debug)]
pub struct RuleSet {
    name: String,
    sha256: Sha256,
    families: Vec<Family>,
    pub(crate) patterns: PatternRules,
    pub(crate) hidden: HiddenRules,
    pub(crate) spans: Vec<SpanRule>,
    pub(crate) files: FileRules,
}

/// Rules that belong together.
#[derive(Debug, Clone)]
pub struct Family {
    /// What they are about, as a heading.
    pub title: String,
    /// The same in a sentence or two.
    pub summary: String,
    /// The rules.
    pub rules: Vec<About>,
}

impl RuleSet {
    /// The rules that are part of the program.
    ///
    /// # Panics
    ///
    /// Never: they are compiled into the program, and a test reads them.
    #[expect(clippy::expect_used, reason = "the rules are part of the program, as good as its code")]
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<RuleSet> =
            LazyLock::new(|| RuleSet::read_builtin().expect("the built-in rules read"));
        &BUILTIN
    }

    fn read_builtin() -> Result<Self, RuleError> {
        let shared: SharedFragments = read(FRAGMENTS)?;
        let (mut families, mut patterns) = (Vec::new(), Vec::new());
        for text in PATTERNS {
            let file: PatternFile = read(text)?;
            let mut fragments = shared.fragments.clone();
            fragments.extend(file.fragments);
            let about = file.rule.iter().map(|rule| rule.about.clone()).collect();
            families.push(file.head.with(about));
            for rule in file.rule {
                patterns.push(PatternRule::read(rule, &fragments)?);
            }
        }
        let head: Head = read(HIDDEN_UNICODE)?;
        let hidden = HiddenRules::read(HIDDEN_UNICODE)?;
        families.push(head.with(hidden.rules.iter().map(|rule| rule.about.clone()).collect()));
        let file: SpanFile = read(HIDDEN_TEXT)?;
        let mut fragments = shared.fragments.clone();
        fragments.extend(file.fragments);
        let spans = file.rule.into_iter().map(|raw| SpanRule::read(raw, &fragments));
        let spans: Vec<SpanRule> = spans.collect::<Result<_, _>>()?;
        families.push(file.head.with(spans.iter().map(|rule| rule.about.clone()).collect()));
        let (head, files): (Head, FileRules) = (read(FILES)?, read(FILES)?);
        families.push(head.with(files.rule.clone()));
        let patterns = PatternRules::new(patterns)?;
        let texts = [FRAGMENTS].into_iter().chain(PATTERNS).chain([HIDDEN_UNICODE, HIDDEN_TEXT, FILES]);
        Ok(Self { name: NAME.to_owned(), sha256: digest(texts), families, patterns, hidden, spans, files })
    }

    /// What people call it, such as `2026.11.1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Digest over the engine's number and the exact text of every file of rules.
    pub const fn sha256(&self) -> Sha256 {
        self.sha256
    }

    /// The families, in the order in which the documentation has them.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Every rule, in the order of the families.
    pub fn rules(&self) -> impl Iterator<Item = &About> {
        self.families.iter().flat_map(|family| &family.rules)
    }

    /// The rule of a finding; `None` for one of other rules than these.
    pub fn rule(&self, id: &str) -> Option<&About> {
        self.rules().find(|about| about.id == id)
    }
}

/// `skill-rules-v1`, the engine's number, then each file's length in bytes and text.
fn digest<'t>(files: impl IntoIterator<Item = &'t str>) -> Sha256 {
    let mut text = format!("skill-rules-v1\n{ENGINE}\n");
    for file in files {
        text.push_str(&file.len().to_string());
        text.push('\n');
        text.push_str(file);
    }
    Sha256::of(text)
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, RuleError> {
    toml::from_str(text).map_err(RuleError::Toml)
}

#[derive(Deserialize)]
struct SharedFragments {
    fragments: Fragments,
}

/// How every file of rules begins.
#[derive(Deserialize)]
struct Head {
    title: String,
    summary: String,
}

impl Head {
    fn with(self, rules: Vec<About>) -> Family {
        let Self { title, summary } = self;
        Family { title, summary, rules }
    }
}

#[derive(Deserialize)]
struct PatternFile {
    #[serde(flatten)]
    head: Head,
    #[serde(default)]
    fragments: Fragments,
    rule: Vec<RawRule>,
}

#[derive(Deserialize)]
struct SpanFile {
    #[serde(flatten)]
    head: Head,
    #[serde(default)]
    fragments: Fragments,
    rule: Vec<span::RawSpan>,
}

/// The rules about files as a whole.
#[derive(Debug, Deserialize)]
pub(crate) struct FileRules {
    rule: Vec<About>,
}

impl FileRules {
    pub(crate) fn get(&self, id: &str) -> Option<&About> {
        self.rule.iter().find(|about| about.id == id)
    }
}

#[cfg(test)]
mod tests;
