use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::AnyPool;

/// How long was waited for a pool.
#[derive(Debug, Default)]
pub(super) struct Waits {
    turns: AtomicU64,
    micros: AtomicU64,
}

/// How a pool stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// `read` or `write`.
    pub name: &'static str,
    /// Connections that somebody has.
    pub busy: usize,
    /// Connections that nobody has.
    pub idle: usize,
    /// How often somebody waited until they had one, or could not have it.
    pub turns: u64,
    /// How long, together.
    pub waited: Duration,
}

impl Waits {
    /// Waits for `turn`, and notes how long that took.
    pub(super) async fn during<T>(&self, turn: impl Future<Output = T>) -> T {
        let began = tokio::time::Instant::now();
        let turn = turn.await;
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.turns.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        turn
    }

    /// What is known of `pool`.
    pub(super) fn of(&self, name: &'static str, pool: &AnyPool) -> Pool {
        let idle = pool.num_idle();
        let all = usize::try_from(pool.size()).unwrap_or(usize::MAX);
        Pool {
            name,
            busy: all.saturating_sub(idle),
            idle,
            turns: self.turns.load(Ordering::Relaxed),
            waited: Duration::from_micros(self.micros.load(Ordering::Relaxed)),
        }
    }
}
