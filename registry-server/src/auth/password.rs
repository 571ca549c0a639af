//! Passwords, and how they are kept: Argon2id (RFC 9106), off the threads that answer.

mod kept;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use icu_normalizer::ComposingNormalizerBorrowed;
use skill_core::name::Owner;
use tokio::sync::Semaphore;

use crate::entropy::Entropy;
use crate::problem::ApiError;

pub use kept::KeptPassword;

/// Passwords that are computed at a time, each with 19 MiB of memory.
const AT_ONCE: usize = 2;
/// How long one waits for its turn.
const WAIT: Duration = Duration::from_secs(5);
/// The fewest characters of a password that is chosen (NIST SP 800-63B-4, 3.1.1.2, and some to spare: there is no list
/// of common ones here).
pub const SHORTEST: usize = 12;
/// The most bytes of one.
pub const LONGEST: usize = 256;
/// Names from this length on stand in no password of their user; shorter ones stand in many words.
const NAME: usize = 4;
/// The fewest characters of it that differ.
const DIFFERENT: usize = 5;

/// A password as somebody typed it, in one spelling of its characters (NFKC). Its debug form says nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// Why nobody can choose this password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Too few characters.
    #[error("a password has at least {SHORTEST} characters")]
    Short,
    /// Too many bytes.
    #[error("a password has at most {LONGEST} bytes")]
    Long,
    /// Nearly the same characters throughout.
    #[error("a password has at least {DIFFERENT} different characters")]
    Same,
    /// The name of its user stands in it.
    #[error("a password does not hold the name of its user")]
    Name,
}

impl Password {
    /// A password that somebody shows.
    pub fn shown(text: &str) -> Self {
        Self(ComposingNormalizerBorrowed::new_nfkc().normalize(text).into_owned())
    }

    /// A password that `user` wants to have.
    pub fn chosen(text: &str, user: &Owner) -> Result<Self, PasswordError> {
        if text.len() > LONGEST {
            return Err(PasswordError::Long);
        }
        let password = Self::shown(text);
        let mut characters: Vec<char> = password.0.chars().collect();
        if characters.len() < SHORTEST {
            return Err(PasswordError::Short);
        }
        if user.as_str().len() >= NAME && password.0.to_lowercase().contains(user.as_str()) {
            return Err(PasswordError::Name);
        }
        characters.sort_unstable();
        characters.dedup();
        if characters.len() < DIFFERENT {
            return Err(PasswordError::Same);
        }
        Ok(password)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// What computes passwords.
#[derive(Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    wait: Duration,
    computed: AtomicU64,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), wait: WAIT, computed: AtomicU64::new(0) }
    }
}

impl Passwords {
    /// What is kept of a password.
    pub async fn keep(&self, password: Password, entropy: &Entropy) -> Result<KeptPassword, ApiError> {
        let salt = entropy.bytes()?;
        self.computing(move || KeptPassword::of(&password.0, &salt)).await
    }

    /// Whether this password is the one that is kept. Where none is, it costs the same to say no.
    pub async fn matches(&self, password: Password, kept: Option<&KeptPassword>) -> Result<bool, ApiError> {
        let (kept, there) = (kept.cloned().unwrap_or_else(KeptPassword::nobodys), kept.is_some());
        let same = self.computing(move || kept.matches(&password.0)).await?;
        Ok(same && there)
    }

    /// How many were computed since this process began: the same for names that there are and names that there are not.
    pub fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    async fn computing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, argon2::Error> + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = tokio::time::timeout(self.wait, Arc::clone(&self.turns).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(ApiError::Busy) };
        self.computed.fetch_add(1, Ordering::Relaxed);
        let done = tokio::task::spawn_blocking(move || {
            // Whoever asked may be gone by now; the turn ends with the work.
            let _turn = turn;
            work()
        });
        done.await.map_err(ApiError::internal)?.map_err(|error| ApiError::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_choose() {
        let user = |name: &str| name.parse().unwrap();
        let chosen = |text: &str| Password::chosen(text, &user("lovelace")).map(|_| ());
        assert_eq!(chosen("eleven char"), Err(PasswordError::Short));
        assert_eq!(chosen("twelve chars"), Ok(()));
        assert_eq!(chosen("ελληνικά λόγια"), Ok(()));
        assert_eq!(chosen(&"long ".repeat(51)), Ok(()));
        assert_eq!(chosen(&"long ".repeat(52)), Err(PasswordError::Long));
        assert_eq!(chosen("121212121212121212"), Err(PasswordError::Same));
        assert_eq!(chosen("1234123412341234"), Err(PasswordError::Same));
        assert_eq!(chosen("the best of ADA LoveLace"), Err(PasswordError::Name));
        assert!(Password::chosen("a name of a letter", &user("a")).is_ok());
    }

    /// Keyboards differ in how they spell `é`.
    #[tokio::test]
    async fn one_password_in_two_spellings() {
        let passwords = Passwords::default();
        let kept = passwords.keep(Password::shown("un mot de passé"), &Entropy::seeded(1)).await.unwrap();
        let is = async |text: &str| passwords.matches(Password::shown(text), Some(&kept)).await.unwrap();
        assert!(is("un mot de passe\u{301}").await);
        assert!(!is("un mot de passe").await);
        assert!(!passwords.matches(Password::shown("un mot de passé"), None).await.unwrap());
        assert_eq!(passwords.computed(), 4);
        assert_eq!(format!("{:?}", Password::shown("secret")), "Password");
    }

    /// Who waits for too long is sent away, and who is sent away computed nothing.
    #[tokio::test]
    async fn two_are_computed_at_a_time() {
        let passwords = Passwords { wait: Duration::ZERO, ..Passwords::default() };
        let taken = Arc::clone(&passwords.turns).acquire_many_owned(2).await.unwrap();
        let refused = passwords.matches(Password::shown("x"), None).await;
        assert!(matches!(refused, Err(ApiError::Busy)) && passwords.computed() == 0);
        drop(taken);
        assert!(!passwords.matches(Password::shown("x"), None).await.unwrap());
    }
}
