//! Bodies of answers: read with an upper size, or written to a file and digested on the way.

use std::io::Write as _;
use std::path::Path;

use reqwest::Response;
use sha2::Digest as _;
use skill_core::digest::Sha256;

use super::ClientError;
use super::send::Arrived;

/// What a download came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Downloaded {
    /// SHA-256 of the bytes as they arrived.
    pub sha256: Sha256,
    /// How many there were.
    pub len: u64,
}

/// How reading a body ended early.
pub(super) enum BodyError {
    /// The connection broke or was too slow: trying again may help.
    Broken(reqwest::Error),
    /// It will be no better next time.
    Final(ClientError),
}

/// Reads at most `cap` bytes.
pub(super) async fn read(mut answer: Response, cap: u64) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(BodyError::Broken)? {
        if (body.len() + chunk.len()) as u64 > cap {
            return Err(too_long(&answer, cap));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Writes at most `cap` bytes to `path`, a file that is made anew.
pub(super) async fn save(
    mut answer: Response,
    cap: u64,
    path: &Path,
    arrived: Option<Arrived<'_>>,
) -> Result<Downloaded, BodyError> {
    let disk = |error: &std::io::Error| {
        BodyError::Final(ClientError::Disk { path: path.display().to_string(), cause: error.to_string() })
    };
    let mut file = fs_err::File::create(path).map_err(|error| disk(&error))?;
    let mut digest = sha2::Sha256::new();
    let mut len = 0;
    while let Some(chunk) = answer.chunk().await.map_err(BodyError::Broken)? {
        len += chunk.len() as u64;
        if len > cap {
            return Err(too_long(&answer, cap));
        }
        digest.update(&chunk);
        file.write_all(&chunk).map_err(|error| disk(&error))?;
        arrived.inspect(|arrived| arrived(len));
    }
    Ok(Downloaded { sha256: Sha256::from_bytes(digest.finalize().into()), len })
}

fn too_long(answer: &Response, cap: u64) -> BodyError {
    let url = super::send::shown(answer.url());
    BodyError::Final(ClientError::TooLong { url, limit: cap })
}
