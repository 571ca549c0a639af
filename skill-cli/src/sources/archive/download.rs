use skill_bundle::{BundleError, Limits};
use skill_core::reference::SourceUrl;

use super::{host, refused};
use crate::client::{ClientError, Fetched};
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::sources;

/// Downloads an archive into memory, through a file that goes with it.
///
/// # Errors
/// `archive-not-found`, `login-needed`, `offline-miss`, `bundle-large`, and what the network gives.
pub(super) async fn download(desk: &Desk<'_>, url: &SourceUrl) -> Result<Vec<u8>, Failure> {
    let shown = sources::shown(&url.to_string());
    match get(desk, url, Limits::default().archive_bytes).await? {
        Got::Bytes(bytes) => Ok(bytes),
        Got::Status(404 | 410) => {
            Err(Failure::new(Code::ArchiveNotFound, format!("there is no archive at {shown}"))
                .nothing_changed())
        }
        Got::Status(401 | 403) => {
            Err(Failure::new(Code::LoginNeeded, format!("{} does not give {shown} to everybody", host(url)))
                .because("no token of a registry is sent there")
                .nothing_changed()
                .hint("download it yourself and install the file"))
        }
        Got::Status(status) => {
            Err(Failure::new(Code::RegistryError, format!("{} answered with status {status}", host(url)))
                .because(format!("asked for {shown}"))
                .nothing_changed()
                .hint("try again"))
        }
    }
}

/// What a URL gave.
pub(super) enum Got {
    Bytes(Vec<u8>),
    Status(u16),
}

/// Reads at most `limit` bytes from a URL.
pub(super) async fn get(desk: &Desk<'_>, url: &SourceUrl, limit: u64) -> Result<Got, Failure> {
    let broken = |error: &std::io::Error| desk.cache_failure(error);
    if desk.client.is_offline() {
        return Err(Failure::new(
            Code::OfflineMiss,
            format!("{} is not in the cache", sources::shown(&url.to_string())),
        )
        .because("--offline opens no connection")
        .nothing_changed()
        .hint("run it once without `--offline`"));
    }
    let incoming = desk.cache.incoming().map_err(|error| broken(&error))?;
    let answer = desk.client.fetch(url.with_credentials(), limit, &incoming).await;
    match answer {
        Ok(Fetched::Saved(_)) => fs_err::read(&incoming).map(Got::Bytes).map_err(|error| broken(&error)),
        Ok(Fetched::Status(status)) => Ok(Got::Status(status)),
        Err(ClientError::TooLong { .. }) => {
            let error = BundleError::ArchiveLarge { size: limit + 1, limit };
            Err(Failure::of_foreign_bundle(&error, &sources::shown(&url.to_string())).nothing_changed())
        }
        Err(error) => Err(refused::failure(&error, url)),
    }
}
