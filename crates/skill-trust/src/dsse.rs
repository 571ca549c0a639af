//! DSSE v1 envelopes: a payload, its type, and signatures over both (secure-systems-lab/dsse).
//!
//! The JSON form is fixed to the byte, because the digest of these bytes is the statement's
//! leaf in the log. Two spellings of one envelope would be two leaves for one fact.

use serde::{Deserialize, Serialize};
use skill_core::digest::Sha256;

use crate::base64;
use crate::key::{KeyError, KeyId, PublicKey, Signature, SigningKey};

/// The most signatures an envelope may carry.
pub const MAX_SIGNATURES: usize = 32;

/// A signed payload. JSON form, compact and in this order:
/// `{"payload":BASE64,"payloadType":TYPE,"signatures":[{"keyid":HEX,"sig":BASE64}]}`,
/// the signatures in ascending order of key id, one to a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Wire")]
pub struct Envelope {
    #[serde(serialize_with = "base64::serialize")]
    payload: Vec<u8>,
    payload_type: String,
    signatures: Vec<KeySignature>,
}

/// The JSON form before the rules for the list of signatures were asked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wire {
    #[serde(deserialize_with = "base64::deserialize")]
    payload: Vec<u8>,
    payload_type: String,
    signatures: Vec<KeySignature>,
}

impl TryFrom<Wire> for Envelope {
    type Error = EnvelopeError;

    fn try_from(wire: Wire) -> Result<Self, EnvelopeError> {
        let count = wire.signatures.len();
        if !(1..=MAX_SIGNATURES).contains(&count) {
            return Err(EnvelopeError::SignatureCount { count });
        }
        if !wire.signatures.is_sorted_by(|a, b| a.key_id < b.key_id) {
            return Err(EnvelopeError::SignatureOrder);
        }
        Ok(Self { payload: wire.payload, payload_type: wire.payload_type, signatures: wire.signatures })
    }
}

/// One signature of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySignature {
    /// The key that made it.
    #[serde(rename = "keyid")]
    pub key_id: KeyId,
    /// The signature over the envelope's pre-authentication encoding.
    #[serde(rename = "sig")]
    pub signature: Signature,
}

/// Why bytes are no envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeError {
    /// Not JSON of the envelope's shape.
    #[error("not a DSSE envelope: {0}")]
    Shape(String),
    /// The right shape, spelt otherwise than it must be.
    #[error("not the canonical spelling of a DSSE envelope")]
    NonCanonical,
    /// No signature at all, or more than [`MAX_SIGNATURES`].
    #[error("{count} signatures, 1 to {MAX_SIGNATURES} are allowed")]
    SignatureCount {
        /// How many there are.
        count: usize,
    },
    /// Signatures out of order, or two by one key.
    #[error("the signatures are not in ascending order of key id, one to a key")]
    SignatureOrder,
}

/// Why a signature of an envelope does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The envelope has no signature by this key.
    #[error("no signature by key {key}")]
    Absent {
        /// The key that was to have signed.
        key: KeyId,
    },
    /// The signature is wrong.
    #[error("signature by key {key}: {error}")]
    Wrong {
        /// The key that is said to have signed.
        key: KeyId,
        /// What is wrong with it.
        error: KeyError,
    },
}

/// The bytes that are signed: `DSSEv1 LEN(type) type LEN(body) body`, lengths in bytes and in
/// decimal (DSSE protocol, "PAE").
pub fn pre_authentication_encoding(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len()).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

impl Envelope {
    /// Signs `payload` with every key of `keys`; at least one, no key twice.
    pub fn sign<'k>(
        payload_type: &str,
        payload: Vec<u8>,
        keys: impl IntoIterator<Item = &'k SigningKey>,
    ) -> Result<Self, EnvelopeError> {
        let message = pre_authentication_encoding(payload_type, &payload);
        let mut signatures: Vec<KeySignature> = keys
            .into_iter()
            .map(|key| KeySignature { key_id: key.id(), signature: key.sign(&message) })
            .collect();
        signatures.sort_by_key(|signature| signature.key_id);
        Wire { payload, payload_type: payload_type.to_owned(), signatures }.try_into()
    }

    /// Reads the canonical JSON form; any other byte is an error.
    pub fn parse(json: &[u8]) -> Result<Self, EnvelopeError> {
        let wire: Wire =
            serde_json::from_slice(json).map_err(|error| EnvelopeError::Shape(error.to_string()))?;
        let envelope = Self::try_from(wire)?;
        if envelope.to_json() != json {
            return Err(EnvelopeError::NonCanonical);
        }
        Ok(envelope)
    }

    /// The canonical JSON form.
    pub fn to_json(&self) -> Vec<u8> {
        crate::json(self)
    }

    /// SHA-256 of the canonical JSON form: what the log's leaf holds.
    pub fn digest(&self) -> Sha256 {
        Sha256::of(self.to_json())
    }

    /// The exact bytes that were signed, without their type.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// What the payload is.
    pub fn payload_type(&self) -> &str {
        &self.payload_type
    }

    /// The signatures in ascending order of key id. Not yet checked.
    pub fn signatures(&self) -> &[KeySignature] {
        &self.signatures
    }

    /// Checks that `key` signed exactly this payload and type.
    pub fn verify(&self, key: &PublicKey) -> Result<(), SignatureError> {
        let id = key.id();
        let found = self.signatures.iter().find(|signature| signature.key_id == id);
        let found = found.ok_or(SignatureError::Absent { key: id })?;
        let message = pre_authentication_encoding(&self.payload_type, &self.payload);
        key.verify(&message, &found.signature).map_err(|error| SignatureError::Wrong { key: id, error })
    }
}
