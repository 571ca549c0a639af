use skill_trust::key::KeyError;
use skill_trust::{PublicKey, SigningKey};

use crate::vectors::vectors;

#[test]
fn keys_at_the_edge() {
    let vectors = vectors();
    assert_eq!(vectors.edge_keys.len(), 37);
    for key in vectors.edge_keys {
        let read = key.public.parse::<PublicKey>();
        assert_eq!(read.is_ok(), key.good, "{}: {read:?}", key.name);
    }
}

#[test]
fn each_edge_has_its_own_reason() {
    let reason = |name: &str| {
        let key = vectors().edge_keys.into_iter().find(|key| key.name == name).unwrap();
        key.public.parse::<PublicKey>().unwrap_err()
    };
    assert_eq!(reason("order-8 generator times 0"), KeyError::SmallOrder);
    assert_eq!(reason("order-8 generator times 1"), KeyError::SmallOrder);
    assert_eq!(reason("order-8 generator times 0, other spelling 0"), KeyError::NonCanonical);
    assert_eq!(reason("y = p + 3, sign 0"), KeyError::NonCanonical);
    assert_eq!(reason("an honest key plus a point of order 8"), KeyError::MixedOrder);
    assert_eq!(reason("no point of the curve"), KeyError::NotAPoint);
    for text in ["", "AA==", "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"] {
        assert_eq!(text.parse::<PublicKey>(), Err(KeyError::Encoding));
    }
}

#[test]
fn signatures_at_the_edge() {
    let vectors = vectors();
    let key: PublicKey = vectors.edge_public.parse().unwrap();
    assert_eq!(vectors.edge_signatures.iter().filter(|s| s.good).count(), 1);
    for signature in &vectors.edge_signatures {
        let taken = key.verify(vectors.edge_message.as_bytes(), &signature.sig).is_ok();
        assert_eq!(taken, signature.good, "{}", signature.name);
    }
}

/// The signature that fits nearly every message is stopped at its key.
#[test]
fn the_universal_signature() {
    let universal = vectors().universal;
    assert_eq!(universal.public.parse::<PublicKey>(), Err(KeyError::SmallOrder));
    let weak = {
        use base64::Engine as _;
        let bytes = base64::engine::general_purpose::STANDARD.decode(&universal.public).unwrap();
        ed25519_dalek::VerifyingKey::from_bytes(&bytes.try_into().unwrap()).unwrap()
    };
    let signature = ed25519_dalek::Signature::from_bytes(universal.sig.as_bytes());
    let loose = |message: &[u8]| ed25519_dalek::Verifier::verify(&weak, message, &signature).is_ok();
    assert!(loose(b"edge") && loose(b"another"), "a loose verifier takes it, else this test shows nothing");
}

#[test]
fn the_other_implementation_derives_the_same_keys() {
    use base64::Engine as _;
    for vector in vectors().keys {
        let seed = base64::engine::general_purpose::STANDARD.decode(&vector.seed).unwrap();
        let key = SigningKey::from_seed(&seed.try_into().unwrap());
        assert_eq!(key.public().to_string(), vector.public, "{}", vector.role);
        assert_eq!(key.id().to_string(), vector.keyid, "{}", vector.role);
    }
}
