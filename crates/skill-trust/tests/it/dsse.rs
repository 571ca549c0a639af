use proptest::prelude::*;
use skill_trust::dsse::{Envelope, EnvelopeError, SignatureError, pre_authentication_encoding};
use skill_trust::key::KeyError;

use crate::vectors::vectors;
use crate::world::key;

fn envelope() -> Envelope {
    Envelope::sign("text/plain", b"hello".to_vec(), [&key("a")]).unwrap()
}

fn edited(from: &str, to: &str) -> Result<Envelope, EnvelopeError> {
    let text = String::from_utf8(envelope().to_json()).unwrap();
    assert!(text.contains(from), "{text} has no {from}");
    Envelope::parse(text.replacen(from, to, 1).as_bytes())
}

#[test]
fn encoding_of_what_is_signed() {
    for vector in vectors().pae {
        let encoding = pre_authentication_encoding(&vector.kind, vector.payload.as_bytes());
        assert_eq!(String::from_utf8(encoding).unwrap(), vector.encoding);
    }
}

#[test]
fn the_one_spelling() {
    insta::assert_snapshot!(String::from_utf8(envelope().to_json()).unwrap(), @r#"{"payload":"aGVsbG8=","payloadType":"text/plain","signatures":[{"keyid":"2c4e4d1de6fbfc05d950fc7e6461be3007dd16e4683a5b14b52ab15d98e68ebf","sig":"/OlYayKSNHlifyCdebks5U1dZk93I4e0LpgMZmsAwBlZD1McchE4kyrBPVyFBVrEM3pG3Ce4EaT/xUK7V51uBQ=="}]}"#);
    assert_eq!(Envelope::parse(&envelope().to_json()), Ok(envelope()));
    assert_eq!(envelope().verify(key("a").public()), Ok(()));
}

/// Each byte, changed in each of several ways, is an error: either the envelope does not read
/// any more or the signature does not count any more.
#[test]
fn every_changed_byte_is_an_error() {
    let json = envelope().to_json();
    let a = key("a");
    for place in 0..json.len() {
        for change in [1, 2, 4, 8, 16, 32, 64, 128] {
            let mut changed = json.clone();
            changed[place] ^= change;
            let taken = Envelope::parse(&changed).is_ok_and(|e| e.verify(a.public()).is_ok());
            assert!(!taken, "byte {place}: {}", String::from_utf8_lossy(&changed));
        }
    }
}

#[test]
fn other_spellings_of_the_same_envelope() {
    let spellings = [
        (r#"{"payload""#, r#"{ "payload""#),
        (r#""payloadType""#, r#""payload\u0054ype""#),
        ("text/plain", r"text\/plain"),
    ];
    for (from, to) in spellings {
        assert_eq!(edited(from, to), Err(EnvelopeError::NonCanonical), "{to}");
    }
    let mut trailing = envelope().to_json();
    trailing.push(b'\n');
    assert_eq!(Envelope::parse(&trailing), Err(EnvelopeError::NonCanonical));
}

#[test]
fn keys_in_another_order() {
    let json = r#"{"payloadType":"text/plain","payload":"aGVsbG8=","signatures":"#;
    let text = String::from_utf8(envelope().to_json()).unwrap();
    let (_, signatures) = text.split_once(r#""signatures":"#).unwrap();
    let parsed = Envelope::parse(format!("{json}{signatures}").as_bytes());
    assert_eq!(parsed, Err(EnvelopeError::NonCanonical));
}

#[test]
fn shapes_that_are_none() {
    let shapes = [
        // A key twice, a key too many.
        (r#"{"payload""#, r#"{"payload":"","payload""#),
        (r#"{"payload""#, r#"{"extra":1,"payload""#),
        (r#"[{"keyid""#, r#"[{"extra":1,"keyid""#),
        // base64 without padding, with stray bits, in the other alphabet.
        ("aGVsbG8=", "aGVsbG8"),
        ("aGVsbG8=", "aGVsbG9="),
        ("aGVsbG8=", "aGVs-_8="),
        // A key id in capitals.
        (&key("a").id().to_string(), &key("a").id().to_string().to_uppercase()),
    ];
    for (from, to) in shapes {
        assert!(matches!(edited(from, to), Err(EnvelopeError::Shape(_))), "{to}");
    }
    assert!(matches!(Envelope::parse(b""), Err(EnvelopeError::Shape(_))));
    assert!(matches!(Envelope::parse(&vec![b'['; 100_000]), Err(EnvelopeError::Shape(_))));
}

#[test]
fn lists_of_signatures_that_are_none() {
    let sign = |names: &[&str]| {
        let keys: Vec<_> = names.iter().map(|name| key(name)).collect();
        Envelope::sign("t", vec![], &keys).map(|_| ())
    };
    assert_eq!(sign(&[]), Err(EnvelopeError::SignatureCount { count: 0 }));
    assert_eq!(sign(&["a"; 33]), Err(EnvelopeError::SignatureCount { count: 33 }));
    assert_eq!(sign(&["a", "b", "a"]), Err(EnvelopeError::SignatureOrder));

    let two = Envelope::sign("t", vec![], &[key("a"), key("b")]).unwrap();
    let [first, second] = two.signatures() else { panic!("two keys signed") };
    assert!(first.key_id < second.key_id);
    let text = String::from_utf8(two.to_json()).unwrap();
    let (first, second) = (serde_json::to_string(first).unwrap(), serde_json::to_string(second).unwrap());
    let swapped = text.replace(&format!("{first},{second}"), &format!("{second},{first}"));
    assert_eq!(Envelope::parse(swapped.as_bytes()), Err(EnvelopeError::SignatureOrder));
}

#[test]
fn a_signature_counts_for_its_key_payload_and_type_only() {
    let (a, b) = (key("a"), key("b"));
    assert_eq!(envelope().verify(b.public()), Err(SignatureError::Absent { key: b.id() }));

    let wrong = Err(SignatureError::Wrong { key: a.id(), error: KeyError::Signature });
    assert_eq!(edited("aGVsbG8=", "aGVsbG4=").unwrap().verify(a.public()), wrong);
    assert_eq!(edited("text/plain", "text/html").unwrap().verify(a.public()), wrong);
    // Moving a byte from the type to the payload changes the lengths that are signed.
    let moved = Envelope::sign("text/plainh", b"ello".to_vec(), [&a]).unwrap();
    assert_ne!(moved.signatures()[0].signature, envelope().signatures()[0].signature);
    // The key id is no more than a label: under another key's, the signature is wrong.
    let relabelled = edited(&a.id().to_string(), &b.id().to_string()).unwrap();
    let wrong = Err(SignatureError::Wrong { key: b.id(), error: KeyError::Signature });
    assert_eq!(relabelled.verify(b.public()), wrong);
}

proptest! {
    /// No two pairs of type and payload are signed as the same bytes.
    #[test]
    fn the_encoding_is_injective(
        a in ("[ 0-9a]{0,6}", "[ 0-9a]{0,6}"),
        b in ("[ 0-9a]{0,6}", "[ 0-9a]{0,6}"),
    ) {
        let encode = |(kind, body): &(String, String)| pre_authentication_encoding(kind, body.as_bytes());
        prop_assert_eq!(encode(&a) == encode(&b), a == b);
    }

    /// What is signed and written is read back and counts, whatever it is.
    #[test]
    fn any_payload_survives(kind in ".{0,40}", payload in proptest::collection::vec(any::<u8>(), 0..200)) {
        let envelope = Envelope::sign(&kind, payload, [&key("a")]).unwrap();
        let read = Envelope::parse(&envelope.to_json());
        prop_assert_eq!(read.as_ref(), Ok(&envelope));
        prop_assert_eq!(envelope.verify(key("a").public()), Ok(()));
    }
}
