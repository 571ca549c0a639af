//! `tests/vectors/cases.json`, made by `tests/vectors/cases.py`: what envelopes add up to, said by both
//! implementations.

use serde::Deserialize;
use serde_json::{Value, json};
use skill_core::name::SkillName;
use skill_trust::{
    Expected, LoggedStatement, RootChain, TrustEnvelope, TrustError, TrustedRoot, VerifiedRelease,
    verify_release,
};

use crate::second_opinion::python;
use crate::vectors::vectors;

const TEXT: &str = include_str!("../vectors/cases.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    statements: Vec<Labelled>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Labelled {
    label: String,
    #[serde(flatten)]
    logged: LoggedStatement,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "case")]
    shows: String,
    name: String,
    holds: Vec<String>,
    outcome: Value,
}

/// What a reader who asks for the release as that of `name` gets to know, in the words of the second
/// implementation: a refusal is called like the variant of its error.
pub fn outcome(envelope: &TrustEnvelope, root: &TrustedRoot, name: &str) -> Value {
    let SkillName { owner, slug } = name.parse().unwrap();
    let expected = Expected { registry: root.registry(), owner, slug, version: "3.4.1".parse().unwrap() };
    match verify_release(envelope, root, &expected) {
        Ok(release) => described(&release),
        Err(error) => json!({ "refused": word(&error) }),
    }
}

fn described(release: &VerifiedRelease) -> Value {
    let mut former: Vec<_> = release.names.former().map(|(name, _)| name.to_string()).collect();
    former.sort();
    json!({
        "name": release.names.current(),
        "published": release.name(),
        "former": former,
        "state": release.restrictions.state().map(|(state, _)| state.as_str()),
        "verdict": release.verdict().as_str(),
    })
}

/// `NameUnrelated { … }` as `name-unrelated`.
fn word(error: &TrustError) -> String {
    let debug = format!("{error:?}");
    let mut word = String::new();
    for letter in debug.chars().take_while(char::is_ascii_alphanumeric) {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

#[test]
fn both_implementations_say_the_same() {
    let Cases { statements, cases } = serde_json::from_str(TEXT).unwrap();
    let vectors = vectors();
    let root = RootChain::verify(&[vectors.root.into_bytes()], vectors.registry).unwrap();
    assert!(cases.len() > 60);
    for case in &cases {
        let held = statements.iter().filter(|statement| case.holds.contains(&statement.label));
        let held: Vec<_> = held.map(|statement| statement.logged.clone()).collect();
        assert_eq!(held.len(), case.holds.len(), "{}", case.shows);
        let envelope = TrustEnvelope::new(held).unwrap();
        assert_eq!(outcome(&envelope, &root, &case.name), case.outcome, "{}", case.shows);
    }
}

/// Each refusal that names and restrictions have is in some case.
#[test]
fn every_refusal_has_a_case() {
    let Cases { cases, .. } = serde_json::from_str(TEXT).unwrap();
    for word in [
        "name-unrelated",
        "name-twice",
        "name-cycle",
        "name-hops",
        "name-unconsented",
        "name-merged",
        "name-late",
        "restoration-target",
        "restoration-action",
        "restriction-order",
        "registry",
        "role",
        "signature",
        "unknown-key",
    ] {
        let refused = json!({ "refused": word });
        assert!(cases.iter().any(|case| case.outcome == refused), "{word}");
    }
}

#[test]
fn the_cases_are_what_the_script_makes() {
    let Some((done, made)) = python("cases.py", &[], "") else { return };
    assert!(done, "{made}");
    assert_eq!(made.trim_end(), TEXT.trim_end());
}
