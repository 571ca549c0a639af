//! Blobs by their SHA-256: the archives that are served.
//!
//! Behind it is `object_store`: a folder now, a bucket later, with the same calls. The folder is
//! opened with fsync on; `object_store` 0.14 then writes a staging file, syncs it, renames it
//! into place and syncs every folder whose entries changed, before a put returns.
//!
//! A put always writes, also where a blob of that name lies already: a name that another writer
//! has only just renamed may not be on disk yet, and a damaged blob is healed by the next publish
//! of the same content. The name is the digest, so the bytes are the same.

mod sweep;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::{
    GetResultPayload, MultipartUpload as _, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutPayload,
};
use skill_core::digest::Sha256;
use tokio_util::io::ReaderStream;

use crate::problem::ApiError;

pub use sweep::{Swept, sweep, unneeded};

/// Up to here a blob goes up and comes down in one piece.
const PIECE: usize = 1 << 20;

/// Why a blob could not be kept or given.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The store does not have it.
    #[error("blob {digest} is missing")]
    Missing {
        /// Its name.
        digest: Sha256,
    },
    /// It is longer or shorter than what was stored.
    #[error("blob {digest} has {found} bytes instead of {expected}")]
    Size {
        /// Its name.
        digest: Sha256,
        /// Bytes that were stored.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// The store refused.
    #[error("blob store: {0}")]
    Store(#[from] object_store::Error),
    /// Reading what is to be stored, or a temporary file.
    #[error("blob: {0}")]
    Io(#[from] std::io::Error),
}

impl From<BlobError> for ApiError {
    fn from(error: BlobError) -> Self {
        if met_full_disk(&error) { Self::ReadOnly } else { Self::internal(error) }
    }
}

/// Whether the system said, somewhere below `error`, that there is no room.
pub(crate) fn met_full_disk(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| {
        error.downcast_ref::<std::io::Error>().is_some_and(|error| {
            matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
        })
    })
}

/// Where blobs are kept.
#[derive(Debug, Clone)]
pub struct BlobStore {
    store: Arc<dyn ObjectStore>,
}

impl BlobStore {
    /// A folder; made if it is absent.
    pub fn folder(root: &Path) -> Result<Self, BlobError> {
        fs_err::create_dir_all(root)?;
        let folder = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        Ok(Self { store: Arc::new(folder) })
    }

    /// Keeps what `file` holds under `digest`. When this returns the blob survives a power cut.
    ///
    /// The caller vouches that `digest` is the digest of the file.
    pub async fn put_file(&self, digest: &Sha256, file: std::fs::File) -> Result<(), BlobError> {
        let (mut piece, mut file) = next_piece(file).await?;
        if piece.len() < PIECE {
            self.store.put(&location(digest), PutPayload::from(piece)).await?;
            return Ok(());
        }
        let mut upload = self.store.put_multipart(&location(digest)).await?;
        while !piece.is_empty() {
            upload.put_part(PutPayload::from(piece)).await?;
            (piece, file) = next_piece(file).await?;
        }
        upload.complete().await?;
        Ok(())
    }

    /// Opens the blob `digest`, which must have `size` bytes: what is missing or cut short is an
    /// error here, before the first byte is served (bug report 40).
    pub async fn open(&self, digest: &Sha256, size: u64) -> Result<Blob, BlobError> {
        let found = self.store.get(&location(digest)).await.map_err(|error| match error {
            object_store::Error::NotFound { .. } => BlobError::Missing { digest: *digest },
            other => BlobError::Store(other),
        })?;
        if found.meta.size != size {
            return Err(BlobError::Size { digest: *digest, expected: size, found: found.meta.size });
        }
        Ok(Blob { size, payload: found.payload })
    }

    /// Whether the blob `digest` is there with its `size` bytes.
    pub async fn holds(&self, digest: &Sha256, size: u64) -> Result<bool, BlobError> {
        Ok(self.find(&location(digest)).await?.is_some_and(|object| object.size == size))
    }

    /// What the store says of an object, if it is there.
    async fn find(&self, location: &object_store::path::Path) -> Result<Option<ObjectMeta>, BlobError> {
        match self.store.head(location).await {
            Ok(object) => Ok(Some(object)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a blob. One that is absent already is no error.
    async fn delete(&self, location: &object_store::path::Path) -> Result<(), BlobError> {
        match self.store.delete(location).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The digests of all blobs that are there.
    pub async fn digests(&self) -> Result<BTreeSet<Sha256>, BlobError> {
        let mut digests = BTreeSet::new();
        let mut objects = self.list();
        while let Some(object) = objects.next().await {
            digests.extend(digest_of(&object?.location));
        }
        Ok(digests)
    }

    /// Every object in the store, in no order.
    fn list(&self) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        self.store.list(None)
    }
}

/// An opened blob.
pub struct Blob {
    size: u64,
    payload: GetResultPayload,
}

impl std::fmt::Debug for Blob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blob").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Blob {
    /// Its bytes, in pieces.
    pub fn into_stream(self) -> BoxStream<'static, std::io::Result<Bytes>> {
        match self.payload {
            GetResultPayload::File(file, _) => {
                let piece = self.size.clamp(1, PIECE as u64) as usize;
                ReaderStream::with_capacity(tokio::fs::File::from_std(file), piece).boxed()
            }
            GetResultPayload::Stream(stream) => stream.map(|piece| piece.map_err(Into::into)).boxed(),
        }
    }

    /// All of it, in memory: for what is known to be short. One that ends early is [`std::io::ErrorKind::UnexpectedEof`].
    pub async fn into_bytes(self) -> Result<Bytes, BlobError> {
        let (size, mut stream) = (self.size, self.into_stream());
        let mut bytes = BytesMut::with_capacity(size as usize);
        while let Some(piece) = stream.next().await {
            bytes.extend_from_slice(&piece?);
        }
        if bytes.len() as u64 != size {
            return Err(BlobError::Io(std::io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(bytes.freeze())
    }

    /// The blob as a file that can be sought in: the file itself, or a temporary copy.
    pub async fn into_file(self) -> Result<std::fs::File, BlobError> {
        match self.payload {
            GetResultPayload::File(file, _) => Ok(file),
            GetResultPayload::Stream(mut stream) => {
                let mut copy = tokio::fs::File::from_std(tempfile::tempfile()?);
                while let Some(piece) = stream.next().await {
                    tokio::io::AsyncWriteExt::write_all(&mut copy, &piece?).await?;
                }
                tokio::io::AsyncSeekExt::rewind(&mut copy).await?;
                Ok(copy.into_std().await)
            }
        }
    }
}

/// `ab/cdef…`: 256 folders, so that none grows without bound.
fn location(digest: &Sha256) -> object_store::path::Path {
    let hex = digest.to_hex();
    object_store::path::Path::from_iter([&hex[..2], &hex[2..]])
}

/// The digest that a location stands for; `None` for anything that is no blob.
fn digest_of(location: &object_store::path::Path) -> Option<Sha256> {
    let (folder, rest) = location.as_ref().split_once('/')?;
    format!("{folder}{rest}").parse().ok().filter(|digest| self::location(digest) == *location)
}

/// Reads up to one piece; less means that the file ends here.
async fn next_piece(mut file: std::fs::File) -> Result<(Vec<u8>, std::fs::File), BlobError> {
    let read = tokio::task::spawn_blocking(move || {
        let mut piece = Vec::new();
        (&mut file).take(PIECE as u64).read_to_end(&mut piece)?;
        Ok::<_, std::io::Error>((piece, file))
    });
    Ok(read.await.map_err(std::io::Error::other)??)
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;

    fn file(content: &[u8]) -> std::fs::File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.rewind().unwrap();
        file
    }

    async fn bytes(blob: Blob) -> Vec<u8> {
        let mut stream = blob.into_stream();
        let mut all = Vec::new();
        while let Some(piece) = stream.next().await {
            all.extend_from_slice(&piece.unwrap());
        }
        all
    }

    #[tokio::test]
    async fn what_is_put_is_given_back_small_and_large() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobStore::folder(folder.path()).unwrap();
        for size in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            let content: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            let digest = Sha256::of(&content);
            for _ in 0..2 {
                blobs.put_file(&digest, file(&content)).await.unwrap();
                let blob = blobs.open(&digest, size as u64).await.unwrap();
                assert!(bytes(blob).await == content, "{size}");
            }
        }
    }

    #[tokio::test]
    async fn a_missing_or_cut_blob_is_an_error_before_its_first_byte() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobStore::folder(folder.path()).unwrap();
        let digest = Sha256::of("skill");
        let missing = blobs.open(&digest, 5).await.unwrap_err();
        assert!(matches!(missing, BlobError::Missing { .. }), "{missing}");
        blobs.put_file(&digest, file(b"skill")).await.unwrap();
        let cut = blobs.open(&digest, 6).await.unwrap_err();
        assert!(matches!(cut, BlobError::Size { expected: 6, found: 5, .. }), "{cut}");
    }

    #[test]
    fn only_blobs_have_a_digest() {
        let digest = Sha256::of("skill");
        assert_eq!(digest_of(&location(&digest)), Some(digest));
        for other in ["ab", "a/b", "notes/readme.txt"] {
            assert_eq!(digest_of(&other.into()), None, "{other}");
        }
    }
}
