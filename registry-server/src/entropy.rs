//! Random bytes, as an argument.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use skill_core::digest::Sha256;

/// Where a program takes its random bytes from.
#[derive(Debug, Clone)]
pub enum Entropy {
    /// The machine's generator.
    System,
    /// The same bytes in every run, for tests: SHA-256 over the seed and a counter.
    Seeded(Arc<Seeded>),
}

/// State of [`Entropy::Seeded`].
#[derive(Debug)]
pub struct Seeded {
    seed: u64,
    counter: AtomicU64,
}

/// The machine gave no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the machine's random generator does not answer")]
pub struct EntropyError(#[from] getrandom::Error);

impl Entropy {
    /// Bytes that follow from `seed` alone.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Arc::new(Seeded { seed, counter: AtomicU64::new(0) }))
    }

    /// 32 random bytes.
    pub fn bytes(&self) -> Result<[u8; 32], EntropyError> {
        match self {
            Self::System => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes)?;
                Ok(bytes)
            }
            Self::Seeded(state) => {
                let turn = state.counter.fetch_add(1, Ordering::SeqCst);
                Ok(*Sha256::of(format!("{} {turn}", state.seed)).as_bytes())
            }
        }
    }

    /// A new id of a row: 32 hexadecimal digits.
    pub fn id(&self) -> Result<String, EntropyError> {
        Ok(Sha256::from_bytes(self.bytes()?).to_hex()[..32].to_owned())
    }
}
