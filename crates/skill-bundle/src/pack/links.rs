use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use crate::BundleError;
use crate::nofollow::{self, Kind};

/// As many links in a row as Linux follows.
const MAX_HOPS: usize = 40;

/// A link that is to be resolved.
pub(super) struct Link<'a> {
    /// The folder that is packed, open.
    pub(super) root: BorrowedFd<'a>,
    /// Its absolute path: an absolute target counts as inside if it starts with it.
    pub(super) root_path: &'a Path,
    /// Where the link is, below the folder.
    pub(super) place: &'a [Vec<u8>],
    /// What it says.
    pub(super) says: &'a [u8],
}

/// What a link inside the folder ends at.
#[derive(Debug)]
pub(super) struct Target {
    /// Below the folder; no segment of it is a link. Empty for the folder itself.
    pub(super) path: Vec<Vec<u8>>,
    /// A file or a folder, or something that no bundle holds.
    pub(super) kind: Kind,
    /// The folder that holds it, open; the folder itself if `path` is empty.
    pub(super) parent: OwnedFd,
}

/// How far a link has been followed.
struct Trail {
    /// Below the folder; no segment of it is a link.
    at: Vec<Vec<u8>>,
    /// Segments still to be gone, the next one last.
    ahead: Vec<Vec<u8>>,
    hops: usize,
}

impl Link<'_> {
    /// Says where the link ends by reading it and every link on its way, opening nothing through any of them.
    pub(super) fn resolve(&self) -> Result<Target, BundleError> {
        let holder = self.place.split_last().map_or(&[][..], |(_, holder)| holder);
        let mut trail = Trail { at: holder.to_vec(), ahead: Vec::new(), hops: 0 };
        self.turn(&mut trail, self.says)?;
        while let Some(segment) = trail.ahead.pop() {
            match segment.as_slice() {
                b"." => {}
                b".." => drop(trail.at.pop().ok_or_else(|| self.outside())?),
                _ => self.step(&mut trail, segment)?,
            }
        }
        let Some((name, folders)) = trail.at.split_last() else {
            let parent = self.root.try_clone_to_owned().map_err(|error| self.error(error))?;
            return Ok(Target { path: trail.at, kind: Kind::Folder, parent });
        };
        let parent = self.open(folders)?;
        let kind = nofollow::kind_of(&parent, name).map_err(|error| self.error(error))?;
        Ok(Target { path: trail.at, kind, parent })
    }

    /// Goes one name further: onto a file or folder, or to where a link turns.
    fn step(&self, trail: &mut Trail, segment: Vec<u8>) -> Result<(), BundleError> {
        let holder = self.open(&trail.at)?;
        let kind = nofollow::kind_of(&holder, &segment).map_err(|error| self.error(error))?;
        if kind != Kind::Link {
            trail.at.push(segment);
            return Ok(());
        }
        let says = nofollow::read_link(&holder, &segment).map_err(|error| self.error(error))?;
        self.turn(trail, &says)
    }

    /// Puts what a link says before the segments that are still ahead.
    fn turn(&self, trail: &mut Trail, says: &[u8]) -> Result<(), BundleError> {
        trail.hops += 1;
        if trail.hops > MAX_HOPS {
            let (link, target) = self.shown();
            return Err(BundleError::LinkLoop { link, target });
        }
        let mut relative = nofollow::as_path(says);
        if relative.is_absolute() {
            trail.at.clear();
            relative = relative.strip_prefix(self.root_path).map_err(|_| self.outside())?;
        }
        let segments = relative.as_os_str().as_encoded_bytes().split(|byte| *byte == b'/');
        trail.ahead.extend(segments.rev().filter(|segment| !segment.is_empty()).map(<[u8]>::to_vec));
        Ok(())
    }

    /// Opens a folder below the root, name by name.
    fn open(&self, folders: &[Vec<u8>]) -> Result<OwnedFd, BundleError> {
        let mut fd = self.root.try_clone_to_owned().map_err(|error| self.error(error))?;
        for folder in folders {
            fd = nofollow::open_folder(fd.as_fd(), folder).map_err(|error| self.error(error))?;
        }
        Ok(fd)
    }

    fn outside(&self) -> BundleError {
        let (link, target) = self.shown();
        BundleError::LinkOutside { link, target }
    }

    fn error(&self, error: std::io::Error) -> BundleError {
        let (link, target) = self.shown();
        match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                BundleError::LinkDangling { link, target }
            }
            _ => BundleError::io(link, error),
        }
    }

    fn shown(&self) -> (String, String) {
        (show(self.place), String::from_utf8_lossy(self.says).into_owned())
    }
}

/// Segments as a path that a person reads.
pub(super) fn show(segments: &[Vec<u8>]) -> String {
    String::from_utf8_lossy(&segments.join(&b'/')).into_owned()
}
