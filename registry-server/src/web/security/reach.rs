//! What a skill reaches for, found by reading its files, beside what it declares.

use serde::Serialize;
use skill_bundle::{Limits, open_archive};
use skill_core::manifest::Manifest;
use skill_scan::RuleSet;
use skill_scan::capabilities::{Capability, Kind, capabilities};

use crate::app::App;
use crate::problem::ApiError;
use crate::web::badge::Badge;
use crate::web::files;
use crate::web::skill::find::Shown;
use crate::web::skill::head::Head;

/// Larger skills are not read for a page: whoever asks for it would have the registry unpack all of them.
const LARGEST: u64 = 1 << 20;
/// Names that a page shows.
const SHOWN: usize = 60;

/// What was found.
#[derive(Debug, Default, Serialize)]
pub(super) struct Reach {
    /// Whether the files were read at all.
    read: bool,
    rows: Vec<Row>,
    more: usize,
}

#[derive(Debug, Serialize)]
struct Row {
    kind: &'static str,
    name: String,
    /// The first place, and its page.
    place: Option<(String, String)>,
    places: u32,
    declared: Badge,
}

/// Reads the files of a release.
pub(super) async fn reach(app: &App, shown: &Shown, head: &Head) -> Result<Reach, ApiError> {
    if shown.release.size > LARGEST {
        return Ok(Reach::default());
    }
    // A turn at unpacking, as for a file that is shown.
    let _slot = app.file_reads().acquire().await;
    let blob = app.blobs().open(&shown.line.archive_sha256, shown.line.archive_size).await?;
    let mut archive = blob.into_file().await?;
    let slug = head.slug.clone();
    let found = tokio::task::spawn_blocking(move || {
        let (bundle, _) = open_archive(&mut archive, &Limits::default()).map_err(ApiError::internal)?;
        let (manifest, _) = Manifest::read(bundle.skill_md(), &slug).map_err(ApiError::internal)?;
        let report = skill_scan::scan(&bundle, RuleSet::builtin());
        Ok::<_, ApiError>(capabilities(&bundle, &manifest, &report))
    });
    let found = found.await.map_err(ApiError::internal)??;
    Ok(Reach {
        read: true,
        more: found.capabilities.len().saturating_sub(SHOWN) + found.more as usize,
        rows: found.capabilities.iter().take(SHOWN).map(|one| row(head, one)).collect(),
    })
}

fn row(head: &Head, one: &Capability) -> Row {
    let place = one.place.as_ref().map(|site| {
        let page = files::address(head, &site.file);
        match site.line {
            0 => (site.file.clone(), page),
            line => (format!("{}, line {line}", site.file), format!("{page}#L{line}")),
        }
    });
    Row {
        kind: match one.kind {
            Kind::Host => "Host",
            Kind::Program => "Program",
            Kind::File => "File",
            Kind::Variable => "Variable",
            Kind::Persistence => "Stays after use",
        },
        name: one.name.clone(),
        place,
        places: one.places,
        declared: if one.declared { Badge::noted("Declared") } else { Badge::limited("Not declared") },
    }
}
