//! What a serving process works with beside the database: blobs, caches, search, and the tasks that keep them.

use std::sync::{Mutex, PoisonError};

use skill_core::name::SkillName;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::app::App;
use crate::auth::{Passwords, Uses};
use crate::blob::{BlobError, BlobStore};
use crate::config::Config;
use crate::data::Folder;
use crate::downloads::{Counts, Downloads};
use crate::gc;
use crate::http::cache::ResponseCache;
use crate::http::v1::download::GivenArchives;
use crate::jobs::{self, Jobs};
use crate::metrics::Metrics;
use crate::names::MuchUsed;
use crate::outbound::{Names, Outbound};
use crate::publish::{Publishing, Shares};
use crate::pulse::Pulse;
use crate::rate::Rates;
use crate::reading;
use crate::remote::Proxies;
use crate::search::{Search, SearchError};
use crate::webhooks;

/// Files that are unpacked from archives at a time.
const FILE_READS: usize = 4;
/// Pages that compare two releases at a time; each has up to 2 MB of files and half a megabyte of rows in memory.
const COMPARISONS: usize = 2;
/// Uploads at a time; each has a temporary file of up to the size of an archive.
const UPLOADS: usize = 16;
/// How often the blobs are swept, and clients of days before forgotten.
const SWEEP_EVERY: std::time::Duration = std::time::Duration::from_hours(1);

/// The parts of an [`App`] that no database holds.
#[derive(Debug)]
pub struct Works {
    blobs: BlobStore,
    pulse: Pulse,
    responses: ResponseCache,
    given_archives: GivenArchives,
    search: Search,
    downloads: Downloads,
    download_counts: Counts,
    much_used: MuchUsed,
    uses: Uses,
    passwords: Passwords,
    proxies: Proxies,
    rates: Rates,
    file_reads: Semaphore,
    comparisons: Semaphore,
    uploads: Semaphore,
    upload_shares: Shares,
    publishing: Publishing,
    jobs: Jobs,
    metrics: Metrics,
    outbound: Outbound,
    tasks: Mutex<JoinSet<()>>,
}

/// Why they cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum WorksError {
    /// The folder for blobs or for temporary files.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// The search index.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl Works {
    /// Sets them up; nothing runs yet.
    pub fn open(config: &Config, folder: &Folder) -> Result<Self, WorksError> {
        fs_err::create_dir_all(folder.incoming()).map_err(BlobError::from)?;
        Ok(Self {
            blobs: BlobStore::folder(&folder.blobs())?,
            pulse: Pulse::default(),
            responses: ResponseCache::default(),
            given_archives: GivenArchives::default(),
            search: Search::new()?,
            downloads: Downloads::default(),
            download_counts: Counts::default(),
            much_used: MuchUsed::default(),
            uses: Uses::default(),
            passwords: Passwords::default(),
            proxies: config.server.proxies(),
            rates: Rates::new(config.rate),
            file_reads: Semaphore::new(FILE_READS),
            comparisons: Semaphore::new(COMPARISONS),
            uploads: Semaphore::new(UPLOADS),
            upload_shares: Shares::default(),
            publishing: Publishing::new(config.limits.announced, folder.incoming()),
            jobs: Jobs::default(),
            metrics: Metrics::default(),
            outbound: Outbound::new(config.outbound.allow.clone(), Names::System),
            tasks: Mutex::default(),
        })
    }

    /// Starts what runs beside the requests.
    pub fn start(&self, app: &App) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.spawn(self.pulse.clone().keep_asking(app.db().clone()));
        tasks.spawn(Search::keep_up(app.clone()));
        tasks.spawn(Downloads::keep_writing(app.clone()));
        tasks.spawn(Uses::keep_writing(app.clone()));
        tasks.spawn(keep_sweeping(app.clone()));
        tasks.spawn(reading::keep_reading(app.clone()));
        tasks.spawn(webhooks::keep_dispatching(app.clone()));
        for _ in 0..jobs::WORKERS {
            tasks.spawn(Jobs::keep_working(app.clone()));
        }
    }

    /// Ends what [`Works::start`] started, and waits until it has ended.
    pub async fn stop(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
    }
}

impl App {
    /// The archives.
    pub fn blobs(&self) -> &BlobStore {
        &self.works().blobs
    }

    /// How far the registry is, as this process knows it.
    pub fn pulse(&self) -> &Pulse {
        &self.works().pulse
    }

    /// Answers kept as they were sent.
    pub(crate) fn responses(&self) -> &ResponseCache {
        &self.works().responses
    }

    /// Archives that anybody may have.
    pub(crate) fn given_archives(&self) -> &GivenArchives {
        &self.works().given_archives
    }

    /// The search index.
    pub fn search(&self) -> &Search {
        &self.works().search
    }

    /// The downloads to be counted.
    pub(crate) fn downloads(&self) -> &Downloads {
        &self.works().downloads
    }

    /// How often skills were downloaded, as was asked lately.
    pub(crate) fn download_counts(&self) -> &Counts {
        &self.works().download_counts
    }

    /// The names that people use most.
    pub(crate) fn much_used(&self) -> &MuchUsed {
        &self.works().much_used
    }

    /// The tokens and sessions whose use is to be noted.
    pub(crate) fn uses(&self) -> &Uses {
        &self.works().uses
    }

    /// What computes passwords.
    pub fn passwords(&self) -> &Passwords {
        &self.works().passwords
    }

    /// Whom to wake when a job is due.
    pub(crate) fn jobs(&self) -> &Jobs {
        &self.works().jobs
    }

    /// What it counts of itself.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.works().metrics
    }

    /// Requests to others.
    pub(crate) fn outbound(&self) -> &Outbound {
        &self.works().outbound
    }

    /// The proxies that are believed whom they ask for.
    pub(crate) fn proxies(&self) -> &Proxies {
        &self.works().proxies
    }

    /// How many requests a minute are answered, and how many were.
    pub(crate) fn rates(&self) -> &Rates {
        &self.works().rates
    }

    /// Turns at unpacking a file from an archive.
    pub(crate) fn file_reads(&self) -> &Semaphore {
        &self.works().file_reads
    }

    /// Turns at comparing two releases.
    pub(crate) fn comparisons(&self) -> &Semaphore {
        &self.works().comparisons
    }

    /// Turns at uploading.
    pub(crate) fn uploads(&self) -> &Semaphore {
        &self.works().uploads
    }

    /// How many of them each user may take.
    pub(crate) fn upload_shares(&self) -> &Shares {
        &self.works().upload_shares
    }

    /// What publishing needs.
    pub(crate) fn publishing(&self) -> &Publishing {
        &self.works().publishing
    }

    /// Whether search has caught up with the registry since this process began.
    pub fn search_is_current(&self) -> bool {
        self.search().is_current()
    }

    /// The page of a skill.
    pub fn page_of(&self, name: &SkillName) -> String {
        format!("{}/{}/skills/{}", self.base_url(), name.owner, name.slug)
    }
}

async fn keep_sweeping(app: App) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        ticks.tick().await;
        match gc::run(app.db(), app.blobs(), app.clock().now(), gc::Do::Remove).await {
            Ok(gone) => {
                let removed: u64 = gone.iter().map(|gone| gone.count).sum();
                tracing::info!(removed, "took away what has served");
            }
            Err(error) => tracing::warn!(%error, "what has served was not taken away"),
        }
    }
}
