use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use skill_core::name::SkillName;

use crate::app::App;
use crate::store::{StoreError, downloads};

/// How many names are worth a squat.
const NAMES: u32 = 100;
/// Whose downloads count.
const DAYS: i64 = 60;
/// How far behind the list may be.
const LIFE: SignedDuration = SignedDuration::from_mins(5);

/// The names that people use most, as they were asked lately, and those that the operator protects.
#[derive(Debug, Default)]
pub(crate) struct MuchUsed(Mutex<Option<(Timestamp, Arc<[SkillName]>)>>);

impl MuchUsed {
    /// The list of now.
    pub(crate) async fn names(app: &App) -> Result<Arc<[SkillName]>, StoreError> {
        let now = app.clock().now();
        if let Some(names) = app.much_used().kept(now) {
            return Ok(names);
        }
        let settings = &app.config().names;
        let mut names = settings.protected.clone();
        let since = downloads::since(now, DAYS);
        let mut conn = app.db().read().await?;
        let used = downloads::most_used(&mut conn, since, settings.used_from, NAMES).await?;
        names.extend(used.into_iter().filter(|name| !settings.protected.contains(name)));
        let names: Arc<[SkillName]> = names.into();
        *app.much_used().0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&names)));
        Ok(names)
    }

    fn kept(&self, now: Timestamp) -> Option<Arc<[SkillName]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, names) = kept.as_ref()?;
        (now.duration_since(*at) < LIFE).then(|| Arc::clone(names))
    }
}
