//! Digests files while the next ones are still read, on a second core once there is enough of it to do.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use skill_core::digest::Sha256;

/// From how many bytes on a second thread is worth its start.
const WORTH_A_THREAD: u64 = 256 << 10;

/// A file whose digest is known or under way.
#[derive(Debug, Clone)]
pub(crate) struct Digested {
    content: Arc<Vec<u8>>,
    sha256: Arc<OnceLock<Sha256>>,
}

impl Digested {
    pub(crate) fn content(&self) -> &Arc<Vec<u8>> {
        &self.content
    }

    /// The digest: made here if nobody has begun, awaited if somebody has.
    pub(crate) fn sha256(&self) -> Sha256 {
        *self.sha256.get_or_init(|| Sha256::of(&*self.content))
    }
}

/// Who makes the digests.
#[derive(Debug, Default)]
pub(crate) struct Digesting {
    /// Bytes taken so far.
    bytes: u64,
    second: Option<Sender<Digested>>,
}

impl Digesting {
    /// Takes the content of a file; the digest can be asked for at any time.
    pub(crate) fn take(&mut self, content: Vec<u8>) -> Digested {
        self.bytes += content.len() as u64;
        let file = Digested { content: Arc::new(content), sha256: Arc::default() };
        if self.second.is_none() && self.bytes > WORTH_A_THREAD {
            self.second = second();
        }
        match &self.second {
            // A thread that is gone has left the work to whoever asks.
            Some(queue) => drop(queue.send(file.clone())),
            None => drop(file.sha256()),
        }
        file
    }
}

/// A thread that digests what it is sent and ends when nobody can send any more; `None` if the system gives none.
fn second() -> Option<Sender<Digested>> {
    let (queue, files) = channel::<Digested>();
    let work = move || {
        // What nobody else holds any more was dropped with the builder: an archive that is refused costs no digests.
        for file in files.into_iter().filter(|file| Arc::strong_count(&file.content) > 1) {
            file.sha256();
        }
    };
    thread::Builder::new().name("digest".to_owned()).spawn(work).ok()?;
    Some(queue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digest_is_that_of_its_content() {
        let mut digesting = Digesting::default();
        let contents = (0..200_u32).map(|number| number.to_le_bytes().repeat(1 + number as usize * 40));
        let files: Vec<_> = contents.clone().map(|content| digesting.take(content)).collect();
        assert!(digesting.second.is_some());
        let wanted = contents.map(|content| Sha256::of(&content));
        assert!(wanted.eq(files.iter().map(Digested::sha256)));
    }
}
