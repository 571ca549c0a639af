//! How a release stands, in a sentence.

use skill_core::state::ReleaseState;
use skill_core::verdict::{Severity, Verdict};

use super::find::Shown;
use crate::store::restrictions::Action;
use crate::web::words::{Time, counted};

/// How the release stands. A number of findings is said where there are some; what stands as suspicious without one
/// says what is known of it instead.
pub(super) fn sentence(shown: &Shown) -> String {
    let release = &shown.release;
    let day = Time::of(release.scanned_at).day;
    match (release.state, release.verdict) {
        (ReleaseState::Yanked, _) => {
            let since = shown.why(&shown.line).map(|yank| Time::of(yank.at).day);
            format!(
                "Taken out of choice by its publisher{}.",
                since.map(|day| format!(" on {day}")).unwrap_or_default()
            )
        }
        (ReleaseState::Visible, Verdict::Clean) => format!("No known bad pattern found on {day}."),
        (_, Verdict::NotAnalysable) => {
            format!("Not all of it could be read on {day}. Treated as suspicious.")
        }
        (_, verdict) => {
            let said = judgement(shown).unwrap_or_else(|| {
                format!("The scan of {day} calls it {verdict}, without a critical finding.")
            });
            match lifted(shown) {
                Some(lifted) => format!("{said} {lifted}"),
                None => said,
            }
        }
    }
}

fn judgement(shown: &Shown) -> Option<String> {
    let critical = shown.release.findings.iter().filter(|one| one.severity == Severity::Critical).count();
    let verb = if critical == 1 { "needs" } else { "need" };
    let findings = counted(critical as u64, "finding");
    (critical > 0).then(|| format!("{findings} {verb} your judgement before you install."))
}

/// The last quarantine of this release that somebody lifted.
fn lifted(shown: &Shown) -> Option<String> {
    let last = shown
        .restrictions
        .iter()
        .rfind(|one| one.release_id == shown.release.id && one.is(Action::Quarantine))?;
    (!last.is_open()).then(|| format!("Its quarantine of {} was lifted.", Time::of(last.at).day))
}
