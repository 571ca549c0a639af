use skill_core::verdict::Verdict;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::{Statement, TrustEnvelope, TrustError};

use crate::world::World;

fn json() -> Vec<u8> {
    TrustEnvelope::new(World::new().statements()).unwrap().to_json()
}

fn edited(from: &str, to: &str) -> TrustEnvelopeError {
    let text = String::from_utf8(json()).unwrap();
    assert!(text.contains(from), "{text} has no {from}");
    TrustEnvelope::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err()
}

#[test]
fn reads_what_it_writes() {
    let text = String::from_utf8(json()).unwrap();
    assert!(text.starts_with(r#"{"schema":"skill.trust-envelope.v1","statements":[{"kind":"release","logIndex":1841,"dsse":{"payload":""#), "{text}");
    assert_eq!(TrustEnvelope::parse(&json()).unwrap().to_json(), json());
}

#[test]
fn a_typical_envelope_is_far_below_the_limit() {
    let bytes = json().len();
    assert!(bytes < TrustEnvelope::MAX_BYTES / 2, "{bytes} bytes");
}

#[test]
fn trailing_bytes() {
    for tail in ["\n", " ", "{}", "\0"] {
        let mut longer = json();
        longer.extend_from_slice(tail.as_bytes());
        assert!(TrustEnvelope::parse(&longer).is_err(), "{tail:?}");
    }
}

#[test]
fn other_spellings_and_shapes() {
    for (from, to) in [
        (r#"{"schema":"#, r#"{ "schema":"#),
        (r#""kind":"release","logIndex":1841"#, r#""logIndex":1841,"kind":"release""#),
        (r#""kind":"release""#, r#""kind":"rel\u0065ase""#),
    ] {
        assert_eq!(edited(from, to), TrustEnvelopeError::NonCanonical, "{to}");
    }
    for (from, to) in [
        (r#"{"schema":"#, r#"{"more":1,"schema":"#),
        (r#""statements":["#, r#""statements":[],"statements":["#),
        ("envelope.v1", "envelope.v2"),
        (r#""logIndex":1841"#, r#""logIndex":1841,"logIndex":1841"#),
        (r#""logIndex":1841"#, r#""logIndex":1841.0"#),
        (r#""logIndex":1841"#, r#""logIndex":-1"#),
        (r#""dsse":{"#, r#""dsse":{"more":1,"#),
    ] {
        assert!(matches!(edited(from, to), TrustEnvelopeError::Shape(_)), "{to}");
    }
}

#[test]
fn unknown_statement_kind() {
    let error = TrustError::from(edited(r#""kind":"scan""#, r#""kind":"provenance""#));
    assert_eq!(error.code(), "statement-unknown");
    assert_eq!(error.check(), "envelope-unknown-statement");
    insta::assert_snapshot!(error, @"`provenance` is no kind of statement that this version knows");
}

#[test]
fn log_index_out_of_order_or_twice() {
    for (first, second) in [(1842, 1841), (7, 7)] {
        let mut statements = World::new().statements();
        (statements[0].log_index, statements[1].log_index) = (first, second);
        let order = TrustEnvelopeError::LogOrder { before: first, next: second };
        assert_eq!(TrustEnvelope::new(statements), Err(order));
    }
    let error = TrustError::from(edited(r#""logIndex":1841"#, r#""logIndex":1843"#));
    assert_eq!(error, TrustError::Envelope(TrustEnvelopeError::LogOrder { before: 1843, next: 1842 }));
    assert_eq!((error.code(), error.check()), ("envelope-unreadable", "envelope-unreadable"));
}

#[test]
fn more_than_8_kib() {
    let world = World::new();
    let mut release = world.release();
    release.requirements = (0..200).map(|n| (format!("acme/dependency-{n}"), "^1.0.0".to_owned())).collect();
    let statements = vec![world.sign(1, &Statement::release(world.content, release))];
    let Err(TrustEnvelopeError::TooLarge { bytes }) = TrustEnvelope::new(statements) else {
        panic!("too large")
    };
    assert!(bytes > 8192);
    let filled = vec![b' '; 8193];
    assert_eq!(TrustEnvelope::parse(&filled), Err(TrustEnvelopeError::TooLarge { bytes: 8193 }));
}

/// What a later version puts there is carried as it is; anything that is not canonical in it
/// is still an error.
#[test]
fn reserved_keys_are_carried() {
    let text = String::from_utf8(json()).unwrap();
    let with = |tail: &str| format!("{}{tail}", text.strip_suffix('}').unwrap());
    let more = with(r#","proofs":[{"b":1,"a":"x"}],"checkpoint":"c","timestamp":"t"}"#);
    let read = TrustEnvelope::parse(more.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(read.to_json()).unwrap(), more);
    let twice = with(r#","proofs":{"a":1,"a":2}}"#);
    assert_eq!(TrustEnvelope::parse(twice.as_bytes()), Err(TrustEnvelopeError::NonCanonical));
}

#[test]
fn verdicts_travel_in_words() {
    let world = World::new();
    let mut scan = world.scan();
    scan.verdict = Verdict::NotAnalysable;
    let text = String::from_utf8(Statement::scan(world.content, scan).to_json()).unwrap();
    assert!(text.contains(r#""verdict":"not-analysable""#));
}
