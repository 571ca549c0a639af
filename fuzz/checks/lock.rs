//! What holds for every `skills.lock` and `skills.toml`: it is refused with a place and a text, or what is
//! written of it reads back as the same and is written the same.

use skill_core::lock::Lock;
use skill_core::wanted::Wanted;

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match Lock::parse(text) {
        Ok(lock) => {
            let written = lock.to_toml();
            let again = Lock::parse(&written).unwrap_or_else(|error| panic!("{written}\n{error}"));
            assert_eq!(again, lock, "{written}");
            assert_eq!(again.to_toml(), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match Wanted::parse(text) {
        // Comments and order are the author's: an unchanged file is written as it came.
        Ok(wanted) => assert!(Wanted::parse(&wanted.to_toml()).is_ok()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
