//! ClawHub's fingerprint of a skill (ClawHub contract 2.1). It serves that contract alone: it knows no modes and
//! its order hangs on a collation, so nothing of ours is identified by it.

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use skill_core::digest::Sha256;

/// The fingerprint over paths and content digests, in any order.
///
/// Takes the paths as they were uploaded. Which files count is the caller's: publish leaves dotfiles and the root
/// `skill-card.md` out.
pub fn clawhub_fingerprint<'a>(files: impl IntoIterator<Item = (&'a str, Sha256)>) -> Sha256 {
    let collator = root_collator();
    let mut files: Vec<(&str, Sha256)> = files.into_iter().filter(|(path, _)| !path.is_empty()).collect();
    files.sort_by(|(one, _), (other, _)| collator.compare(one, other).then_with(|| one.cmp(other)));
    let lines: Vec<String> = files.iter().map(|(path, sha256)| format!("{path}:{sha256}")).collect();
    Sha256::of(lines.join("\n"))
}

#[expect(
    clippy::expect_used,
    reason = "the root collation is compiled in; there is nothing to go on with else"
)]
fn root_collator() -> CollatorBorrowed<'static> {
    Collator::try_new(CollatorPreferences::default(), CollatorOptions::default())
        .expect("the root collation is compiled in")
}
