use std::time::{Duration, Instant};

/// Rows of a page.
const ROWS: usize = 3_000;
/// Bytes of HTML that its rows may become.
const BYTES: usize = 512 * 1024;
/// Time that all comparisons of a page may take; after it they become coarser. They stay right.
const PATIENCE: Duration = Duration::from_millis(400);

/// What is left of the work and of the room of one page, for all files that it compares.
#[derive(Debug)]
pub(super) struct Budget {
    rows: usize,
    bytes: usize,
    until: Instant,
}

impl Budget {
    /// That of a whole page, whose time begins now. The time bounds work and decides nothing: no clock of the registry
    /// is asked.
    pub(super) fn of_a_page() -> Self {
        Self { rows: ROWS, bytes: BYTES, until: Instant::now() + PATIENCE }
    }

    /// What the next file may take, set apart: half of it all, so that no file leaves nothing to the others; the last
    /// one takes the rest.
    pub(super) fn share(&mut self, is_last: bool) -> Self {
        let now = Instant::now();
        let left = self.until.saturating_duration_since(now);
        let share = if is_last {
            Self { rows: self.rows, bytes: self.bytes, until: now + left }
        } else {
            Self { rows: self.rows / 2, bytes: self.bytes / 2, until: now + left / 2 }
        };
        self.rows -= share.rows;
        self.bytes -= share.bytes;
        share
    }

    /// Takes back what a file left.
    pub(super) const fn take_back(&mut self, share: &Self) {
        self.rows += share.rows;
        self.bytes += share.bytes;
    }

    /// Pays for rows of so many bytes of HTML together; pays nothing and says no where not all of it is left.
    pub(super) const fn pay(&mut self, rows: usize, bytes: usize) -> bool {
        let enough = rows <= self.rows && bytes <= self.bytes;
        if enough {
            self.rows -= rows;
            self.bytes -= bytes;
        }
        enough
    }

    /// Whether too little is left to begin another file.
    pub(super) const fn is_spent(&self) -> bool {
        self.rows < ROWS / 100 || self.bytes < BYTES / 100
    }

    /// Until when a comparison looks for the best answer.
    pub(super) const fn until(&self) -> Instant {
        self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_takes_what_others_need() {
        let mut page = Budget::of_a_page();
        let mut greedy = page.share(false);
        while greedy.pay(1, 1) {}
        page.take_back(&greedy);
        assert_eq!((page.rows, page.bytes), (ROWS / 2, BYTES - ROWS / 2));
        assert!(!page.is_spent());
    }

    #[test]
    fn what_a_file_leaves_is_there_for_the_next() {
        let mut page = Budget::of_a_page();
        for _ in 0..50 {
            let mut modest = page.share(false);
            assert!(modest.pay(10, 100));
            page.take_back(&modest);
        }
        assert_eq!((page.rows, page.bytes), (ROWS - 500, BYTES - 5_000));
        let last = page.share(true);
        assert_eq!((last.rows, page.rows), (ROWS - 500, 0));
    }
}
