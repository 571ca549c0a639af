/// Bits from the front of a text, lowest first.
pub(super) struct Forward<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Forward<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn take(&mut self, count: usize) -> Option<usize> {
        let end = self.at + count;
        if end > self.bytes.len() * 8 {
            return None;
        }
        let number = bits(self.bytes, self.at, count);
        self.at = end;
        Some(number)
    }

    /// Puts the last bit back.
    pub(super) fn put_back(&mut self) {
        self.at -= 1;
    }

    /// Bytes that were begun.
    pub(super) const fn used(&self) -> usize {
        self.at.div_ceil(8)
    }
}

/// Bits from the end of a text, highest first. The highest one that is set in the last byte marks the end.
pub(super) struct Backward<'a> {
    bytes: &'a [u8],
    /// Bits that are left; below zero when more were taken than there were.
    left: isize,
}

impl<'a> Backward<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let mark = bytes.last()?.checked_ilog2()?;
        Some(Self { bytes, left: (bytes.len() as isize - 1) * 8 + mark as isize })
    }

    /// The next bits, zeros behind the last.
    pub(super) fn peek(&self, count: usize) -> usize {
        let from = self.left - count as isize;
        if from >= 0 {
            return bits(self.bytes, from as usize, count);
        }
        let there = self.left.max(0) as usize;
        bits(self.bytes, 0, there) << (count - there)
    }

    pub(super) const fn skip(&mut self, count: usize) {
        self.left -= count as isize;
    }

    pub(super) const fn left(&self) -> isize {
        self.left
    }
}

/// At most 16 bits from a place.
fn bits(bytes: &[u8], at: usize, count: usize) -> usize {
    let held = bytes.iter().skip(at / 8).take(3).rev().fold(0, |held, byte| held << 8 | usize::from(*byte));
    held >> (at % 8) & ((1 << count) - 1)
}
